import { isUsedUp } from '../../engine/schedule/full-month.ts'
import { tooFewOf } from '../../engine/schedule/resources/room-reasons.ts'
import { needsOf } from '../../engine/schedule/resources/rooms.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import type { Reason } from './schema.ts'
import { CLOSED, monthUsedUp } from './sentences.ts'
import type { BookableFacts } from './statements.ts'

/** Whether anything of an event type can be booked at all at the moment. */
export type Bookable = { ok: boolean; reasons: Reason[] }

export function bookableOf(facts: BookableFacts): Bookable {
  const reasons = [...reasonsIn(facts)]
  return { ok: reasons.length === 0, reasons }
}

function* reasonsIn(facts: BookableFacts): Generator<Reason> {
  if (facts.is_inactive) yield { code: 'inactive', message: CLOSED.inactive }
  if (facts.is_suspended) yield { code: 'suspended', message: CLOSED.suspended }
  if (!facts.is_test && isUsedUp(facts.tier, facts.bookings_this_month)) {
    yield { code: 'plan_limit', message: monthUsedUp(PLANS[facts.tier]) }
  }
  if (facts.is_unpayable) yield { code: 'payment_unavailable', message: CLOSED.unpayable }
  if (facts.has_no_hosts) yield { code: 'no_hosts', message: CLOSED.noHosts }
  if (facts.has_no_hours) yield { code: 'no_hours', message: CLOSED.noHours }
  for (const resource_id of missingResources(facts)) {
    yield { code: 'no_resources', message: CLOSED.noResources, resource_id }
  }
  if (facts.lost_calendar !== null) {
    const calendar_connection_id = facts.lost_calendar
    yield { code: 'calendar_lost', message: CLOSED.calendarLost, calendar_connection_id }
  }
}

function missingResources({ units }: BookableFacts): string[] {
  if (units === null) return []
  return tooFewOf(needsOf(units), new Map(Object.entries(units.quantities)))
}
