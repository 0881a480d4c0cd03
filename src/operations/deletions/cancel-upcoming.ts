import { CANCEL_BOOKING } from '../../booking/bookings/commands.ts'
import { ORGANIZATION_CLOSES } from '../../booking/bookings/organization-closes.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import type { Env } from '../../env.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { Db } from '../../platform/db/client.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { selectUpcoming, type UpcomingBooking } from './queries.ts'

const CALLED_OFF_A_PAGE = 100
const TOGETHER = 5

/**
 * Cancels all upcoming bookings like any other cancellation, with all its consequences. Returns whether none is left; the next
 * sweep does the rest.
 */
export async function cancelUpcoming(
  env: Env,
  db: Db,
  organizationId: string,
  now: RealMs,
  isOver: () => boolean,
): Promise<boolean> {
  for (;;) {
    const page = await selectUpcoming(db, organizationId, now, CALLED_OFF_A_PAGE)
    let failed = 0
    for (let at = 0; at < page.length; at += TOGETHER) {
      if (isOver()) return false
      const ended = await Promise.allSettled(
        page.slice(at, at + TOGETHER).map((booking) => cancel(env, booking, now)),
      )
      for (const end of ended) {
        if (end.status === 'fulfilled') continue
        failed += 1
        console.error(JSON.stringify({ deletion: organizationId, cause: bareError(end.reason).stack }))
      }
    }
    if (page.length < CALLED_OFF_A_PAGE || failed === page.length) return failed === 0
  }
}

async function cancel(env: Env, { id: bookingId, eventTypeId }: UpcomingBooking, now: RealMs): Promise<void> {
  const why = { reason: ORGANIZATION_CLOSES, origin: SYSTEM, claim: null, paysBack: true }
  answerOf(await askEventType(env, eventTypeId, CANCEL_BOOKING, { eventTypeId, bookingId, now, ...why }))
}
