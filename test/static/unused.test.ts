import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  importsOf,
  namesImported,
  ROOT,
  readSources,
  resolveImport,
  type Source,
} from '../source.ts'

const isTest = (file: string) => file.endsWith('.test.ts')
const PRODUCT = readSources(['functions', 'lib', 'drizzle/schema']).filter(s => !isTest(s.file))
const TOOLS = readSources(['dev', 'bench']).filter(s => !isTest(s.file))

/** What some files import, as `file: name`; `file: *` for all that it has. */
const importedBy = (sources: readonly Source[]): Set<string> =>
  new Set(
    sources.flatMap(source =>
      namesImported(source).flatMap(({ from, names }) =>
        names.map(name => `${resolveImport(source.file, from)}: ${name}`),
      ),
    ),
  )

it('what is exported is used by more than tests', () => {
  const used = importedBy([...PRODUCT, ...TOOLS])
  const exported =
    /^export (?:declare |async |abstract )*(?:function|const|class|interface|type)\s+(\w+)/gm
  const unused = PRODUCT.flatMap(({ file, code }) =>
    [...code.matchAll(exported)]
      .map(found => found[1]!)
      .filter(name => !used.has(`${file}: ${name}`) && !used.has(`${file}: *`))
      .filter(name => code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length === 1)
      .map(name => `${file}: ${name}`),
  )
  expect(unused).toEqual([])
})

it('values that one file alone uses are not exported', () => {
  const sources = readSources(['functions', 'lib', 'drizzle/schema', 'dev', 'bench', 'test'])
  const used = importedBy(sources)
  const exported = /^export (?:async |abstract )*(?:function|const|class)\s+(\w+)/gm
  const alone = sources
    .filter(({ file }) => !used.has(`${file}: *`))
    .flatMap(({ file, code }) => [...code.matchAll(exported)].map(found => `${file}: ${found[1]}`))
    .filter(name => !used.has(name))
  // The platform looks whether there is a seed before it imports it.
  expect(alone).toEqual(['dev/seed.ts: seed'])
})

it('what is installed with the product is imported by it', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const imported = PRODUCT.flatMap(importsOf)
  const idle = Object.keys(dependencies).filter(
    name => !imported.some(from => from === name || from.startsWith(`${name}/`)),
  )
  expect(idle).toEqual([])
})

it('every class of the stylesheet is worn on a page', () => {
  const [style, ...pages] = [
    ...PRODUCT.filter(s => s.file === 'lib/pages/style.ts'),
    ...PRODUCT.filter(s => s.file !== 'lib/pages/style.ts' && /functions|lib\/pages/.test(s.file)),
  ]
  const classes = new Set([...style!.text.matchAll(/\.([a-z][a-z-]+)/g)].map(found => found[1]!))
  const worn = pages.map(s => s.text).join('\n')
  expect(classes.size).toBeGreaterThan(40)
  expect([...classes].filter(name => !new RegExp(`\\b${name}\\b`).test(worn))).toEqual([])
})
