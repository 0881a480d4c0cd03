import { type Env, urlAt } from '../../env.ts'
import { tokenFor } from '../../platform/auth/secret.ts'

/** Where whoever booked cancels, moves or pays; whoever has the address may. */
export async function manageUrl(env: Env, bookingId: string): Promise<string> {
  return urlAt(env, `/bookings/${bookingId}?token=${await tokenFor(env.ENCRYPTION_KEY, bookingId)}`)
}
