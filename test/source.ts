import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A file of the project, with its text twice: as it is, and with nothing but code. */
export interface Source {
  /** Relative to the project, with `/`. */
  file: string
  text: string
  /** The text with comments, strings and regular expressions blanked; lines stay where they are. */
  code: string
}

/** Every TypeScript file below the given folders. */
export const readSources = (folders: readonly string[]): Source[] =>
  folders.flatMap(folder =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.tsx?$/.test(name))
      .map(name => `${folder}/${name.split(path.sep).join('/')}`)
      .sort()
      .map(readSource),
  )

/** One file, by its path within the project. */
function readSource(file: string): Source {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  return { file, text, code: blank(text) }
}

const REGEX_FOLLOWS = /(?:^|[=(,:[!&|?{};>]|\breturn|\btypeof|\bcase)\s*$/
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const SKIPPED = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y

const spaces = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Blanks what is not code. The code inside of `${…}` stays, without its own braces. */
function blank(text: string): string {
  let out = ''
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  /** Depth of braces within each template that we are in the code of. */
  const templates: number[] = []
  const template = () => {
    const piece = match(/(?:\\[\s\S]|[^`\\$]|\$(?!\{))*(?:`|\$\{|$)/y) ?? ''
    out += spaces(piece)
    at += piece.length
    if (piece.endsWith('${')) templates.push(0)
  }
  /** Whether a slash begins one is told by the little that stands before it. */
  const regex = () => (REGEX_FOLLOWS.test(out.slice(-40)) ? match(REGEX) : undefined)
  while (at < text.length) {
    const char = text[at]!
    const skipped = /['"/]/.test(char) ? (match(SKIPPED) ?? regex()) : undefined
    if (skipped) {
      // A string stays visible as one, so that what stands before and after it is still told apart.
      out += /^['"]/.test(skipped) ? `'${spaces(skipped).slice(2)}'` : spaces(skipped)
      at += skipped.length
      continue
    }
    at++
    const depth = templates.at(-1)
    if (char === '`') {
      out += ' '
      template()
    } else if (char === '}' && depth === 0) {
      templates.pop()
      out += ' '
      template()
    } else {
      if (depth !== undefined && char === '{') templates[templates.length - 1] = depth + 1
      if (depth !== undefined && char === '}') templates[templates.length - 1] = depth - 1
      out += char
    }
  }
  return out
}

/** The number of the line that a position is on. */
export const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split('\n').length

/** What a file imports, as it is written there. */
export function importsOf({ text }: Source): string[] {
  const pattern =
    /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm
  return [...text.matchAll(pattern)].map(found => found[1] ?? found[2] ?? '')
}

/** The names that a file imports, and of whom; `*` for all that a module has. */
export function namesImported({ text }: Source): { from: string; names: string[] }[] {
  const whole = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)|\* as \w+ from '([^']+)'/g)]
  const some = [...text.matchAll(/^import\s[^'"`;{]*\{([^}]*)\}\s*from\s*'([^']+)'/gm)]
  return [
    ...whole.map(found => ({ from: found[1] ?? found[2]!, names: ['*'] })),
    ...some.map(([, list = '', from = '']) => ({
      from,
      names: list.split(',').map(name => name.trim().replace(/^type\s+|\s+as\s+\w+$/g, '')),
    })),
  ]
}

/** Where an import leads: a path within the project, or the name of a package. */
export function resolveImport(file: string, target: string): string {
  if (target.startsWith('#')) return target.slice(1)
  if (!target.startsWith('.')) return target
  return path.posix.join(path.posix.dirname(file), target)
}

const NOT_A_FUNCTION =
  /(?:[=(,:[?&|<]|\b(?:return|import|export|default|type|extends|as|of|in|keyof|satisfies|yield))\s*$|\b(?:class|interface|enum|namespace|module)\b[^;{}]*$/

/** The functions of a file with a body in braces: the line they begin on, and their length. */
export function functionsOf({ code }: Source): { line: number; lines: number }[] {
  const found: { line: number; lines: number }[] = []
  const open: { at: number; isFunction: boolean }[] = []
  for (let at = 0; at < code.length; at++) {
    if (code[at] === '{') {
      const before = code.slice(Math.max(0, at - 300), at)
      open.push({ at, isFunction: /=>\s*$/.test(before) || !NOT_A_FUNCTION.test(before) })
    } else if (code[at] === '}') {
      const block = open.pop()
      if (!block?.isFunction) continue
      const line = lineAt(code, block.at)
      found.push({ line, lines: lineAt(code, at) - line + 1 })
    }
  }
  return found
}
