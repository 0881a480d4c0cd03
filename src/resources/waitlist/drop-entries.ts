import type { Db, Statement } from '../../db/client.ts'
import { cancelWaiting } from './queries.ts'
import { deleteFreedOf } from './statements.ts'

/** Nobody waits for an event type that is deleted; for the batch that deletes it. */
export function dropEntriesOf(db: Db, eventTypeId: string, now: number): Statement[] {
  return [cancelWaiting(db, eventTypeId, now), deleteFreedOf(db, eventTypeId)]
}
