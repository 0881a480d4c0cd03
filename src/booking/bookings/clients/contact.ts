import type { Env } from '../../../env.ts'
import { markOf, unseal } from '../../../platform/auth/secret.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'

/** How a client is found: by an address as it is kept, or by the mark of a phone number, which has no `@`. */
export function addressOf(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}

export function phoneMarkOf({ ENCRYPTION_KEY }: Env, phone: string): Promise<string> {
  return markOf(ENCRYPTION_KEY, `phone/${phone}`)
}

/** What a path names. */
export async function contactOf(env: Env, named: string): Promise<string> {
  return named.includes('@') ? addressOf(named) : phoneMarkOf(env, named)
}

type Invited = Pick<BookingRow, 'inviteeEmail' | 'inviteePhone'>

/** The client of a booking, and the mark of their number. An erased booking has no client. */
export async function clientOf(env: Env, { inviteeEmail, inviteePhone }: Invited) {
  const phone = inviteePhone === null ? null : await unseal(env.ENCRYPTION_KEY, inviteePhone)
  const phoneMark = phone === null ? null : await phoneMarkOf(env, phone)
  return { contact: inviteeEmail === '' ? phoneMark : addressOf(inviteeEmail), phoneMark }
}
