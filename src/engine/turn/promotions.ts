import type { Interval } from '../../core/interval.ts'
import type { Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import type { Placement } from '../schedule/placement.ts'
import type { Schedule } from '../schedule/schedule.ts'

/** The id of a booking, a session or a hold, or a series of bookings. */
export type Released = string | { readonly seriesId: string }

/** Time that a booking releases. */
export type ReleasedTime = {
  readonly booking: Pick<BookingRow, 'id' | 'eventTypeId' | 'sessionId' | 'startTime'>
  readonly hold: Interval
  /** The address whose booking ends, or all of them: they may have another one if bookings are limited. Null if it only moves. */
  readonly endsFor: string | readonly string[] | null
  /** If a session is moved or cancelled as a whole: see `given-up.ts`. */
  readonly givesUp?: {
    /** The ids of the entries for its start, which end in the same batch. */
    readonly entryIds: ReadonlySet<string>
    /** All sources of the time that is released. */
    readonly sources: readonly string[]
  }
  /** The schedule after the release. */
  readonly after: (schedule: Schedule) => Schedule
}

/** What the waitlist may need of the time that a booking holds. */
export type WaitlistDemand = {
  readonly waiting: number
  /** Other event types with a waitlist that share a resource of the booking. */
  readonly sharing: readonly { readonly id: string }[]
  readonly freed: readonly FreedRow[]
}

/** The promotions into released time, for the batch that releases it. */
export type Promotions = {
  readonly statements: readonly Statement[]
  readonly eventIds: readonly string[]
  /** Whether the batch leaves nobody to be promoted. */
  readonly isWhole: boolean
}

/** Promotions follow after the commit, in the same turn; until then the time is recorded as released. */
export const PROMOTIONS_LATER: Promotions = { statements: [], eventIds: [], isWhole: false }

/** A change that may open slots. The schedule before it shows exactly which. */
export type CapacityChange = {
  readonly source: string
  /** Null if nobody waits. */
  readonly before: Schedule | null
  /** Records released time, in the batch of the change. */
  readonly mark: Statement
}

export type Reason = {
  readonly change?: { readonly source: string; readonly before: Schedule }
  /** The released start, which entries for any start get first. */
  readonly start?: number
}

/** What the waitlist would get if it were served now. */
export type PromotionPreview = {
  readonly given: readonly { readonly row: BookingRow; readonly placement: Placement }[]
  /** Whether no time is reserved for anybody after that. */
  readonly isWhole: boolean
}
