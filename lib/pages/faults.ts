/** What programs know a fault by, `booking_conflict: …`, before it is said in words. */
const ERROR_WORD = /^[a-z]+(_[a-z]+)+: /

/** Faults whose words for programs are not for people. */
const IN_WORDS: Record<string, string> = {
  required: 'Please fill this in.',
  'must be at least 1 character long': 'Please fill this in.',
  'must have at least 1 item': 'Please choose at least one.',
  'must be chosen': 'Please choose one.',
  'must be ticked': 'Please tick this.',
  'expected an http(s) URL': 'Please enter a whole address, such as https://example.com.',
}

/** A fault in words for a person. */
export function faultText(message: string): string {
  const known = IN_WORDS[message]
  if (known) return known
  const asked = message
    .replace(ERROR_WORD, '')
    .replace(/^expected /, 'please enter ')
    .replace('startTime', 'the start')
  return /^https?\b/.test(asked)
    ? `${asked}.`
    : `${asked.charAt(0).toUpperCase()}${asked.slice(1)}.`
}

/** A name for programs as words: `businessName` is `Business name`, `availability.0.end` is `Availability`. */
export function inWords(name: string): string {
  const words = name
    .replace(/\..*$/, '')
    .replace(/[A-Z]/g, (c, at) => (at ? ` ${c.toLowerCase()}` : c))
  return words.charAt(0).toUpperCase() + words.slice(1)
}
