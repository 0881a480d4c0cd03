import type { Db, Statement } from '../../db/client.ts'
import { deleteHostsOfMember, touchHostedBy } from './store.ts'

/** A member who leaves hosts nothing any more; for the batch that removes them. Their bookings stay theirs. */
export function dropHostsOf(db: Db, memberId: string): Statement[] {
  return [touchHostedBy(db, memberId), deleteHostsOfMember(db, memberId)]
}
