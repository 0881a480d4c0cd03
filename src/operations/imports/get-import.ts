import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { type ImportCalls, importName } from './import-keeper.ts'
import { presentJob } from './present.ts'
import { interruptJob, selectJob } from './queries.ts'

/** The job as it is; one that its object lost is interrupted. */
export async function getImport(
  { env, caller, now, language }: Context<TenantCaller>,
  id: string,
): Promise<ImportJob> {
  const db = openDb(env, 'decide')
  const [job] = await selectJob(db, caller.organizationId, id)
  if (!job) throw notFound('import')
  if (caller.isTest) throw refuse('import_is_live')
  if (job.status !== 'running') return presentJob(job, language)
  const object = env.IMPORTS.getByName(importName(job.organizationId, job.source)) as unknown as ImportCalls
  if (await object.isRunning(job.id)) return presentJob(job, language)
  await commitBatch(db, [interruptJob(db, job.id, now)])
  // It may have ended since it was read.
  const [after] = await selectJob(db, caller.organizationId, id)
  return presentJob(after ?? job, language)
}
