import type { Env } from '../../env.ts'
import type { Db } from '../../platform/db/client.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import { selectDueOf } from './statements.ts'

/** After a commit that brought bookings into a calendar: has the first of their events written now. */
export async function wakeWrites(env: Env, db: Db, organizationId: string): Promise<void> {
  const due = await selectDueOf(db, organizationId, realNow())
  await wakeQueue(env, ...due.map((key) => ({ type: 'calendar-write', ...key }) as const))
}
