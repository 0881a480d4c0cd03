import { type Env, urlAt } from '../../env.ts'
import { tokenFor } from '../../platform/auth/secret.ts'

/** The page on which invitees cancel, reschedule or pay. Anyone with the link can. */
export async function manageUrl(env: Env, bookingId: string): Promise<string> {
  return urlAt(env, `/bookings/${bookingId}?token=${await tokenFor(env.ENCRYPTION_KEY, bookingId)}`)
}
