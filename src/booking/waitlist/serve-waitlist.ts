import { hasReservedTime } from '../../engine/schedule/claimed-starts.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { withPromotions } from '../../engine/turn/preview-promotions.ts'
import type { Db } from '../../platform/db/client.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { waitlist } from './turn-waitlist.ts'

/** The schedule by which whoever books is decided: they come after those to whom freed time is owed. */
export async function served(db: Db, schedule: Schedule, now: AskedMs): Promise<Schedule> {
  if (!hasReservedTime(schedule)) return schedule
  return withPromotions(schedule, await waitlist.preview(db, schedule.eventType.id, now))
}

/** The same for whoever asks what is open: what was freed is offered to nobody before it is handed out. */
export async function servedButClaimed(db: Db, schedule: Schedule, now: AskedMs): Promise<Schedule> {
  const { freed, wanted } = schedule
  return { ...(await served(db, schedule, now)), freed, wanted }
}
