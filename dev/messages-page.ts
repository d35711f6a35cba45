import type { Message, MessageFilter } from './mailbox.ts'

const STYLE = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
form { display: flex; gap: 1rem; flex-wrap: wrap; align-items: end; margin: 1rem 0 }
label { display: block } input, select, button { font: inherit; min-height: 2rem; max-width: 100% } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #ccc; vertical-align: top }
pre { white-space: pre-wrap; overflow-wrap: anywhere } iframe { width: 100%; height: 32rem; border: 1px solid #888; background: #fff }
th, td:not(:last-child) { overflow-wrap: normal }
@media (max-width: 48rem) { thead { display: none } tr { display: block; padding: .5rem 0; border-bottom: 1px solid #888 }
td { display: block; padding: 0; border: 0 } }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }`

/** The page of sent messages: newest first, with a filter by channel and address. */
export function renderMessages(messages: Message[], filter: MessageFilter): string {
  const option = (value: string, label: string) =>
    `<option value="${value}"${filter.channel === value ? ' selected' : ''}>${label}</option>`
  const rows = messages.map(
    message => `<tr><td><time datetime="${escapeHtml(message.createdAt)}">${escapeHtml(
      message.createdAt.slice(0, 19).replace('T', ' '),
    )}</time></td><td>${message.channel}</td><td>${escapeHtml(message.to)}</td>
<td><a href="/_dev/messages/${escapeHtml(message.id)}">${escapeHtml(titleOf(message))}</a></td></tr>`,
  )
  const table = `<table><caption>${messages.length} messages, newest first (UTC)</caption>
<thead><tr><th scope="col">Sent</th><th scope="col">Channel</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`
  return page(
    'Messages',
    `<p>What the local platform would have sent. Nothing leaves this machine.</p>
<form method="get" action="/_dev/" role="search">
<label>Channel <select name="channel">${option('', 'all')}${option('email', 'email')}${option('sms', 'sms')}</select></label>
<label>To <input name="to" type="search" value="${escapeHtml(filter.to ?? '')}"></label>
<button>Filter</button></form>
${messages.length > 0 ? table : '<p>No messages.</p>'}`,
  )
}

/** One message, its HTML in a frame without scripts. */
export function renderMessage(message: Message): string {
  const facts = [
    ['From', message.from],
    ['To', message.to],
    ['Sent', message.createdAt],
    ...(message.replyTo.length > 0 ? [['Reply to', message.replyTo.join(', ')]] : []),
    ...message.attachments.map(({ filename }) => ['Attachment', filename ?? 'unnamed']),
  ]
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value ?? '')}</dd>`)
  const html =
    message.html === null
      ? ''
      : `<h2>HTML</h2><iframe title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"
srcdoc="${escapeHtml(`<base target="_blank">${message.html}`)}"></iframe>`
  return page(
    titleOf(message),
    `<p><a href="/_dev/">All messages</a></p><dl>${list.join('')}</dl>
${message.text === null ? '' : `<h2>Text</h2><pre>${linkAddresses(message.text)}</pre>`}${html}`,
  )
}

/** An SMS has no subject: its first words stand for it. */
function titleOf(message: Message): string {
  return message.subject || (message.text ?? '').slice(0, 80) || '(no subject)'
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} – Almanac local platform</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`
}

function linkAddresses(text: string): string {
  return escapeHtml(text).replace(
    /https?:\/\/[^\s<>"]+/g,
    address => `<a href="${address}">${address}</a>`,
  )
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
