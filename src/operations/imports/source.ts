import type { ForeignBooking } from '../../booking/bookings/imported/commands.ts'
import type { ImportSource, LeftOut } from '../../platform/db/schema/import-jobs.ts'

/** Somebody of the other service; the address may not be known. */
export type Person = { readonly email: string | null; readonly name: string }

export type FoundSchedule = {
  readonly type: 'schedule'
  readonly id: string
  readonly owner: Person
  readonly name: string
  /** Hours in one that is not known here are left out: in another one they would be other hours. */
  readonly timezone: string
  readonly isDefault: boolean
  readonly rules: readonly {
    readonly day_of_week: number
    readonly start_time: string
    readonly end_time: string
  }[]
  readonly overrides: readonly {
    readonly date: string
    readonly intervals: readonly { readonly start_time: string; readonly end_time: string }[]
  }[]
}

export type FoundEventType = {
  readonly type: 'event_type'
  readonly id: string
  readonly title: string
  /** The hosts with their schedules there. Required ones always take part, besides one of the others. */
  readonly hosts: readonly {
    readonly person: Person
    readonly scheduleId: string | null
    readonly isRequired?: boolean
  }[]
  /** Fields of `CreateEventTypeInput`, without hours and hosts; not validated yet. */
  readonly fields: Readonly<Record<string, unknown>> & { readonly slug: string }
  readonly leftOut: readonly LeftOut[]
}

/** What one seat of a meeting is here. `id` is null where the meeting is one booking. */
export type Party = { readonly id: string | null; readonly booking: ForeignBooking }

export type FoundBooking = {
  readonly type: 'booking'
  readonly id: string
  readonly what: string
  readonly eventTypeId: string
  /** Those who may be its hosts, the likeliest first. */
  readonly hosts: readonly Person[]
  /** Whether each invitee has a booking of their own. */
  readonly isShared: boolean
  /** Its invitees, which are read only if it is to be made. */
  readonly parties: () => Promise<{
    readonly parties: readonly Party[]
    readonly leftOut?: readonly LeftOut[]
  }>
}

export type Found =
  | FoundSchedule
  | FoundEventType
  | FoundBooking
  | { readonly type: 'left_out'; readonly lost: LeftOut }

/** An account of another service. */
export type Source = {
  readonly name: ImportSource
  /** Throws a `SourceError` if the secret is not good. */
  readonly check: () => Promise<void>
  /** Schedules first, then event types, then bookings. */
  readonly read: () => AsyncIterable<Found>
}

/**
 * `refused`: the secret is not good; `not_allowed`: not good for this; `missing`: there is no such thing; `later`: it accepts no
 * requests for longer than an import waits.
 */
export class SourceError extends Error {
  readonly kind: 'refused' | 'not_allowed' | 'missing' | 'unavailable' | 'later'
  readonly waitMs: number
  constructor(kind: SourceError['kind'], waitMs = 0) {
    super(kind)
    this.name = 'SourceError'
    this.kind = kind
    this.waitMs = waitMs
  }
}
