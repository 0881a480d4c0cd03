import type { Interval } from '../../core/interval.ts'
import type { calendarConnections } from '../../platform/db/schema/calendars.ts'

/** The columns of a connection that decisions need. */
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
  'blocks',
  'receivesBookings',
  'lostAt',
  'lastSyncAt',
] as const satisfies readonly (keyof typeof calendarConnections.$inferSelect)[]

/** A connected calendar that bookings depend on, with its busy times. */
export type Calendar = {
  readonly connection: Readonly<
    Pick<typeof calendarConnections.$inferSelect, (typeof CONNECTION_FACTS)[number]>
  >
  /** Whether it is the organization's default. */
  readonly isDefault: boolean
  /** The busy times around the range; they may overlap and are in no order. */
  readonly busy: readonly Interval[]
  /** When they were read; null if they never were. */
  readonly busyAsOf: number | null
}
