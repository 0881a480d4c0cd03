import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { ApiAnswer } from '../oauth/api.ts'

const Refusal = z.object({
  error: z.object({ code: z.string().optional(), message: z.string().optional() }).loose(),
})

/** https://learn.microsoft.com/graph/errors: what a refusal says beside its status. */
export function refusalIn(json: unknown) {
  return Refusal.safeParse(json).data?.error ?? null
}

export const MAYBE_GONE = [400, 404, 410]

/**
 * Whether what an id names is no longer there: an id that cannot be one names nothing either. A mailbox that is not there
 * is no such answer, and throws.
 */
export function isGone({ status, json }: ApiAnswer): boolean {
  if (status < 400) return false
  const code = refusalIn(json)?.code ?? ''
  if (/^mailbox/i.test(code)) throw noMailbox()
  if (status === 400 && code !== 'ErrorInvalidIdMalformed') {
    throw new CalendarError('unusable', `Microsoft 365 refused the request (status ${status}).`)
  }
  return true
}

/** An account of an organization may have its mailbox in a house of its own, or none. */
export function noMailbox(): CalendarError {
  return new CalendarError('absent', 'This Microsoft account has no mailbox in the cloud, so no calendar.')
}
