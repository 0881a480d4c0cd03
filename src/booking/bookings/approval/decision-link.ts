import { type Env, urlAt } from '../../../env.ts'
import { isTokenFor, tokenFor } from '../../../platform/auth/secret.ts'

/** Where a member decides about a request, for the letter that tells them of it; whoever has the address may. */
export async function decisionUrl(env: Env, bookingId: string, memberId: string): Promise<string> {
  const token = await tokenFor(env.ENCRYPTION_KEY, signedOf(bookingId, memberId))
  return urlAt(env, `/requests/${bookingId}?member=${memberId}&token=${token}`)
}

/** Whether the token is of that member's link, and so neither the invitee's nor another member's. */
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
