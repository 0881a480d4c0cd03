import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Turn } from '../../engine/turn/verb.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import type { Stranger } from '../anonymous-callers/anonymous-caller.ts'
import { type BookingCounts, refuseToBook } from '../anonymous-callers/book-anonymously.ts'
import { type Proof, proveAddress } from '../anonymous-callers/codes/prove-address.ts'
import type { CreateBooking } from './commands.ts'

type Loaded = {
  readonly schedule: Schedule | null
  /** Not read where memory knew the schedule; then only the commit checks it. */
  readonly counts: BookingCounts | undefined
}

/** Whether the network of a caller without a key has reached a limit, and whether the address is proven; null for a key. */
export async function judgeStranger(
  turn: Turn,
  stranger: Stranger | null,
  { schedule, counts }: Loaded,
  { input, now: realNow }: CreateBooking,
  now: PresentMs,
): Promise<Proof | null> {
  if (!stranger || !schedule) return null
  const beyond = counts ? refuseToBook(schedule, stranger, counts, now, realNow) : null
  return beyond ? { refusal: beyond, statements: [] } : proveAddress(turn, schedule.eventType, input, now)
}
