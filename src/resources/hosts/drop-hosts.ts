import type { Db, Statement } from '../../db/client.ts'
import { writeDownLeaving } from '../waitlist/write-down-freed.ts'
import { deleteHostsOfMember, keepHoldsOf, touchHostedBy } from './store.ts'

/** A member who leaves hosts nothing any more; for the batch that removes them. Their bookings stay theirs. */
export function dropHostsOf(db: Db, memberId: string, now: number): Statement[] {
  return [
    keepHoldsOf(db, { memberId }, now),
    writeDownLeaving(db, memberId),
    touchHostedBy(db, memberId),
    deleteHostsOfMember(db, memberId),
  ]
}
