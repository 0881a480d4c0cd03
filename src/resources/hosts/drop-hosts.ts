import type { Db, Statement } from '../../db/client.ts'
import { insertFreedByLeaving } from '../waitlist/statements.ts'
import { deleteHostsOfMember, keepHoldsOf, touchHostedBy } from './queries.ts'

/** A member who leaves hosts nothing any more; for the batch that removes them. Their bookings stay theirs. */
export function dropHostsOf(db: Db, memberId: string, now: number): Statement[] {
  return [
    keepHoldsOf(db, { memberId }, now),
    insertFreedByLeaving(db, memberId),
    touchHostedBy(db, memberId),
    deleteHostsOfMember(db, memberId),
  ]
}
