import { leavingOut, type Seen } from '../../engine/schedule/leaving-out.ts'
import { chosenHost, ofHost, refuseHost } from '../../engine/schedule/of-host.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { PublicCaller, TenantCaller } from '../../platform/auth/caller.ts'
import { isId } from '../../platform/db/ids.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, Refused, refuse } from '../../platform/http/errors.ts'
import { authorizeChange } from '../bookings/authorize-change.ts'
import { tenantOf } from '../bookings/command-of.ts'
import type { AvailabilityQuery } from '../hours/event-type/schema.ts'
import { findSlotsToMove } from './find-open-slots.ts'
import type { Moved } from './load-slots.ts'
import type { OpenSlots } from './open-slots.ts'

type Asking = Context<PublicCaller | TenantCaller>

/** What a question is about besides the event type. */
export type About = {
  readonly booking: BookingRow | null
  readonly memberId: string | null
  /** Whether the invitee asks about a booking that has begun: then it cannot move. */
  readonly isTooLate: boolean
}

/** What is open for a booking that moves, or with one host. Nothing of it is remembered. */
export async function findSlotsFor(ctx: Context, query: AvailabilityQuery): Promise<OpenSlots> {
  const asking = ctx as Asking
  // Read at the same time as the schedule.
  const reading = readAbout(asking, query)
  const [found, { isTooLate }] = await Promise.all([
    findSlotsToMove(ctx, query, movedBy(asking, query.booking_id, reading)),
    reading,
  ])
  const { fullStarts } = found
  return isTooLate ? { ...found, starts: [], fullStarts: fullStarts && [], nextAvailable: null } : found
}

/** The booking that the caller may move, and the host who is asked for. */
export async function readAbout(
  ctx: Asking,
  query: {
    readonly booking_id?: string | undefined
    readonly token?: string | undefined
    readonly member_id?: string | undefined
  },
): Promise<About> {
  const { booking_id: id, token, member_id: memberId = null } = query
  if (id === undefined) return { booking: null, memberId, isTooLate: false }
  if (!isId(id)) throw notFound('booking')
  const { booking, now } = await authorizeChange(ctx, id, token)
  if (booking.status === 'cancelled') throw refuse('cannot_reschedule', { status: booking.status })
  const isTooLate = ctx.caller.kind === 'public' && now >= booking.startTime
  return { booking, memberId, isTooLate }
}

/** The part of the question that needs the schedule. */
export function movedBy(ctx: Asking, bookingId: string | undefined, reading: Promise<About>): Moved {
  return {
    bookingId: bookingId ?? null,
    withoutIt: async (schedule) => seenFor(ctx, await reading, schedule),
    isByKey: ctx.caller.kind !== 'public',
  }
}

/** The schedule as a move of the booking, or a booking of the host, finds it. A chosen host stays with a booking. */
export function seenFor(ctx: Asking, { booking, memberId }: About, schedule: Schedule): Seen {
  const { eventType } = schedule
  const tenant = tenantOf(ctx.caller)
  const isTheirs = tenant?.organizationId === eventType.organizationId && tenant.isTest === eventType.isTest
  if (tenant && !isTheirs) throw notFound('event type')
  if (booking && booking.eventTypeId !== eventType.id) throw refuse('other_event_type')
  const refusal = refuseHost(schedule, memberId, tenant === null)
  if (refusal) throw new Refused(refusal)
  const seen = booking ? leavingOut(booking)(schedule) : { schedule, seats: 1 }
  const hostId = memberId ?? (booking && chosenHost(schedule, booking))
  return hostId === null ? seen : { ...seen, schedule: ofHost(seen.schedule, hostId) }
}
