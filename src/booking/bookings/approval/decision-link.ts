import { type Env, urlAt } from '../../../env.ts'
import { isTokenFor, tokenFor } from '../../../platform/auth/secret.ts'

/** What the link is about: a request, or a calendar event that was moved. */
export type Decision = 'decides' | 'places'

/** The page on which a member decides, for the email about it. Anyone with the link can decide. */
export async function decisionUrl(
  env: Env,
  bookingId: string,
  memberId: string,
  decision: Decision = 'decides',
): Promise<string> {
  const token = await tokenFor(env.ENCRYPTION_KEY, signedOf(decision, bookingId, memberId))
  const page = decision === 'places' ? '/event' : ''
  return urlAt(env, `/requests/${bookingId}${page}?member=${memberId}&token=${token}`)
}

/** Whether the token is that of this member's link, and neither the invitee's nor another member's. */
export function isDecisionToken(
  env: Env,
  bookingId: string,
  memberId: string,
  token: string,
  decision: Decision,
): Promise<boolean> {
  return isTokenFor(env.ENCRYPTION_KEY, signedOf(decision, bookingId, memberId), token)
}

function signedOf(decision: Decision, bookingId: string, memberId: string): string {
  return `${decision}/${bookingId}/${memberId}`
}
