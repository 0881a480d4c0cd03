import type { Interval } from '../../core/interval.ts'
import type { ZoneTable } from '../../core/local-time.ts'
import type { OpenHours } from '../../core/open-hours.ts'
import type { Candidate } from '../../core/rotation.ts'
import type { sessions } from '../../platform/db/schema/bookings.ts'
import type { eventTypes } from '../../platform/db/schema/event-types.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import { type AskedMs, nowAsSeen, type PresentMs, type RealMs } from '../../platform/limits/clock.ts'
import type { Tier } from '../../platform/limits/plans.ts'
import type { Calendar } from './calendar.ts'

export type EventTypeRow = typeof eventTypes.$inferSelect
/** Time that is taken of a resource. */
export type Hold = Interval & {
  readonly resourceId: string
  /** The tag of its holder: see `tagOf`. */
  readonly holder: string
  /** The event type that keeps it of a host who left; empty where the resource itself is held. */
  readonly keptBy: string
  readonly meetsAt: number
  readonly expiresAt: number | null
}
export type Holds = ReadonlyMap<string, readonly Hold[]>
export type Session = Readonly<typeof sessions.$inferSelect>

/** The span in which a member is off, with its id. */
export type TimeOff = Interval & { readonly id: string }

/** How many meetings a member takes per day and week of a zone, wherever they are booked; null is unlimited. */
export type HostLimits = {
  readonly timeZone: string
  readonly perDay: number | null
  readonly perWeek: number | null
}

/** A member who hosts the event type; `id` is the member's. Their free time is calculated when it is needed. */
export type Host = Omit<Candidate, 'freeMs' | 'nearBookings'> & {
  readonly resourceId: string
  /** Whether they always take part, or are one to choose from; `chosen` is one of these who was asked for by name. */
  readonly part: 'pool' | 'required' | 'chosen'
  readonly userId: string
  readonly email: string
  readonly name: string | null
  /** Their hours and the schedule of these; null if they have none. */
  readonly hours: OpenHours | null
  readonly scheduleId: string | null
  readonly timeOff: readonly TimeOff[]
  /** Null if they have no limits. */
  readonly limits: HostLimits | null
}

/** A room, or equipment, that an event type may need units of. */
export type Room = {
  readonly id: string
  readonly name: string
  readonly quantity: number
  readonly active: boolean
  readonly scheduleId: string | null
  /** Null is always. */
  readonly hours: OpenHours | null
  readonly timeOff: readonly TimeOff[]
  /** The calendars whose events block all its units. */
  readonly feeds: readonly Calendar[]
}

/** How many active bookings of the event type a host has at a start. */
export type AssignedStart = { readonly hostId: string; readonly start: number; readonly count: number }

/** Selects the upcoming bookings to count: those of an address, or of a booking's invitee without that booking. */
export type Invitee = { readonly email: string } | { readonly besides: string }

/**
 * The version of a schedule: the event type's own part, and the part shared with the other event types of its organization
 * in the same mode. Triggers advance one of them in every commit that changes a schedule's data. The passing of time does
 * not: see `isStillTrue`.
 */
export type ScheduleVersion = { readonly own: number; readonly shared: number }

/** The version that the database has now, with the marks of those who moved its shared part: see `isCurrent`. */
export type CurrentVersion = ScheduleVersion & { readonly changes: string }

/** Everything that decides which starts of an event type are open in `range`, as of one moment. */
export type Schedule = {
  readonly version: ScheduleVersion
  /** When it changes without a commit, by the passing of time: see `isStillTrue`. */
  readonly trueUntil: RealMs
  readonly range: Interval
  readonly eventType: EventTypeRow
  readonly organization: {
    readonly tier: Tier
    /** The version of the organization's hours that were read. */
    readonly hoursVersion: number
    readonly locale: string
    /** The zone of members without their own. */
    readonly timezone: string
    readonly suspendedAt: number | null
    readonly sandboxNow: number | null
    /** The account that is paid; null while the payment provider takes no payments for it. */
    readonly paymentAccountId: string | null
    /** Whether it has calendars in this mode. */
    readonly hasCalendars: boolean
    /** The limits of calls without a key; null is the default. */
    readonly bookingsPerNetworkHour: number | null
    readonly pendingPerNetwork: number | null
    readonly activePerEmail: number | null
    readonly waitingPerEmail: number | null
    readonly attendeesPerBooking: number | null
  }
  /** Live bookings that count in `month`, a UTC month such as `2026-03`. */
  readonly month: string
  readonly bookingsThisMonth: number
  readonly table: ZoneTable
  /** The event type's own hours, or those of the schedule that replaces them. */
  readonly hours: OpenHours
  /** When everybody is off, which closes an event type without hosts; empty with hosts, who are off themselves. */
  readonly closed: readonly TimeOff[]
  /** The calendars whose events close every host and every event type. The oldest comes first. */
  readonly closing: readonly Calendar[]
  /** In the order of priority, then age. */
  readonly hosts: readonly Host[]
  /**
   * By resource: the event type itself, its hosts and calendars, and the units of rooms. The list of a resource that did not change stays the same
   * object.
   */
  readonly holds: Holds
  /** Those of hosts who left, which the event type keeps. */
  readonly kept: readonly Hold[]
  /** Those of its hosts; without hosts, its owner's and the default. The oldest comes first. */
  readonly calendars: readonly Calendar[]
  /** The rooms and equipment that it requires, in no order. */
  readonly rooms: readonly Room[]
  readonly sessions: readonly Session[]
  /** The addresses with seats in a session, in lower case, by start; only if they were requested. */
  readonly seated: ReadonlyMap<number, ReadonlySet<string>>
  /** Upcoming bookings of the requested invitee; 0 if they are not limited. */
  readonly inviteeBookings: number
  /** How many more places than active bookings count toward the cap: holds, less expired bookings; 0 without a cap. */
  readonly heldCount: number
  /** The same and active bookings by start around the range; empty without a cap per period. */
  readonly bookedStarts: readonly { readonly start: number; readonly count: number }[]
  /** The active bookings of each host by start, around the range; empty unless the strategy divides by weight. */
  readonly assignedStarts: readonly AssignedStart[]
  /** Whether expired holds still exist. */
  readonly hasExpired: boolean
  /** Released or expired time that was not offered to the waitlist yet. */
  readonly freed: readonly FreedRow[]
  /** The starts with waiting entries, null for any; empty if no time was released. */
  readonly wanted: readonly (number | null)[]
}

/** The schedule whose hours an event type has instead of its own: the one that it names, or its organization's default. */
export function ownScheduleOf({ scheduleId, defaultScheduleId }: EventTypeRow): string | null {
  return scheduleId ?? (defaultScheduleId || null)
}

/** The event type's present: a sandbox may have a clock of its own. */
export function nowIn(schedule: Schedule, now: AskedMs): PresentMs {
  return nowAsSeen(schedule.eventType.isTest, schedule.organization.sandboxNow, now)
}

export function monthOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 7)
}
