import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyone, HTML, own, somebody } from '../browser.ts'
import type { Reply } from '../client.ts'
import { type Receiver, startReceiver } from '../events/receiver.ts'
import { type Everything, formsIn, makeEverything, openEvery, type SeenForm } from './every-page.ts'
import { decode } from './forms.ts'

const STEPS_MS = 120_000

let receiver: Receiver
let everything: Everything
let forms: SeenForm[]
beforeAll(async () => {
  receiver = await startReceiver(() => 200)
  everything = await makeEverything(receiver)
  forms = await formsIn(await openEvery(everything))
}, STEPS_MS)
afterAll(() => receiver.stop())

/** Sends a form with something in every field that is asked for. */
const fill = ({ action, fields, asked }: SeenForm, text: string): Promise<Reply> => {
  const typed = Object.fromEntries(asked.map(name => [name, text]))
  return anyone.post(action, new URLSearchParams({ ...fields, ...typed }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...HTML,
    ...somebody(),
    ...everything.clock,
    ...own(),
    cookie: everything.owner.cookie,
  })
}

/** The words of the label of what has an id on a page, undefined when nothing has it. */
function labelOf({ text }: Reply, id: string): string | undefined {
  const [tag = ''] = new RegExp(`<[^>]* id="${id.replaceAll('.', '\\.')}"[^>]*>`).exec(text) ?? []
  const after = tag && text.slice(text.indexOf(tag) + tag.length)
  const patterns = [
    new RegExp(`<label for="${id.replaceAll('.', '\\.')}">([^<]*)`).exec(text),
    tag.startsWith('<fieldset') ? /<legend>([^<]*)/.exec(after) : null,
    /aria-label="([^"]*)"/.exec(tag),
    tag.includes('type="checkbox"') ? /^([^<]*)/.exec(after) : null,
  ]
  const words = patterns.find(Boolean)?.[1]
  return tag && words ? decode(words).trim() : undefined
}

/** What is wrong with the summary of a page that was refused for what was typed. */
function against(name: string, reply: Reply): unknown[] {
  const [, list] = /<ul class="faults">([\s\S]*?)<\/ul>/.exec(reply.text) ?? []
  if (!list) return [[name, 'no summary']]
  return [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].flatMap(([, line = '']) => {
    const [, id, text = ''] = /^<a href="#([^"]*)">([^<]*)<\/a>$/.exec(line) ?? []
    const label = id && labelOf(reply, id)
    return label && decode(text).startsWith(`${label}: `) ? [] : [[name, line, label]]
  })
}

describe('422 of every form of every page', () => {
  it.each([
    // What is left empty may be taken, and what it is about be gone.
    ['filled with what nobody means', 'x'.repeat(41_000)],
    ['left empty', ''],
  ])(
    'sums up in the words of its labels what is wrong, and leads there: %s',
    async (_, text) => {
      const refused: string[] = []
      const wrong: unknown[] = []
      for (const form of forms) {
        // A form of one row is told above the rows what is wrong.
        if (form.asked.length === 0 || form.fields.bare) continue
        const reply = await fill(form, text)
        if (reply.status !== 422) continue
        refused.push(form.name)
        wrong.push(...against(form.name, reply))
      }
      expect(wrong).toEqual([])
      expect(refused.length).toBeGreaterThan(15)
    },
    STEPS_MS,
  )
})
