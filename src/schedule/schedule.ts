import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../db/client.ts'
import { emailSpellings } from '../db/email-spellings.ts'
import { isTooBig } from '../db/passing-failure.ts'
import type { holds, sessions } from '../db/schema/bookings.ts'
import type { eventTypes } from '../db/schema/event-types.ts'
import type { FreedRow } from '../db/schema/waitlist.ts'
import { type AskedMs, nowAsSeen, type PresentMs, type RealMs } from '../limits/clock.ts'
import type { Tier } from '../limits/plans.ts'
import type { Interval } from '../scheduling/interval.ts'
import { formatDate, type ZoneTable } from '../scheduling/local-time.ts'
import type { OpenHours } from '../scheduling/open-hours.ts'
import type { Candidate } from '../scheduling/rotation.ts'
import { DAY_MS } from '../scheduling/time-units.ts'
import type { Calendar } from './calendar-times.ts'
import { decodeSchedule } from './decode-schedule.ts'
import { inPieces, putTogether } from './in-pieces.ts'
import { type RawSchedule, selectSchedule } from './queries.ts'
import type { ScheduleVersion } from './version.ts'

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
  readonly hasLapsed: boolean
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

/**
 * Zones are at most 14 hours from UTC, so a range of instants touches dates up to a day outside it in UTC; one more for
 * windows that reach over midnight, and half a week in which one strategy measures the time of hosts.
 */
const DATE_MARGIN_MS = 6 * DAY_MS

/** Nothing is asked for in more pieces than that. */
const MOST_RANGES = 64

type Wanted = {
  readonly range: Interval
  readonly seatsAt: number | null
  readonly invitee?: Invitee | undefined
  /** Whether one that was deleted is wanted too. */
  readonly isDeletedToo?: boolean | undefined
}

function queryFor(
  db: Db,
  eventTypeId: string,
  { range, seatsAt, invitee, isDeletedToo = false }: Wanted,
  now: AskedMs,
) {
  const { start, end } = range
  const dates = [formatDate(start - DATE_MARGIN_MS), formatDate(end + DATE_MARGIN_MS)] as const
  const emails = invitee && 'email' in invitee ? emailSpellings(invitee.email) : null
  const besides = invitee && 'besides' in invitee ? invitee.besides : null
  const told = [emails, besides, Number(isDeletedToo)] as const
  return selectSchedule(db, eventTypeId, now, monthOf(now), start, end, seatsAt, ...dates, ...told)
}

/**
 * Loads a schedule, and whatever is asked `beside` it, in one round trip. Null when there is no such event type.
 * Who sits in the session at `seatsAt` is loaded with it, and how many bookings to come the invitee has. Where a large team
 * has more in the range than D1 tells in one value, which is two million bytes, it takes further trips.
 */
export async function loadSchedule<Q extends BatchItem<'sqlite'>[]>(
  db: Db,
  eventTypeId: string,
  wanted: Wanted,
  now: AskedMs,
  ...beside: Q
): Promise<{ readonly schedule: Schedule | null; readonly beside: { [K in keyof Q]: Q[K]['_']['result'] } }> {
  let ranges: readonly Interval[] = [wanted.range]
  for (;;) {
    try {
      const [query, ...others] = ranges.map((range) => queryFor(db, eventTypeId, { ...wanted, range }, now))
      const asked = [...others, ...beside]
      const answers = asked.length === 0 ? [await query!] : await db.batch([query!, ...asked])
      const rest = answers.slice(ranges.length)
      const raw = putTogether((answers as RawSchedule[][]).slice(0, ranges.length).flat())
      return {
        schedule: raw ? decodeSchedule(raw, wanted, monthOf(now), now) : null,
        beside: rest as { [K in keyof Q]: Q[K]['_']['result'] },
      }
    } catch (error) {
      const smaller = ranges.flatMap(inPieces)
      if (!isTooBig(error) || smaller.length === ranges.length || smaller.length > MOST_RANGES) throw error
      ranges = smaller
    }
  }
}
