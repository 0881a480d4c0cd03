import type { BookingRow } from '../../platform/db/schema/bookings.ts'

/** The sources of released time: the booking, its session, and one more booking allowed for its host or invitee. */
export function sourcesOf({ id, sessionId }: Pick<BookingRow, 'id' | 'sessionId'>): string[] {
  const holder = sessionId ?? id
  return [...new Set([id, holder, `limit/${holder}`])]
}
