import { type Decision, decideStart } from '../../engine/schedule/decide-start.ts'
import { refuseHost } from '../../engine/schedule/of-host.ts'
import { refusePayment } from '../../engine/schedule/price.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { refuseDuration, refuseSeats } from '../../engine/schedule/slot-request.ts'
import { missing, type Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { refuseCaller, refuseFullMonth, refuseUnchosen } from '../bookings/decide-booking.ts'
import type { CreateHold } from './commands.ts'

/**
 * Places a hold, or refuses it like a booking and in the same order. A hold does not count toward the monthly quota, but
 * once that is used up nobody could confirm it. `anonymous` is why a caller without a key cannot hold at all.
 */
export function decideHold(
  schedule: Schedule | null,
  { tenant, input, now }: CreateHold & { readonly now: PresentMs },
  hostsToSkip: number,
  anonymous: Refusal | null,
): Decision {
  const noEntry = refuseCaller(schedule, tenant, null)
  if (noEntry || !schedule) return { refusal: noEntry ?? missing('event type') }
  const noRoom = refuseFullMonth(schedule)
  if (noRoom) return { refusal: noRoom }
  if (anonymous) return { refusal: anonymous }
  const { eventType } = schedule
  const { seats, member_id: memberId = null } = input
  const durationMinutes = input.duration ?? eventType.durationMinutes
  const refusal =
    refuseDuration(eventType, durationMinutes) ??
    refuseHost(schedule, memberId, tenant === null) ??
    refuseUnchosen(schedule, memberId, tenant) ??
    refuseSeats(eventType, seats) ??
    refusePayment(schedule, seats)
  if (refusal) return { refusal }
  const wanted = { durationMinutes, now, emails: [], seats, mover: null, hostsToSkip, memberId }
  return decideStart(schedule, input.start_time, wanted)
}
