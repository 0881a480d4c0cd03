import { sql } from 'drizzle-orm'
import { LEASE_MS } from './leases.ts'
import type { EventRow } from './schema/records.ts'

/*
 * The entry in a booking's history by which the emails of an event are known is also the claim of the process that sends them:
 * it is written before they are sent, and the event is marked as handled after that. So a claim costs no row of its own. In a
 * sandbox, where emails are rows and clocks differ, it claims nothing.
 */

/** When the emails of a live event about a booking were noted last, of `events` in a statement; null if they were not. */
export const EVENT_NOTED_AT = sql.raw(`(SELECT noted.sent_at FROM booking_emails noted
  WHERE noted.booking_id = coalesce(events.previous ->> '$.series_bookings[0]', events.data ->> '$.id')
    AND noted.once_key = events.id || '/event' AND NOT events.is_test)`)

export type FoundEvent = {
  readonly event: Pick<EventRow, 'id' | 'organizationId' | 'isTest' | 'claimedUntil'>
  readonly notedAt: number | null
}

/** Until when a process sends the emails of an event; null if none ever did. */
export function claimedUntil({ event, notedAt }: FoundEvent): number | null {
  if (notedAt === null) return event.claimedUntil
  return Math.max(event.claimedUntil ?? 0, notedAt + LEASE_MS.email)
}
