import { expect, it } from 'vitest'
import { meanings, NOUNS } from '#lib/db/meanings.ts'
import { queryDatabase } from './database.ts'
import { readSources } from './source.ts'

/** What can refuse a write: constraints and unique indexes, but primary keys. */
const inDatabase = async () =>
  (
    await queryDatabase(
      `select conname as name from pg_constraint
         where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'u', 'x')
       union select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
         where c.relnamespace = 'public'::regnamespace and i.indisunique and not i.indisprimary`,
    )
  ).map(row => row.name!)

const SOURCES = readSources(['lib', 'drizzle/schema']).filter(s => !s.file.endsWith('.test.ts'))

/** The arguments of every call of a function, as they are written. */
const callsOf = (name: string): string[] =>
  SOURCES.flatMap(({ text }) =>
    [...text.matchAll(new RegExp(`${name}(?=\\()`, 'g'))].map(found => {
      const start = found.index + found[0].length
      let depth = 0
      for (let at = start; at < text.length; at++) {
        if (text[at] === '(') depth++
        if (text[at] === ')' && --depth === 0) return text.slice(start, at)
      }
      return ''
    }),
  )

const NAME = /'([a-z]+(?:_[a-z]+)+)'/g

/** The name that a call ends with, if it is written there. */
const last = (text: string) => [...text.matchAll(NAME)].at(-1)?.[1] ?? []

/** The fourth argument of `change()`. */
const guardOf = (text: string) =>
  /^\([^,]+,[^,]+,\s*(?:\{[^}]*\}|[^,{}]+),\s*'(\w+)'/.exec(text)?.[1] ?? []

/** The guards of writes: what `must()` and `change()` are told to say. */
const guards = (): string[] => [
  ...callsOf('\\bmust').flatMap(last),
  ...callsOf('\\.change').flatMap(guardOf),
  // crud() guards changes and deletes with the table's name.
  ...SOURCES.flatMap(s =>
    [...s.text.matchAll(/\bname: '([a-z_]+)',\n\s*table:/g)].map(found => `${found[1]}_gone`),
  ),
]

const ofGone = (name: string) => /^(\w+)_gone$/.exec(name)?.[1]

it('every constraint, unique index and guard has a meaning', async () => {
  const names = [...(await inDatabase()), ...guards()]
  const mute = names.filter(name => {
    const table = ofGone(name)
    return table ? !(table in NOUNS) : !(name in meanings())
  })
  expect(mute).toEqual([])
})

it('no meaning is without one', async () => {
  const names = new Set([...(await inDatabase()), ...guards()])
  expect(Object.keys(meanings()).filter(name => !names.has(name))).toEqual([])
  const tables = await queryDatabase(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const known = new Set(tables.map(row => row.name))
  expect(Object.keys(NOUNS).filter(table => !known.has(table))).toEqual([])
})

it('guards were found', () => {
  expect(guards()).toContain('occupancies_no_overlap')
  expect(guards().length).toBeGreaterThan(8)
})
