import type { Settings } from '#lib/core/context.ts'
import { readToken, signToken } from '#lib/core/tokens.ts'

/** What a link of a workflow's message is for: to rate a meeting, or to say who did not come, or that the host did not. */
export type LinkPurpose = 'rate' | 'no-show' | 'host-no-show'

/** How long after the end such links work. */
const LINKS_MS = 60 * 86_400_000

/** A page of an event booking that opens to whom it was sent. */
export async function workflowUrl(
  { secret, publicUrl }: Settings,
  purpose: LinkPurpose,
  { uid, endTime }: { uid: string; endTime: string },
): Promise<string> {
  const expiresAt = new Date(Date.parse(endTime) + LINKS_MS)
  const token = await signToken(secret, { purpose, subject: uid, expiresAt })
  return `${publicUrl}/e/${uid}/${purpose}?token=${token}`
}

/** The booking that a link opens; undefined when it is forged or has ended. */
export const readWorkflowLink = (
  { secret }: Settings,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<string | undefined> => readToken(secret, purpose, token, now)
