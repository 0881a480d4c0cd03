import type { Db, Statement } from '../../../db/client.ts'
import { retryWritesOf } from './queries.ts'

/** For the batch that connects a calendar anew: what could not be written to it is tried again at once. */
export function retryWrites(db: Db, connectionId: string, now: number): Statement {
  return retryWritesOf(db, connectionId, now)
}
