import type { Env } from '../../env.ts'
import type { Db } from '../../platform/db/client.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { AccountClient } from '../client/account-client.ts'
import type { CalendarClient } from '../client/calendar-client.ts'
import type { Written } from './describe-event.ts'
import type { WriteRow } from './queries.ts'

/** One attempt at a write that was claimed. */
export type Attempt = {
  readonly env: Env
  readonly db: Db
  readonly write: WriteRow
  readonly connection: ConnectionRow
  /** Whether another host of the meeting has connected the same calendar, which keeps the event. */
  readonly isShared: boolean
  /** The bookings that should be in the calendar, the oldest first; empty when their event should be deleted. */
  readonly written: readonly Written[]
  readonly account: AccountClient
  /** The calendar that the event is in: its owner may have dragged it to another one of the account. */
  readonly client: CalendarClient
  readonly now: RealMs
}

/** Whether it is the bookings' own calendar. What other hosts do to their events changes no booking. */
export function isOwnCalendar({ written, connection }: Pick<Attempt, 'written' | 'connection'>): boolean {
  return written.some(({ booking }) => booking.calendarConnectionId === connection.id)
}
