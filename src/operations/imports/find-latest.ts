import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { IMPORT_SOURCES, type ImportSource } from '../../platform/db/schema/import-jobs.ts'
import { selectLatestJob } from './queries.ts'

/** The latest import of each service, newest first. */
export async function findLatestImports(
  env: Env,
  organizationId: string,
): Promise<readonly { readonly id: string; readonly source: ImportSource }[]> {
  const db = openDb(env, 'decide')
  const [first, ...others] = IMPORT_SOURCES.map((source) => selectLatestJob(db, organizationId, source))
  const found = (await db.batch([first!, ...others])).flat()
  return found.toSorted((one, other) => other.createdAt - one.createdAt)
}
