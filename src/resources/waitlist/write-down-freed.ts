import type { Db, Statement } from '../../db/client.ts'
import { insertFreedByLeaving } from './store.ts'

/** For the batch that ends a member's hosting everywhere: what needed every host may need one less. */
export function writeDownLeaving(db: Db, memberId: string): Statement {
  return insertFreedByLeaving(db, memberId)
}
