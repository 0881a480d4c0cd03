import type { Db, Statement } from '../../../platform/db/client.ts'
import { insertOnce } from '../../../platform/db/prepared.ts'
import { importedFrom } from '../../../platform/db/schema/import-jobs.ts'

const insertOrigin = insertOnce(importedFrom)

/** What something was made from, for the batch that makes it. */
export function markImported(db: Db, row: typeof importedFrom.$inferSelect): Statement {
  return insertOrigin(db, row)
}
