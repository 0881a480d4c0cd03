import { defineCommand } from '../../../engine/turn/command.ts'
import type { Outcome } from '../../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../../platform/auth/caller.ts'
import type { Place } from '../../../platform/db/schema/event-types.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'

/** An answer by the text of its question; the options that were chosen, or what was typed. */
export type GivenAnswer = { readonly question: string; readonly answer: string }

/** A booking of another service. */
export type ForeignBooking = {
  readonly startTime: number
  readonly durationMinutes: number
  /** Whether its host has not approved it yet. */
  readonly isPending: boolean
  readonly name: string
  readonly email: string
  /** Null if it is missing or unknown. */
  readonly timezone: string | null
  readonly locale: string | null
  /** E.164. */
  readonly phone: string | null
  readonly notes: string | null
  readonly attendees: readonly { readonly name: string; readonly email: string; readonly timezone: string }[]
  readonly guests: readonly { readonly email: string; readonly name?: string }[]
  readonly answers: readonly GivenAnswer[]
  readonly place: Pick<Place, 'kind' | 'value'> | null
  readonly meetingUrl: string | null
}

export type ImportBooking = {
  readonly origin: Origin
  readonly claim: null
  readonly now: AskedMs
  readonly eventTypeId: string
  readonly tenant: Tenant
  /** The host who takes it, where the event type chooses one. */
  readonly memberId: string | null
  /** What it was there: see `imported_from`. */
  readonly source: string
  readonly booking: ForeignBooking
}

export const IMPORT_BOOKING = defineCommand<ImportBooking, Outcome<{ readonly id: string }>>('import_booking')
