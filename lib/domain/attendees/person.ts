/**
 * Who comes to a booking, as far as they are told from others: by their e-mail address, whatever its
 * case, or by their number (E.164) where they have none. They are written to in the same way.
 */
export interface Person {
  email: string | null
  phoneNumber: string | null
}

/** A person of whom what they do not have may be left out. */
type Known = { [field in keyof Person]?: Person[field] | undefined }

/** What tells a person from others: of two that are the same person it is the same. */
export const keyOf = ({ email, phoneNumber }: Known): string =>
  email?.toLowerCase() ?? phoneNumber ?? ''

/** How somebody is called and reached, in one line. A guest is called by their address. */
export const lineOf = ({ name, email, phoneNumber }: Known & { name: string }): string =>
  [...new Set([name, email ?? phoneNumber])].filter(Boolean).join(', ')

/** Who books, by what they answered. */
export const personOf = (responses: {
  email?: string | undefined
  attendeePhoneNumber?: string | undefined
}): Person => ({
  email: responses.email ?? null,
  phoneNumber: responses.attendeePhoneNumber ?? null,
})
