import type { Interval } from '../../core/interval.ts'
import type { ZoneTable } from '../../core/local-time.ts'
import type { OpenHours } from '../../core/open-hours.ts'
import type { Candidate } from '../../core/rotation.ts'
import type { holds, sessions } from '../../platform/db/schema/bookings.ts'
import type { eventTypes } from '../../platform/db/schema/event-types.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import { type AskedMs, nowAsSeen, type PresentMs, type RealMs } from '../../platform/limits/clock.ts'
import type { Tier } from '../../platform/limits/plans.ts'
import type { Calendar } from './calendar.ts'

export type EventTypeRow = typeof eventTypes.$inferSelect
export type Hold = Readonly<typeof holds.$inferSelect> & { readonly meetsAt: number }
export type Session = Readonly<typeof sessions.$inferSelect>

/** When a member is off, with its id. */
export type TimeOff = Interval & { readonly id: string }

/** How many meetings a member takes in a day and a week of a zone, wherever they are booked; null is any number. */
export type HostLimits = {
  readonly timeZone: string
  readonly perDay: number | null
  readonly perWeek: number | null
}

/** A member who hosts the event type; `id` is the member's. The free time is measured when it is asked for. */
export type Host = Omit<Candidate, 'freeMs'> & {
  readonly resourceId: string
  readonly userId: string
  readonly email: string
  /** When they work, and which schedule says so; null where none does. */
  readonly hours: OpenHours | null
  readonly scheduleId: string | null
  readonly timeOff: readonly TimeOff[]
  /** Null where they take any number. */
  readonly limits: HostLimits | null
}

/** Whose bookings to come are counted where they are limited: those of an address, or of whom one is moved for, but for that. */
export type Invitee = { readonly email: string } | { readonly besides: string }

/**
 * Which truth a schedule was made of: the event type's own part, and the part that it shares with the others of its
 * organization in the same mode. Triggers move one of them on in every commit that changes anything a schedule is
 * made of. The passing of time moves none: see `isStillTrue`.
 */
export type ScheduleVersion = { readonly own: number; readonly shared: number }

/** What decides which starts of one event type are open in `range`, as it was in one moment. */
export type Schedule = {
  readonly version: ScheduleVersion
  /** When it changes by the passing of time alone, although nothing is committed: see `isStillTrue`. */
  readonly trueUntil: RealMs
  readonly range: Interval
  readonly eventType: EventTypeRow
  readonly organization: {
    readonly tier: Tier
    /** Which hours of its people were known. */
    readonly hoursVersion: number
    readonly locale: string
    readonly suspendedAt: number | null
    readonly sandboxNow: number | null
    /** Where it is paid; null while the payment provider takes no payments for it. */
    readonly paymentAccountId: string | null
    /** Whether it has calendars in this mode, of whomever. */
    readonly hasCalendars: boolean
    /** What calls without a key may make; null is the default. */
    readonly bookingsPerNetworkHour: number | null
    readonly pendingPerNetwork: number | null
    readonly activePerEmail: number | null
    readonly waitingPerEmail: number | null
    readonly attendeesPerBooking: number | null
  }
  /** Live bookings that the plan counts in `month`, a UTC month such as `2026-03`. */
  readonly month: string
  readonly bookingsThisMonth: number
  readonly table: ZoneTable
  /** Of the event type itself, or of the schedule that stands in for them. */
  readonly hours: OpenHours
  /** In the order of priority, then age. */
  readonly hosts: readonly Host[]
  /** Of the event type itself, of its hosts and calendars, and what it keeps of hosts who left. */
  readonly holds: readonly Hold[]
  /** Of its hosts; where it has none, its owner's and the default. The oldest comes first. */
  readonly calendars: readonly Calendar[]
  readonly sessions: readonly Session[]
  /** Who sits in which session, by their addresses in lower case; only where that was asked for. */
  readonly seated: ReadonlyMap<number, ReadonlySet<string>>
  /** Bookings to come of the invitee who was asked for; 0 where they are not limited. */
  readonly inviteeBookings: number
  /** How many more count towards the cap than active bookings: holds, less those that waited for too long; 0 where there is none. */
  readonly heldCount: number
  /** The same and active bookings by start around the range; empty where no cap asks for them. */
  readonly bookedStarts: readonly { readonly start: number; readonly count: number }[]
  /** Whether something of it is over by the clock that has not been tidied yet. */
  readonly hasExpired: boolean
  /** What was given up of its time, or is over, and was not offered yet to those who wait. */
  readonly freed: readonly FreedRow[]
  /** The starts that are waited for, null for any; empty where nothing is freed. */
  readonly wanted: readonly (number | null)[]
}

/** The present on the event type's side of its organization: a sandbox may have a clock of its own. */
export function nowIn(schedule: Schedule, now: AskedMs): PresentMs {
  return nowAsSeen(schedule.eventType.isTest, schedule.organization.sandboxNow, now)
}

export function monthOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 7)
}
