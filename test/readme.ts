import { readFileSync } from 'node:fs'

/** A command of README's walk-through, with the answer that it shows, if it shows one. */
export interface Step {
  command: string
  answer?: unknown
}

/** The steps of one section of README: each `sh` block, with the `json` block that follows it. */
export function readSteps(heading: string): Step[] {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const section = text.split(/^## /m).find(part => part.startsWith(heading)) ?? ''
  const steps: Step[] = []
  for (const [, language, code = ''] of section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === 'sh') steps.push({ command: code })
    else if (language === 'json') steps.at(-1)!.answer = JSON.parse(code)
  }
  return steps
}

/**
 * How bash runs a script that stops at its first fault. Started by another program, as on a server, it
 * would read the machine's start-up file first, which may have faults of its own.
 */
export const STRICTLY = ['--norc', '-euc'] as const

/** The day that README's answers are of; a run of its commands is of another. */
const README_DAY = '2026-12-01'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Where an answer lacks what README shows, as paths. Shown objects and lists may be shorter; ids may
 * be others.
 */
export function missing(shown: unknown, actual: unknown, day: string, path = ''): string[] {
  if (Array.isArray(shown))
    return Array.isArray(actual) && actual.length >= shown.length
      ? shown.flatMap((item, i) => missing(item, actual[i], day, `${path}.${i}`))
      : [`${path}: expected at least ${shown.length} items`]
  if (isObject(shown))
    return isObject(actual)
      ? Object.entries(shown).flatMap(([key, value]) =>
          missing(value, actual[key.replace(README_DAY, day)], day, `${path}.${key}`),
        )
      : [`${path}: expected an object`]
  const expected = typeof shown === 'string' ? shown.replace(README_DAY, day) : shown
  const same = path.endsWith('.id') ? typeof actual === 'number' : actual === expected
  return same
    ? []
    : [`${path}: ${JSON.stringify(actual)}, README shows ${JSON.stringify(expected)}`]
}
