import { MINUTE_MS } from '../../../core/time-units.ts'
import { alternativesTo, HORIZON_MS, requestFor } from '../../../engine/schedule/decide-start.ts'
import type { Told } from '../../../engine/schedule/reason-codes.ts'
import type { PublicCaller, TenantCaller } from '../../../platform/auth/caller.ts'
import type { Context } from '../../../platform/http/context.ts'
import { formatInstant, LATEST } from '../../../platform/http/instants.ts'
import type { About } from '../find-slots-for.ts'
import { explainer, type Known, loadKnown, reasonsAtAll } from './explain.ts'
import { namesOfHolders, presentReasons } from './present.ts'
import type { StartExplanation } from './schema.ts'

type Asked = {
  readonly start: number
  readonly duration?: number | undefined
  readonly seats: number
  readonly about: About
  readonly isOwnLength: boolean
}

/** Whether a start can be booked now, and all reasons against it. Nothing is read for a start in the past. */
export async function explainStart(
  ctx: Context<PublicCaller | TenantCaller>,
  eventTypeId: string,
  asked: Asked,
): Promise<StartExplanation> {
  const { start } = asked
  const from = Math.max(start, ctx.now)
  const known = await loadKnown(
    ctx,
    eventTypeId,
    asked,
    { start: from, end: from + HORIZON_MS },
    { start, end: start + 1 },
  )
  const { told, alternatives } = tellStart(known, start)
  const names = namesOfHolders(known)
  const present = (reasons: Told['reasons']) => presentReasons(known, reasons, names)
  return {
    event_type_id: eventTypeId,
    start_time: formatInstant(start),
    // A length that is not offered may be invalid or reach into years of five digits.
    end_time: formatInstant(Math.min(start + Math.max(0, known.wanted.durationMinutes) * MINUTE_MS, LATEST)),
    bookable: told.reasons.length === 0,
    reasons: present(told.reasons),
    hosts: told.hosts.map(({ id, reasons }) => ({
      member_id: id,
      bookable: reasons.length === 0,
      reasons: present(reasons),
    })),
    alternatives: alternatives.map(formatInstant),
  }
}

/** The explanation, with the next open starts if this start is refused but bookings are possible at all. */
export function tellStart(
  known: Known,
  start: number,
): { readonly told: Told; readonly alternatives: readonly number[] } {
  const told = explainer(known, { start, end: start + 1 })(start)
  if (told.reasons.length === 0 || reasonsAtAll(known).length > 0) return { told, alternatives: [] }
  return { told, alternatives: alternativesTo(requestFor(known.schedule, start, known.wanted), start) }
}
