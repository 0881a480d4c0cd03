import { hasReservedTime } from '../../engine/schedule/claimed-starts.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { withPromotions } from '../../engine/turn/preview-promotions.ts'
import type { Db } from '../../platform/db/client.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { waitlist } from './turn-waitlist.ts'

/** The schedule for a booking: after the waitlist got the time that is reserved for it. */
export async function served(db: Db, schedule: Schedule, now: AskedMs): Promise<Schedule> {
  if (!hasReservedTime(schedule)) return schedule
  return withPromotions(schedule, await waitlist.preview(db, schedule.eventType.id, now))
}

/** The same for availability: released time is not shown before the waitlist has got it. */
export async function servedButClaimed(db: Db, schedule: Schedule, now: AskedMs): Promise<Schedule> {
  const { freed, wanted } = schedule
  return { ...(await served(db, schedule, now)), freed, wanted }
}
