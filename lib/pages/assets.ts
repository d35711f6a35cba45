import type { Context } from 'hono'
import { SAFE } from '#lib/http/app.ts'
import { STYLE } from './style.ts'

/** A short name for a content: 53 bits are plenty to tell its versions apart. */
function hashOf(content: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < content.length; i++) {
    high = Math.imul(high ^ content.charCodeAt(i), 2654435761)
    low = Math.imul(low ^ content.charCodeAt(i), 1597334677)
  }
  return (4294967296 * (2097151 & (low >>> 0)) + (high >>> 0)).toString(36)
}

/**
 * Chooses the visitor's own time zone where the page offers a guess, and lets the second of two quick
 * presses of a button go: the answer to the first would else never be seen. Pages work without it.
 */
const SCRIPT = `
addEventListener('submit', event => {
  const form = event.target
  const now = Date.now()
  if (form.method === 'post' && now - (form.sentAt ?? 0) < 3000) event.preventDefault()
  else form.sentAt = now
})
const select = document.querySelector('select[data-guess]')
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
if (select && zone) {
  if (![...select.options].some(option => option.value === zone))
    select.add(new Option(zone.replaceAll('_', ' '), zone))
  select.value = zone
}
`

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#4a68d4" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><rect x="3" y="5" width="18" height="16" rx="4"/><path d="M8 2.5v4M16 2.5v4M3 10.5h18M8.5 15.5l2.4 2.3 4.6-4.6"/></svg>`

interface Asset {
  path: string
  content: string
  type: string
}

const asset = (name: string, end: string, content: string, type: string): Asset => ({
  path: `/assets/${name}-${hashOf(content)}.${end}`,
  content,
  type,
})

const style = asset('style', 'css', STYLE, 'text/css; charset=utf-8')
const script = asset('page', 'js', SCRIPT, 'text/javascript; charset=utf-8')
const icon = asset('icon', 'svg', ICON, 'image/svg+xml')

/** Where the files of the pages are: a name changes with its content, so they are kept for good. */
export const ASSETS = { style: style.path, script: script.path, icon: icon.path }

const byPath = new Map([style, script, icon].map(file => [file.path, file]))

/**
 * Answers one of the files. Nobody is asked who they are for it, nor counted: a page that says that there
 * were too many requests would else come without its style.
 */
export function answerAsset(c: Context): Response | undefined {
  const file = byPath.get(c.req.path)
  if (!file || !['GET', 'HEAD'].includes(c.req.method)) return undefined
  return c.body(file.content, 200, {
    'content-type': file.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    ...SAFE,
  })
}
