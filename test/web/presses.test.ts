import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import { type Receiver, startReceiver } from '../events/receiver.ts'
import { formsOf, type PageForm, settingsActs } from './forms.ts'
import { newBusiness } from './new-business.ts'
import { cookiesOf, newOwner, type Page, type Person, textOf } from './person.ts'

const STEPS_MS = 60_000

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver(() => 200)
})
afterAll(() => receiver.stop())

/** What takes something away comes last. */
const LAST = ['off', 'on', 'unset', 'remove', 'reject', 'end', 'revoke', 'disconnect', 'delete']

interface Button {
  /** The page and what the button does: `keys create`. */
  name: string
  isLast: boolean
  form: PageForm
}

/** The buttons of a page as it is now; where rows have the same one, that of the last row. */
function buttonsOf(shown: Page, page: string): Button[] {
  const found = formsOf(shown, page).map(form => {
    const { act = '' } = form.fields
    return [
      act,
      { name: `${page.split('/')[2]} ${act}`, isLast: LAST.includes(act), form },
    ] as const
  })
  return [...new Map(found).values()]
}

const linksOf = ({ text }: Page): string[] =>
  [...text.matchAll(/href="(\/settings\/[^"#?]+)"/g)].map(([, link = '']) => link)

const writesOf = async ({ accountId }: Person): Promise<number> => {
  const sql = 'select count(*) as n from audit_log where account_id = $1'
  return Number((await queryDatabase(sql, [accountId]))[0]?.n)
}

/** Presses every button of every page in the way given; answers what each has written, by its name. */
async function pressAll(press: (by: Person, button: Button) => Promise<void>) {
  const { owner, typed } = await newBusiness(receiver)
  const written = new Map<string, number>()
  for (const isLast of [false, true]) {
    const pages = new Set(['/settings/profile'])
    for (const page of pages) {
      for (;;) {
        const shown = await owner.open(page)
        for (const link of linksOf(shown)) pages.add(link)
        const next = buttonsOf(shown, page).find(b => b.isLast === isLast && !written.has(b.name))
        if (!next) break
        const before = await writesOf(owner)
        const fields = { ...next.form.fields, ...typed[next.name] }
        await press(owner, { ...next, form: { ...next.form, fields } })
        written.set(next.name, (await writesOf(owner)) - before)
      }
    }
  }
  return written
}

const noticeOf = ({ headers }: Page): string =>
  decodeURIComponent(
    cookiesOf(headers)
      .find(line => line.startsWith('__Host-notice='))
      ?.split(';')[0] ?? '',
  )

describe('two presses of every button of the settings', () => {
  it(
    'in turn: 303 to the same page, and nothing is done again',
    async () => {
      const written = await pressAll(async (owner, { name, form: { action, fields } }) => {
        const first = await owner.send(action, fields)
        expect([name, first.status, textOf(first)]).toEqual([name, 303, ''])
        const writes = await writesOf(owner)
        const second = await owner.send(action, fields)
        expect([name, second.status, second.location]).toEqual([name, 303, first.location])
        expect([name, await writesOf(owner)]).toEqual([name, writes])
        if (noticeOf(first).includes('"secret"'))
          expect(noticeOf(second)).toContain('You pressed twice')
        else expect(noticeOf(second)).toBe(noticeOf(first))
        expect(noticeOf(second)).not.toContain('"secret"')
      })
      const acts = [...written.keys()].map(name => name.split(' ')[1])
      expect(acts.sort()).toEqual((await settingsActs()).sort())
      // Only what sends a test event writes nothing.
      expect([...written].filter(([, writes]) => writes === 0)).toEqual([['webhooks test', 0]])
    },
    STEPS_MS,
  )

  it(
    'side by side: 303 to the same page for both, and it is done once',
    async () => {
      await pressAll(async (owner, { name, form: { action, fields } }) => {
        const before = await writesOf(owner)
        const both = await Promise.all([owner.send(action, fields), owner.send(action, fields)])
        const [first, second] = both
        expect([name, first.status, second.status]).toEqual([name, 303, 303])
        expect([name, second.location]).toEqual([name, first.location])
        expect([name, (await writesOf(owner)) - before]).toEqual([
          name,
          name === 'webhooks test' ? 0 : 1,
        ])
        expect(both.filter(one => noticeOf(one).includes('"secret"')).length).toBeLessThan(2)
      })
    },
    STEPS_MS,
  )
})

describe('a press in the settings', () => {
  const TEAMS = '/settings/teams'
  const namesOf = async ({ accountId }: Person) => {
    const sql = 'select name from teams where account_id = $1 order by id'
    return (await queryDatabase(sql, [accountId])).map(({ name }) => name)
  }
  /** What the form to make a team sends. */
  const teamForm = async (owner: Person, name: string): Promise<Record<string, string>> => {
    const [form] = formsOf(await owner.open(TEAMS), TEAMS)
    return { ...form?.fields, name }
  }

  it('303 to another record for other fields, and for another showing of the form', async () => {
    const owner = await newOwner()
    const first = await teamForm(owner, 'A')
    for (const fields of [first, { ...first, name: 'B' }, await teamForm(owner, 'A')])
      expect((await owner.send(TEAMS, fields)).status).toBe(303)
    expect(await namesOf(owner)).toEqual(['A', 'B', 'A'])
  })

  it('303 for one that was refused before, once the reason is gone', async () => {
    const owner = await newOwner()
    const list = await owner.open('/settings/schedules')
    const page = linksOf(list).find(link => /schedules\/\d+$/.test(link)) ?? ''
    const dated = async () => {
      const form = formsOf(await owner.open(page), page).find(f => f.fields.act === 'override')
      return { ...form?.fields, date: '2041-12-24', closed: 'on' }
    }
    const [first, second] = [await dated(), await dated()]
    expect((await owner.send(page, first)).status).toBe(303)
    expect((await owner.send(page, second)).status).toBe(422)
    await queryDatabase(`update schedules set overrides = '[]' where id = $1`, [
      page.split('/').at(-1),
    ])
    expect((await owner.send(page, second)).status).toBe(303)
    expect(textOf(await owner.open(page))).toContain('Dec 24, 2041')
  })

  it('is a press of its user alone: another is told nothing of it', async () => {
    const [owner, other] = await Promise.all([newOwner(), newOwner()])
    const fields = await teamForm(owner, 'A')
    const own = await owner.send(TEAMS, fields)
    const theirs = await other.send(TEAMS, fields)
    expect([own.status, theirs.status]).toEqual([303, 303])
    expect(theirs.location).not.toBe(own.location)
    expect(await namesOf(other)).toEqual(['A'])
  })

  it('303 and says that it was done, where the first was cut off after its change', async () => {
    const owner = await newOwner()
    const fields = await teamForm(owner, 'A')
    await owner.send(TEAMS, fields)
    const cut = `update idempotency_keys set body = null where scope = $1 returning key`
    expect(await queryDatabase(cut, [`f${owner.userId} ${TEAMS}`])).toHaveLength(1)
    const again = await owner.send(TEAMS, fields)
    expect([again.status, again.location]).toEqual([303, TEAMS])
    expect(noticeOf(again)).toContain('done by an earlier press')
    expect(await namesOf(owner)).toEqual(['A'])
  })

  it('keeps no secret', async () => {
    const owner = await newOwner()
    const [form] = formsOf(await owner.open('/settings/keys'), '').filter(
      ({ fields }) => fields.act === 'create',
    )
    const first = await owner.send('/settings/keys', { ...form?.fields, note: 'Till' })
    const key = /cal_[\w-]{43}/.exec(noticeOf(first))?.[0]
    expect(key).toBeDefined()
    const sql = 'select body from idempotency_keys where scope = $1'
    const [row] = await queryDatabase(sql, [`f${owner.userId} /settings/keys`])
    expect(row?.body).toContain('You pressed twice')
    expect(row?.body).not.toContain(key)
  })
})
