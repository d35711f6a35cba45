import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { functionsOf, importsOf, lineAt, ROOT, readSources, resolveImport } from './source.ts'

const PRODUCT = readSources(['functions', 'lib', 'drizzle/schema'])
const TOOLS = readSources(['dev', 'bench'])
const TESTS = readSources(['test'])
const ALL = [...PRODUCT, ...TOOLS, ...TESTS]
const isTest = (file: string) => file.endsWith('.test.ts')
const inAny = (file: string, folders: readonly string[]) => folders.some(f => file.startsWith(f))
const IN_LIB = PRODUCT.filter(s => !isTest(s.file))

/** Imports as `[file, target]`; the project's own as paths within it. */
const arrows = (sources: readonly (typeof ALL)[number][]) =>
  sources.flatMap(s => importsOf(s).map(to => [s.file, resolveImport(s.file, to)] as const))

/** Where each pattern is found, as `file:line  text`. */
const sightings = (
  sources: readonly (typeof ALL)[number][],
  pattern: RegExp,
  where: 'code' | 'text' = 'code',
): string[] =>
  sources.flatMap(s =>
    [...s[where].matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(
      found => `${s.file}:${lineAt(s.text, found.index)}  ${found[0].trim()}`,
    ),
  )

describe('imports', () => {
  /** Layers from the outside in: an import leads to the same layer or further in. */
  const LAYERS = [
    ['functions/'],
    ['lib/pages/'],
    ['lib/http/', 'lib/mcp/'],
    ['lib/domain/'],
    ['lib/events/', 'lib/providers/', 'lib/scheduling/', 'lib/db/', 'lib/core/'],
    ['drizzle/schema/'],
  ]
  const layerOf = (file: string) => LAYERS.findIndex(folders => inAny(file, folders))

  it('every folder of the product has a layer', () => {
    expect(PRODUCT.filter(s => layerOf(s.file) < 0).map(s => s.file)).toEqual([])
  })

  it('lead inwards only', () => {
    const outwards = arrows(IN_LIB).filter(
      ([from, to]) => layerOf(to) >= 0 && layerOf(to) < layerOf(from),
    )
    expect(outwards).toEqual([])
  })

  it('of the product never lead to the tools', () => {
    const toTools = ([, to]: readonly [string, string]) => inAny(to, ['dev/', 'test/', 'bench/'])
    expect(arrows(IN_LIB).filter(toTools)).toEqual([])
  })

  it('of one function never lead to another', () => {
    const folder = (file: string) => file.split('/')[1]
    const across = arrows(IN_LIB).filter(
      ([from, to]) =>
        from.startsWith('functions/') && to.startsWith('functions/') && folder(from) !== folder(to),
    )
    expect(across).toEqual([])
  })

  it('of hono stand in lib/http, lib/mcp, lib/pages and functions alone', () => {
    const elsewhere = arrows(IN_LIB).filter(
      ([from, to]) =>
        /^(hono|@hono)(\/|$)/.test(to) &&
        !inAny(from, ['lib/http/', 'lib/mcp/', 'lib/pages/', 'functions/']),
    )
    expect(elsewhere).toEqual([])
  })

  it('of lib/scheduling lead nowhere', () => {
    const out = arrows(IN_LIB).filter(
      ([from, to]) => from.startsWith('lib/scheduling/') && !to.startsWith('lib/scheduling/'),
    )
    expect(out).toEqual([])
  })

  it('between nouns never go in a circle, nor between files, those of types included', () => {
    const noun = (file: string) => /^lib\/domain\/([^/]+)\//.exec(file)?.[1]
    const between = arrows(IN_LIB).map(([from, to]) => [noun(from), noun(to)] as const)
    expect(circleIn(between.filter(([from, to]) => from !== to))).toEqual([])
    expect(circleIn(arrows(ALL))).toEqual([])
  })

  it('go to the file itself: no file passes on what others export', () => {
    expect(
      sightings(IN_LIB, /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from/m),
    ).toEqual([])
  })
})

/** The first circle that arrows make, as the names on the way round; empty when there is none. */
function circleIn(arrows: readonly (readonly [string | undefined, string | undefined])[]) {
  const graph = new Map<string, string[]>()
  for (const [from, to] of arrows) if (from && to) graph.set(from, [...(graph.get(from) ?? []), to])
  const done = new Set<string>()
  const visit = (node: string, way: string[]): string[] => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node]
    if (done.has(node)) return []
    done.add(node)
    const circles = (graph.get(node) ?? []).map(next => visit(next, [...way, node]))
    return circles.find(circle => circle.length > 0) ?? []
  }
  const circles = [...graph.keys()].map(node => visit(node, []))
  return circles.find(circle => circle.length > 0) ?? []
}

