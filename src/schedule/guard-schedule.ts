import type { Db, Statement } from '../db/client.ts'
import { refuseWhenChanged } from './queries.ts'
import type { Schedule } from './schedule.ts'

/** For the batch of whatever was decided on a schedule: it is refused when that is no longer what is offered. */
export function guardSchedule(db: Db, schedule: Schedule): Statement {
  return refuseWhenChanged(db, schedule)
}
