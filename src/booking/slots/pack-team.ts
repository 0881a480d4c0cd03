import { waitUntil } from 'cloudflare:workers'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { windowsAround } from '../../engine/schedule/taken/around.ts'
import { FORTNIGHT_MS, MOST_PACKED } from '../../engine/schedule/taken/read-times.ts'
import { packHolds } from '../../engine/schedule/taken/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'

/** From how many holds that were read one by one they are packed: so that of ordinary teams no booking writes a row more. */
const MANY = 1_000

/**
 * Packs what a large team holds, while nobody waits for it, if it was read one by one. Not of a team that takes part in every
 * booking, which would delete the packed rows of all of it.
 */
export function packTeam(db: Db, schedule: Schedule, unpacked: number, now: AskedMs): void {
  if (unpacked < MANY || schedule.eventType.assignmentStrategy === 'none') return
  const fortnights = JSON.stringify(fortnightsOf(schedule, now))
  waitUntil(
    db.batch([packHolds(db, schedule.eventType.id, fortnights)]).catch((error) => {
      // The next question tries again.
      console.error(JSON.stringify({ cause: 'holds could not be packed', error: String(error) }))
    }),
  )
}

/** The fortnights that a question about its range reads packed. Of those that are over, only the last one is read. */
function fortnightsOf({ eventType, hosts, range }: Schedule, now: AskedMs): number[] {
  const { near, inLimit } = windowsAround(range, eventType)
  const { after, before } = hosts.some(({ limits }) => limits !== null) ? inLimit : near
  const first = Math.floor(after / FORTNIGHT_MS)
  const fortnights = Array.from({ length: MOST_PACKED }, (_, at) => first + at)
  return fortnights.filter((one) => one * FORTNIGHT_MS < before && one >= Math.floor(now / FORTNIGHT_MS) - 1)
}
