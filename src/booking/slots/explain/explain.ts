import type { Interval } from '../../../core/interval.ts'
import { loadSchedule } from '../../../engine/schedule/load-schedule.ts'
import { refusePayment } from '../../../engine/schedule/price.ts'
import { type Reason, reasonsTeller, sameForAll, type Told } from '../../../engine/schedule/reasons.ts'
import { nowIn, type Schedule } from '../../../engine/schedule/schedule.ts'
import { refuseDuration, refuseSeats } from '../../../engine/schedule/slot-request.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { Context } from '../../../platform/http/context.ts'
import { notFound } from '../../../platform/http/errors.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { refuseFullMonth, refuseSuspended } from '../../bookings/decide-booking.ts'
import { served } from '../../waitlist/serve-waitlist.ts'
import { selectHoldersNear } from './queries.ts'

/** What is asked about, whatever start it is. */
type Wanted = { readonly durationMinutes: number; readonly seats: number; readonly now: PresentMs }

/** What is known for an explanation. */
export type Known = {
  readonly before: Schedule
  /** The same once those who wait got what is owed to them. */
  readonly schedule: Schedule
  readonly wanted: Wanted
}

/** The same with who has the time near what is asked about. */
type Read = Known & { readonly holders: Awaited<ReturnType<typeof selectHoldersNear>> }

type Asked = { readonly duration?: number | undefined; readonly seats: number }

/** All that explains the starts in `about`, in one round trip where nobody is owed anything. Throws where the caller has no such event type. */
export async function loadKnown(
  { env, caller, now }: Pick<Context<TenantCaller>, 'env' | 'caller' | 'now'>,
  eventTypeId: string,
  { duration, seats }: Asked,
  range: Interval,
  about: Interval,
): Promise<Read> {
  const db = openDb(env, 'decide')
  const near = selectHoldersNear(db, eventTypeId, { ...about, duration })
  const found = await loadSchedule(db, eventTypeId, { range, seatsAt: null }, now, near)
  const {
    schedule: before,
    beside: [holders],
  } = found
  const isTheirs =
    before?.eventType.organizationId === caller.organizationId && before.eventType.isTest === caller.isTest
  if (!before || !isTheirs) throw notFound('event type')
  const durationMinutes = duration ?? before.eventType.durationMinutes
  const wanted = { durationMinutes, seats, now: nowIn(before, now) }
  return { before, schedule: await served(db, before, now), wanted, holders }
}

/** Why nothing can be booked so, whatever start it is, by what refuses a booking before its start is judged. */
export function reasonsAtAll({ schedule, wanted }: Known): Reason[] {
  const { eventType } = schedule
  const { durationMinutes, seats } = wanted
  const reasons: Reason[] = []
  if (!eventType.active) reasons.push({ code: 'inactive' })
  if (refuseSuspended(schedule)) reasons.push({ code: 'suspended' })
  if (refuseFullMonth(schedule)) reasons.push({ code: 'plan_limit' })
  if (refuseDuration(eventType, durationMinutes)) reasons.push({ code: 'duration_not_offered' })
  if (refuseSeats(eventType, seats)) reasons.push({ code: 'session_full' })
  if (refusePayment(schedule, seats)) reasons.push({ code: 'payment_unavailable' })
  return reasons
}

/**
 * Tells of one start in `range` after another, ascending, why it cannot be booked. What would be open and goes to those
 * who wait is owed to them; who has what they are about to get, nobody is told.
 */
export function explainer(known: Known, range: Interval): (start: number) => Told {
  const { before, schedule, wanted } = known
  const atAll = reasonsAtAll(known)
  // No start is judged by a length that nothing is planned for.
  if (refuseDuration(schedule.eventType, wanted.durationMinutes)) return () => sameForAll(schedule, atAll)
  const asked = { ...wanted, range }
  const explainBefore = reasonsTeller(before, asked)
  const explainNow = schedule === before ? explainBefore : reasonsTeller(schedule, asked)
  return (start) => {
    const first = explainBefore(start)
    const last = schedule === before ? first : explainNow(start)
    const reasonsOf = (one: readonly Reason[], other: readonly Reason[]) =>
      together(atAll, one.length === 0 && other.length > 0 ? [RESERVED] : one)
    return {
      reasons: reasonsOf(first.reasons, last.reasons),
      hosts: first.hosts.map(({ id, reasons }, at) => ({
        id,
        reasons: reasonsOf(reasons, last.hosts[at]!.reasons),
      })),
    }
  }
}

/** Each code of those that hold for any start once. Who is off the grid hears of it where all else is well. */
function together(atAll: readonly Reason[], here: readonly Reason[]): readonly Reason[] {
  const all = [...atAll, ...here.filter(({ code }) => !atAll.some((one) => one.code === code))]
  return all.length > 1 ? all.filter(({ code }) => code !== 'off_grid') : all
}

const RESERVED: Reason = { code: 'owed_to_waitlist' }
