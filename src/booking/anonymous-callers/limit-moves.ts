import { DAY_MS } from '../../core/time-units.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { brake } from './over-limit.ts'

/** How often an invitee may move one booking in 24 hours; a key has no such limit. */
const MOVES_A_DAY = 10

type Moved = { readonly inviteeMoves: readonly number[] | null }

/** Of the last 24 hours, the oldest first. A sandbox clock that was set back leaves later ones behind. */
function recentMoves({ inviteeMoves }: Moved, now: PresentMs): readonly number[] {
  return (inviteeMoves ?? []).filter((at) => at <= now && at > now - DAY_MS)
}

/** Why the invitee may not move the booking once more today. */
export function refuseMoreMoves(booking: Moved, { actorType }: Origin, now: PresentMs): Refusal | null {
  const recent = recentMoves(booking, now)
  if (actorType !== 'invitee' || recent.length < MOVES_A_DAY) return null
  const message = `Without a key, a booking may be moved ${MOVES_A_DAY} times in 24 hours.`
  return brake('reschedules_per_booking_day', message, recent[0]! + DAY_MS - now)
}

/** What the booking's row stores about moves, so that counting needs no other row. */
export function noteMove(booking: Moved, { actorType }: Origin, now: PresentMs): { inviteeMoves?: number[] } {
  return actorType === 'invitee' ? { inviteeMoves: [...recentMoves(booking, now), now] } : {}
}
