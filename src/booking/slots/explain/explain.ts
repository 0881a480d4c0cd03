import type { Interval } from '../../../core/interval.ts'
import { loadSchedule } from '../../../engine/schedule/load-schedule.ts'
import { refusePayment } from '../../../engine/schedule/price.ts'
import type { Reason, Told } from '../../../engine/schedule/reason-codes.ts'
import { reasonsTeller, sameForAll } from '../../../engine/schedule/reasons.ts'
import { nowIn, type Schedule } from '../../../engine/schedule/schedule.ts'
import { refuseDuration, refuseSeats } from '../../../engine/schedule/slot-request.ts'
import type { PublicCaller, TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { Context } from '../../../platform/http/context.ts'
import { notFound } from '../../../platform/http/errors.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { refuseFullMonth, refuseSuspended } from '../../bookings/decide-booking.ts'
import { served } from '../../waitlist/serve-waitlist.ts'
import { type About, seenFor } from '../find-slots-for.ts'
import { selectHoldersNear } from './queries.ts'

/** The question, whatever start it is about. */
type Wanted = {
  readonly durationMinutes: number
  readonly seats: number
  readonly now: PresentMs
  /** Whether the length is that of a booking, which needs no offer. */
  readonly isOwnLength?: boolean
  /** The caller, if a booking moves to it; left out for a new booking. */
  readonly mover?: 'key' | 'invitee' | undefined
}

/** What an explanation is made from. */
export type Known = {
  readonly before: Schedule
  /** The schedule once the waitlist got the time reserved for it. */
  readonly schedule: Schedule
  readonly wanted: Wanted
}

/** The same with the bookings and holds near the time in question. */
export type Read = Known & { readonly holders: Awaited<ReturnType<typeof selectHoldersNear>> }

type Asked = {
  readonly duration?: number | undefined
  readonly seats: number
  readonly about: About
  readonly isOwnLength: boolean
}

/**
 * Everything that explains the starts in `about`; one round trip if no time is reserved for the waitlist. Throws if the
 * caller has no such event type.
 */
export async function loadKnown(
  ctx: Context<PublicCaller | TenantCaller>,
  eventTypeId: string,
  { duration, seats, about: asked, isOwnLength }: Asked,
  range: Interval,
  about: Interval,
): Promise<Read> {
  const { env, caller, now } = ctx
  const db = openDb(env, 'decide')
  const near = selectHoldersNear(db, eventTypeId, { ...about, duration })
  const found = await loadSchedule(
    db,
    eventTypeId,
    { range, seatsAt: null, ...(asked.booking && { invitee: { besides: asked.booking.id } }) },
    now,
    near,
  )
  const {
    schedule: before,
    beside: [holders],
  } = found
  // A caller without a key asks about a booking, whose event type this must be.
  const isTheirs =
    caller.kind === 'public' ||
    (before?.eventType.organizationId === caller.organizationId && before.eventType.isTest === caller.isTest)
  if (!before || !isTheirs) throw notFound('event type')
  const durationMinutes = duration ?? before.eventType.durationMinutes
  const mover = asked.booking === null ? undefined : caller.kind === 'public' ? 'invitee' : 'key'
  const wanted = { durationMinutes, seats, now: nowIn(before, now), isOwnLength, mover } as const
  const seen = (schedule: Schedule) => seenFor(ctx, asked, schedule).schedule
  const after = await served(db, before, now)
  const known = seen(before)
  return { before: known, schedule: after === before ? known : seen(after), wanted, holders }
}

/** Why nothing can be booked at all, by the checks before a start is judged. What is booked and paid moves all the same. */
export function reasonsAtAll({ schedule, wanted }: Known): Reason[] {
  const { eventType } = schedule
  const { durationMinutes, seats, isOwnLength, mover } = wanted
  const isNew = mover === undefined
  const reasons: Reason[] = []
  if (!eventType.active && mover !== 'key') reasons.push({ code: 'inactive' })
  if (isNew && refuseSuspended(schedule)) reasons.push({ code: 'suspended' })
  if (isNew && refuseFullMonth(schedule)) reasons.push({ code: 'plan_limit' })
  if (!isOwnLength && refuseDuration(eventType, durationMinutes))
    reasons.push({ code: 'duration_not_offered' })
  if (refuseSeats(eventType, seats)) reasons.push({ code: 'session_full' })
  if (isNew && refusePayment(schedule, seats)) reasons.push({ code: 'payment_unavailable' })
  return reasons
}

/**
 * Explains starts in `range`, in ascending order. A start that would be open but goes to the waitlist is reserved; who gets
 * it is not revealed.
 */
export function explainer(known: Known, range: Interval): (start: number) => Told {
  const { before, schedule, wanted } = known
  const atAll = reasonsAtAll(known)
  // No start is judged with an invalid length.
  if (!wanted.isOwnLength && refuseDuration(schedule.eventType, wanted.durationMinutes))
    return () => sameForAll(schedule, atAll)
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

/** Each code once. A start off the grid is reported only if nothing else is wrong. */
function together(atAll: readonly Reason[], here: readonly Reason[]): readonly Reason[] {
  const all = [...atAll, ...here.filter(({ code }) => !atAll.some((one) => one.code === code))]
  return all.length > 1 ? all.filter(({ code }) => code !== 'off_grid') : all
}

const RESERVED: Reason = { code: 'owed_to_waitlist' }
