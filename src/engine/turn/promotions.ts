import type { Interval } from '../../core/interval.ts'
import type { Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import type { Placement } from '../schedule/placement.ts'
import type { Schedule } from '../schedule/schedule.ts'

/** Time that a booking gives up. */
export type ReleasedTime = {
  readonly booking: Pick<BookingRow, 'id' | 'eventTypeId' | 'sessionId' | 'startTime'>
  readonly hold: Interval
  /** Whose booking is over, by their address: they may have another one where these are limited. Null where it only moves. */
  readonly endsFor: string | null
  /** The schedule once the time is given up. */
  readonly after: (schedule: Schedule) => Schedule
}

/** What the waitlist may need of the time that a booking holds. */
export type WaitlistDemand = {
  readonly waiting: number
  /** Other event types that somebody waits for and that share what the booking holds. */
  readonly sharing: readonly { readonly id: string }[]
  readonly freed: readonly FreedRow[]
}

/** Who follows in time that is given up: what the batch that gives it up writes for them. */
export type Promotions = {
  readonly statements: readonly Statement[]
  readonly eventIds: readonly string[]
  /** Whether nobody is left to be promoted after that batch. */
  readonly isWhole: boolean
}

/** They follow after the commit, in the same turn; until then the time is written down as freed. */
export const PROMOTIONS_LATER: Promotions = { statements: [], eventIds: [], isWhole: false }

/** A change that may open slots, with what tells its effect exactly: the schedule before it. */
export type CapacityChange = {
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
export type PromotionPreview = {
  readonly given: readonly { readonly row: BookingRow; readonly placement: Placement }[]
  /** Whether nothing is owed to anybody after that. */
  readonly isWhole: boolean
}
