import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Turn } from '../../engine/turn/verb.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import type { AnonymousCaller } from '../anonymous-callers/anonymous-caller.ts'
import { type BookingCounts, refuseToBook } from '../anonymous-callers/book-anonymously.ts'
import { type Proof, proveAddress } from '../anonymous-callers/codes/prove-address.ts'
import type { CreateBooking } from './commands.ts'

type Loaded = {
  readonly schedule: Schedule | null
  /** Undefined if memory knew the schedule; then only the commit checks it. */
  readonly counts: BookingCounts | undefined
}

/**
 * Whether the network of a caller without a key has reached a limit, and whether the address is proven; null with a key.
 */
export async function judgeAnonymous(
  turn: Turn,
  anonymous: AnonymousCaller | null,
  { schedule, counts }: Loaded,
  { input, now: realNow }: CreateBooking,
  now: PresentMs,
): Promise<Proof | null> {
  if (!anonymous || !schedule) return null
  const overLimit = counts ? refuseToBook(schedule, anonymous, counts, now, realNow) : null
  return overLimit
    ? { refusal: overLimit, statements: [] }
    : proveAddress(turn, schedule.eventType, input, now)
}
