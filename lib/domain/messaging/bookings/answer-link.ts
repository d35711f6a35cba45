import type { Settings } from '#lib/core/context.ts'
import { readToken, signToken } from '#lib/core/tokens.ts'

/** What a token of a host's link is for. */
const PURPOSE = 'answer'

/** Which booking a token is about, and who may answer. */
interface Answerer {
  uid: string
  userId: number
}

/** Who may answer which booking by a link; undefined for one that is forged or has ended. */
export async function readAnswerToken(
  { secret }: Settings,
  token: string,
  now: Date,
): Promise<Answerer | undefined> {
  const subject = await readToken(secret, PURPOSE, token, now)
  const [uid, userId] = subject?.split('.') ?? []
  return uid && userId ? { uid, userId: Number(userId) } : undefined
}

/** The page where a host confirms or declines, until the meeting would be over. */
export async function answerUrl(
  { secret, publicUrl }: Settings,
  { uid, userId }: Answerer,
  expiresAt: Date,
): Promise<string> {
  const subject = `${uid}.${userId}`
  const token = await signToken(secret, { purpose: PURPOSE, subject, expiresAt })
  return `${publicUrl}/e/${uid}/answer?token=${token}`
}
