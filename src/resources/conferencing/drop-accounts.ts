import type { Db, Statement } from '../../db/client.ts'
import { deleteTestAccount } from './queries.ts'

/** For the batch that empties the sandbox. */
export function dropTestAccounts(db: Db, organizationId: string): Statement {
  return deleteTestAccount(db, organizationId)
}
