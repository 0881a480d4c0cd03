import type { Db, Statement } from '../../db/client.ts'
import { deleteTestAccount } from './store.ts'

/** For the batch that empties the sandbox. */
export function dropTestAccounts(db: Db, organizationId: string): Statement {
  return deleteTestAccount(db, organizationId)
}
