import { DAY_MS } from '../../core/time-units.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { type Refusal, tooOften } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

/** How often an invitee can reschedule one booking in 24 hours; with a key there is no limit. */
const MOVES_A_DAY = 10

type Moved = { readonly inviteeMoves: readonly number[] | null }

/** Those of the last 24 hours, oldest first. If a sandbox clock was set back, later ones may be stored. */
function recentMoves({ inviteeMoves }: Moved, now: PresentMs): readonly number[] {
  return (inviteeMoves ?? []).filter((at) => at <= now && at > now - DAY_MS)
}

/** Why the invitee cannot reschedule the booking once more today. */
export function refuseMoreMoves(booking: Moved, { actorType }: Origin, now: PresentMs): Refusal | null {
  const recent = recentMoves(booking, now)
  if (actorType !== 'invitee' || recent.length < MOVES_A_DAY) return null
  return tooOften('reschedules_per_booking_day', recent[0]! + DAY_MS - now, { most: MOVES_A_DAY })
}

/** Reschedulings are stored in the booking's row, so that counting them reads no other row. */
export function noteMove(booking: Moved, { actorType }: Origin, now: PresentMs): { inviteeMoves?: number[] } {
  return actorType === 'invitee' ? { inviteeMoves: [...recentMoves(booking, now), now] } : {}
}
