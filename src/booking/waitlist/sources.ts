import type { BookingRow } from '../../platform/db/schema/bookings.ts'

/** What frees its time: the booking, its session, and that its host or invitee can have one more. */
export function sourcesOf({ id, sessionId }: Pick<BookingRow, 'id' | 'sessionId'>): string[] {
  const holder = sessionId ?? id
  return [...new Set([id, holder, `limit/${holder}`])]
}
