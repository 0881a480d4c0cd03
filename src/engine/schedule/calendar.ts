import type { Interval } from '../../core/interval.ts'
import type { calendarConnections } from '../../platform/db/schema/calendars.ts'

/** What a decision must know of a connection. */
export const CONNECTION_FACTS = [
  'id',
  'organizationId',
  'accountId',
  'memberId',
  'calendarId',
  'timezone',
  'status',
  'canWrite',
  'checksBusy',
  'receivesBookings',
  'lostAt',
  'lastSyncAt',
] as const satisfies readonly (keyof typeof calendarConnections.$inferSelect)[]

/** A connected calendar that has a say in what can be booked, with what is known of it. */
export type Calendar = {
  readonly connection: Readonly<
    Pick<typeof calendarConnections.$inferSelect, (typeof CONNECTION_FACTS)[number]>
  >
  /** Whether it is the organization's default. */
  readonly isDefault: boolean
  /** The time that events of others block around the range; it may overlap and is in no order. */
  readonly busy: readonly Interval[]
  /** Since when that is known; null while nothing is. */
  readonly busyAsOf: number | null
}
