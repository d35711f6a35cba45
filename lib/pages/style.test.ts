import { describe, expect, it } from 'vitest'
import { STYLE } from './style.ts'

/** The colours of the light and of the dark pages, by their names. */
const SCHEMES = [...STYLE.matchAll(/:root \{([^}]*--page[^}]*)\}/g)].map(([, rules = '']) =>
  Object.fromEntries(
    [...rules.matchAll(/--([\w-]+): #(\w+)/g)].map(([, name, hex]) => [name, hex]),
  ),
)

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(hex = ''): number {
  const whole = hex.length === 3 ? [...hex].map(c => c + c).join('') : hex
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map(at => {
    const part = Number.parseInt(whole.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** What stands on what, pointed at or not. */
const TEXT: [text: string, grounds: string[]][] = [
  ['text', ['page', 'card', 'tint']],
  ['quiet', ['page', 'card', 'tint']],
  ['accent', ['page', 'card', 'tint']],
  ['accent-strong', ['page', 'card', 'tint', 'bad-tint', 'good-tint']],
  ['on-accent', ['accent', 'accent-strong']],
  ['bad', ['page', 'card', 'bad-tint']],
  ['good', ['good-tint']],
  ['card', ['bad']],
]
/** The edges of fields and the ring of the focus. */
const EDGES: typeof TEXT = [
  ['field', ['page', 'card']],
  ['accent', ['page', 'card']],
  ['bad', ['card']],
]

describe('the colours of the pages', () => {
  it.each([
    ['4.5 to 1 for text', TEXT, 4.5],
    ['3 to 1 for edges of what can be used', EDGES, 3],
  ])('have the contrast of WCAG AA, light and dark: %s', (_, pairs, least) => {
    expect(SCHEMES).toHaveLength(2)
    const weak = SCHEMES.flatMap((colours, dark) =>
      pairs.flatMap(([text, grounds]) =>
        grounds
          .map(ground => [dark, text, ground, contrast(colours[text], colours[ground])] as const)
          .filter(([, , , ratio]) => !(ratio >= least)),
      ),
    )
    expect(weak).toEqual([])
  })
})
