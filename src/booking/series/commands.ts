import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { CancelledSeries, CreatedSeries, CreateSeriesInput, Series } from './schema.ts'

type Command = {
  readonly origin: Origin
  readonly claim: IdempotencyClaim | null
  readonly now: AskedMs
  readonly isDry?: boolean
  readonly eventTypeId: string
}

export type CreateSeries = Command & {
  /** The tenant that the event type must belong to; null for an anonymous caller, who may book any. */
  readonly tenant: Tenant | null
  readonly input: CreateSeriesInput
  /** Whether invitees, attendees and guests get no email about it. */
  readonly isQuiet: boolean
}

export type CancelSeries = Command & {
  readonly seriesId: string
  /** Null cancels all that have not begun. */
  readonly from: number | null
  readonly reason: string | null
  readonly isQuiet: boolean
}

export type ApproveSeries = Command & {
  readonly seriesId: string
  readonly start: number
  readonly last: number
}
export type DeclineSeries = Command & { readonly seriesId: string; readonly reason: string | null }

export const CREATE_SERIES = defineCommand<CreateSeries, Outcome<CreatedSeries>>('create_series')
export const CANCEL_SERIES = defineCommand<CancelSeries, Outcome<CancelledSeries>>('cancel_series')
export const APPROVE_SERIES = defineCommand<ApproveSeries, Outcome<Series>>('approve_series')
export const DECLINE_SERIES = defineCommand<DeclineSeries, Outcome<Series>>('decline_series')