describe('size', () => {
  it('files have up to 300 lines', () => {
    const long = ALL.map(s => `${s.file}: ${s.text.trimEnd().split('\n').length}`)
    expect(long.filter(line => Number(line.split(': ')[1]) > 300)).toEqual([])
  })

  it('functions have up to 50 lines', () => {
    const long = [...PRODUCT, ...TOOLS]
      .filter(s => !isTest(s.file))
      .flatMap(s =>
        functionsOf(s)
          .filter(f => f.lines > 50)
          .map(f => `${s.file}:${f.line}: ${f.lines} lines`),
      )
    expect(long).toEqual([])
  })
})

describe('types', () => {
  it('nothing is any', () => {
    expect(sightings(ALL, /(?:[:<|&,(]|=>|\bas|\bextends)\s*any\b(?!\s*[:(])/)).toEqual([])
  })

  it('no checker is silenced', () => {
    const silencers = [
      ['@ts', 'ignore'],
      ['@ts', 'expect-error'],
      ['@ts', 'nocheck'],
      ['biome', 'ignore'],
    ]
    const pattern = new RegExp(silencers.map(parts => parts.join('-')).join('|'))
    expect(sightings(ALL, pattern, 'text')).toEqual([])
  })

  /** Casts outside of the edges, each with its reason. */
  const CASTS: Record<string, string> = {}

  it('casts stand at the edges alone, or have a reason', () => {
    const EDGES = ['lib/db/', 'lib/core/', 'lib/http/', 'lib/mcp/']
    const inner = PRODUCT.filter(s => !isTest(s.file) && !inAny(s.file, EDGES))
    const casts = inner
      .map(s => ({
        ...s,
        code: s.code.replace(/^(?:import|export)\s[^;]*?\sfrom\b/gm, t =>
          t.replace(/\bas\b/g, '  '),
        ),
      }))
      .flatMap(s => sightings([s], /(?<=[\w)\]}'"!>]\s+)as\s+(?!const\b)[\w'"[{(]+/))
    expect(casts.filter(line => !(line.split(':')[0]! in CASTS))).toEqual([])
    expect(Object.keys(CASTS).filter(file => !casts.some(c => c.startsWith(`${file}:`)))).toEqual(
      [],
    )
  })
})

describe('habits', () => {
  it('only the edge reads the clock and the environment', () => {
    const inner = IN_LIB.filter(s => !inAny(s.file, ['lib/http/', 'lib/mcp/', 'functions/jobs/']))
    const reads =
      /\bDate\.now\(|\bnew Date\(\s*\)|\bprocess\.|\bperformance\.now\(|\bMath\.random\(/
    expect(sightings(inner, reads)).toEqual([])
  })

  it('nothing is left for later, and no test is left out', () => {
    const words = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'not ' + 'implemented']
    expect(sightings(ALL, new RegExp(`\\b(?:${words.join('|')})\\b`), 'text')).toEqual([])
    // Tables of cases, and what needs a program that may not be installed, are all that a test may be.
    const otherwise = /(?<![.'\w])(?:it|test|describe)\.(?!each\b|skipIf\()\w+/
    expect(sightings(ALL, otherwise)).toEqual([])
  })

  it('what is exported says what it is for', () => {
    const exported =
      /^export (?:declare |async |abstract )*(?:function|const|class|interface|type|enum)\s+(\w+)/gm
    const mute = [...IN_LIB, ...TOOLS.filter(t => t.file.startsWith('dev/'))].flatMap(s =>
      [...s.text.matchAll(exported)]
        .filter(
          found => !isInferred(found[0], s.text, found.index) && !isExplained(s.text, found.index),
        )
        .map(found => `${s.file}:${lineAt(s.text, found.index)}  ${found[1]}`),
    )
    expect(mute).toEqual([])
  })

  it('the project speaks of itself alone', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    const files = tracked.split('\0').filter(f => /\.(tsx?|md|json|toml|sql|yml)$|run$/.test(f))
    const words = ['\\.\\./' + 'shared', '/wo' + 'rk/', 'pit' + 'fall']
    const pattern = new RegExp(words.join('|'), 'i')
    const named = files.filter(f => pattern.test(readFileSync(path.join(ROOT, f), 'utf8')))
    expect(named).toEqual([])
  })
})

/** A type that is read off a value is explained there. */
const isInferred = (declaration: string, text: string, at: number): boolean =>
  /\btype\b/.test(declaration) && /^export type \w+ = [^\n]*\btypeof \w/.test(text.slice(at))

/** A comment for readers of the name ends right above it. */
const isExplained = (text: string, at: number): boolean => /\*\/\s*$/.test(text.slice(0, at))
