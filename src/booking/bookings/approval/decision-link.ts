import { type Env, urlAt } from '../../../env.ts'
import { isTokenFor, tokenFor } from '../../../platform/auth/secret.ts'

/** The page on which a member decides about a request, for the email about it. Anyone with the link can decide. */
export async function decisionUrl(env: Env, bookingId: string, memberId: string): Promise<string> {
  const token = await tokenFor(env.ENCRYPTION_KEY, signedOf(bookingId, memberId))
  return urlAt(env, `/requests/${bookingId}?member=${memberId}&token=${token}`)
}

/** Whether the token is that of this member's link, and neither the invitee's nor another member's. */
export function isDecisionToken(
  env: Env,
  bookingId: string,
  memberId: string,
  token: string,
): Promise<boolean> {
  return isTokenFor(env.ENCRYPTION_KEY, signedOf(bookingId, memberId), token)
}

function signedOf(bookingId: string, memberId: string): string {
  return `decides/${bookingId}/${memberId}`
}
