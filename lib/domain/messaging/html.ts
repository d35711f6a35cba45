import type { Letter } from './templates.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const PLAIN: Record<string, string> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([plain, entity]) => [entity, plain])),
  '&nbsp;': ' ',
}

/** Text as it may stand in HTML, in an attribute as well. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, c => ENTITIES[c]!)

const FONT =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Mail programs that know dark mode read this; for the others the colors stand at each element. */
const DARK = `@media (prefers-color-scheme: dark) {
.page { background: #14161a !important }
.card { background: #1e2127 !important; border-color: #343943 !important }
.text { color: #eceef2 !important }
.quiet { color: #a9b0bd !important }
}`

/** A message as accessible HTML that needs nothing from elsewhere: no pictures, scripts or fonts. */
export function writeHtml(letter: Letter, business: string, locale: string): string {
  const e = escapeHtml
  return `<!doctype html>
<html lang="${e(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${e(letter.subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f4f5f7;overflow-wrap:anywhere;word-break:break-word;${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #dfe2e8;border-radius:12px"><tr><td style="padding:32px">
<p class="quiet" style="margin:0 0 8px;font-size:14px;line-height:20px;color:#5a6272">${e(business)}</p>
${letter.own?.html ?? bodyHtml(letter)}
<p class="quiet" style="margin:28px 0 0;font-size:13px;line-height:20px;color:#5a6272">${e(letter.footer)}</p>
${letter.unsubscribeUrl ? unsubscribeHtml(letter.unsubscribeUrl) : ''}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

const bodyHtml = ({ heading, greeting, lead, facts, dates, button }: Letter): string =>
  `<h1 class="text" style="margin:0 0 20px;font-size:24px;line-height:30px;font-weight:650;color:#1a1d23">${escapeHtml(heading)}</h1>
${paragraph(greeting)}
${paragraph(lead)}
${factsHtml(facts)}
${datesHtml(dates)}
${button ? buttonHtml(button) : ''}`

const unsubscribeHtml = (url: string): string =>
  `<p class="quiet" style="margin:8px 0 0;font-size:13px;line-height:20px;color:#5a6272"><a href="${escapeHtml(url)}" style="color:inherit">Get no more reminders</a></p>`

const paragraph = (text: string): string =>
  `<p class="text" style="margin:0 0 12px;font-size:16px;line-height:24px;color:#1a1d23">${escapeHtml(text)}</p>`

function factsHtml(facts: Letter['facts']): string {
  const cell = 'padding:6px 0;font-size:16px;line-height:24px;vertical-align:top'
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" align="left" class="quiet" style="${cell};width:72px;padding-right:16px;font-weight:400;word-break:normal;overflow-wrap:normal;color:#5a6272">${escapeHtml(label)}</th>` +
      `<td class="text" style="${cell};color:#1a1d23">${escapeHtml(value).replace(/\r\n?|\n/g, '<br>')}</td></tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0">\n${rows.join('\n')}\n</table>`
}

function datesHtml(dates: readonly string[]): string {
  if (dates.length === 0) return ''
  const items = dates.map(date => `<li style="margin:0 0 4px">${escapeHtml(date)}</li>`)
  return `<ol class="text" style="margin:8px 0;padding-left:24px;font-size:16px;line-height:24px;color:#1a1d23">\n${items.join('\n')}\n</ol>`
}

/** The address stands below as well, for programs that make the button unusable. */
function buttonHtml({ label, url }: NonNullable<Letter['button']>): string {
  const href = escapeHtml(url)
  return `<p style="margin:24px 0 12px"><a href="${href}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#3451b2;color:#ffffff;font-size:16px;line-height:24px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5a6272;word-break:break-all">Or open ${href}</p>`
}

/** Plain text as HTML: a paragraph for each, with the line breaks it has. */
export const writtenHtml = (text: string): string =>
  text
    .split(/(?:\r?\n){2,}/)
    .map(part => paragraph(part.trim()).replace(/\r?\n/g, '<br>'))
    .join('\n')

/** What HTML says, for those who read e-mails as text: links keep their addresses. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<a\b[^>]*?href\s*=\s*["']([^"']*)["'][^>]*>([\s\S]*?)<\/a\s*>/gi, '$2 ($1)')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|tr|h[1-6])\s*>/gi, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, entity => PLAIN[entity] ?? entity)
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*\n\s*/g, '\n\n')
    .trim()
