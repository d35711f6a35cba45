import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../events/receiver.ts'
import { makeEverything, openEvery, type SeenPage } from './every-page.ts'

const STEPS_MS = 120_000

let receiver: Receiver
let pages: SeenPage[]
beforeAll(async () => {
  receiver = await startReceiver(() => 200)
  pages = await openEvery(await makeEverything(receiver))
}, STEPS_MS)
afterAll(() => receiver.stop())

/** The names for programs that somebody types, in whatever form. */
const VERBATIM = [
  'username',
  'subdomain',
  'slug',
  'currency',
  'userId',
  'toUserId',
  'redirectUris',
  'payloadTemplate',
  'guests',
]

/** The tags of the fields of all pages, by their names. */
function tagsOf(): Map<string, string[]> {
  const tags = new Map<string, string[]>()
  for (const { page } of pages)
    for (const [tag, name = ''] of page.text.matchAll(
      /<(?:input|textarea)\b[^>]*? name="([^"]*)"[^>]*>/g,
    ))
      tags.set(name, [...(tags.get(name) ?? []), tag])
  return tags
}

describe('fields of every page', () => {
  it('are left as they are typed by phones, where they hold a name for programs', () => {
    const tags = tagsOf()
    for (const name of VERBATIM) {
      const typed = (tags.get(name) ?? []).filter(tag => !tag.includes('type="hidden"'))
      expect([name, typed.length > 0]).toEqual([name, true])
      for (const tag of typed)
        expect([tag, tag.includes('autocapitalize="none" spellcheck="false"')]).toEqual([tag, true])
    }
  })

  it('of a password stand beside whose it is, seen or not', () => {
    const forms = pages.flatMap(({ path, page }) =>
      [...page.text.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([form]) => ({ path, form })),
    )
    const asking = forms.filter(({ form }) => form.includes('type="password"'))
    expect(asking.length).toBeGreaterThan(5)
    const alone = asking.filter(({ form }) => !/autocomplete="(?:username|email)"/.test(form))
    expect(alone.map(({ path }) => path)).toEqual([])
  })
})
