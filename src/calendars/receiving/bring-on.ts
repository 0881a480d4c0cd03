import type { Env } from '../../env.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { selectToBring } from './queries.ts'
import { bringUpcoming } from './statements.ts'
import { wakeWrites } from './wake-writes.ts'

type Due = Awaited<ReturnType<typeof selectToBring>>[number]

/** Brings the next bookings into calendars that began to receive, a bounded part at a time. */
export async function bringOn(env: Env, db: Db, due: readonly Due[], now: RealMs): Promise<void> {
  for (const { id, organizationId } of due) {
    await commitBatch(db, bringUpcoming(db, id, now))
    await wakeWrites(env, db, organizationId)
  }
}
