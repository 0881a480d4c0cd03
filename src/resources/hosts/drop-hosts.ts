import type { Db, Statement } from '../../db/client.ts'
import { deleteHostsOfMember } from './store.ts'

/** A member who leaves hosts nothing any more; for the batch that removes them. Their bookings stay theirs. */
export function dropHostsOf(db: Db, memberId: string): Statement {
  return deleteHostsOfMember(db, memberId)
}
