import type { Db, Query, Statement } from '../db/client.ts'
import type { BookingRow } from '../db/schema/bookings.ts'
import type { FreedRow } from '../db/schema/waitlist.ts'
import type { AskedMs } from '../limits/clock.ts'
import type { Placement } from '../schedule/placement.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Interval } from '../scheduling/interval.ts'
import type { Workplace } from './workplace.ts'

/** Time that a booking gives up. */
export type Freeing = {
  readonly booking: Pick<BookingRow, 'id' | 'eventTypeId' | 'sessionId' | 'startTime'>
  readonly hold: Interval
  /** Whose booking is over, by their address: they may have another one where these are limited. Null where it only moves. */
  readonly endsFor: string | null
  /** The schedule once the time is given up. */
  readonly after: (schedule: Schedule) => Schedule
}

/** Who may have an interest in the time that a booking holds. */
export type Interest = {
  readonly waiting: number
  /** Other event types that somebody waits for and that share what the booking holds. */
  readonly sharing: readonly { readonly id: string }[]
  readonly freed: readonly FreedRow[]
}

/** Who follows in time that is given up: what the batch that gives it up writes for them. */
export type Succession = {
  readonly statements: readonly Statement[]
  readonly eventIds: readonly string[]
  /** Whether nobody is left to be promoted after that batch. */
  readonly isWhole: boolean
}

/** They follow after the commit, in the same turn; until then the time is written down as freed. */
export const SUCCESSION_LATER: Succession = { statements: [], eventIds: [], isWhole: false }

/** A change that may open slots, with what tells its effect exactly: the schedule before it. */
export type Opening = {
  readonly source: string
  /** Null where nobody waits. */
  readonly before: Schedule | null
  /** Writes down that time was freed, for the batch of the change. */
  readonly mark: Statement
}

export type Reason = {
  readonly change?: { readonly source: string; readonly before: Schedule }
  /** The start that was given up, which an entry for any slot gets first. */
  readonly start?: number
}

/** What those who wait would get now, were they served. */
export type Foresight = {
  readonly given: readonly { readonly row: BookingRow; readonly placement: Placement }[]
  /** Whether nothing is owed to anybody after that. */
  readonly isWhole: boolean
}

/** The line of those who wait for an event type, as the turn needs it. The waitlist is one. */
export type Line = {
  /** Asked beside a booking before its time is given up. */
  readonly selectInterest: (
    db: Db,
    eventTypeId: string,
    bookingId: string,
  ) => readonly [Query<{ waiting: number }>, Query<{ id: string }>, Query<FreedRow>]
  readonly chooseSuccessors: (
    db: Db,
    interest: Interest,
    freeing: Freeing,
    now: AskedMs,
  ) => Promise<Succession>
  /** What `promote` would do with all that was freed, of which nothing is done. */
  readonly foresee: (db: Db, eventTypeId: string, now: AskedMs) => Promise<Foresight>
  readonly open: (db: Db, eventTypeId: string, now: AskedMs) => Promise<Opening>
  /** Books those who wait in time that was freed. It never fails: what it cannot do stays written down. */
  readonly promote: (
    workplace: Workplace,
    eventTypeId: string,
    now: AskedMs,
    reason?: Reason,
  ) => Promise<void>
}
