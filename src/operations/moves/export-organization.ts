import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, type Db, openDb } from '../../platform/db/client.ts'
import { takeTime } from '../../platform/db/deadline.ts'
import { isMoving } from '../../platform/db/passing-failure.ts'
import { Streamed } from '../../platform/http/answer.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { isForHead } from '../../platform/http/head.ts'
import { WholeAnswer } from '../../platform/http/route.ts'
import { beginExport, continueExport, type Progress } from './export-lines.ts'

export const NDJSON = 'application/x-ndjson'

/** Everything that an organization has, read page by page while somebody takes it. */
export async function exportOrganization(ctx: Context<TenantCaller>): Promise<WholeAnswer> {
  const { organizationId, isTest } = ctx.caller
  if (isTest) throw refuse('export_is_live')
  takeTime(ctx.env)
  const db = openDb(ctx.env, 'decide')
  if (!isForHead(ctx.request)) await noteExport(ctx, db)
  const begun = await beginExport(ctx.env, db, organizationId, Date.now())
  if (!begun) throw notFound('organization')
  const encoder = new TextEncoder()
  let progress: Progress = begun.progress
  const lines = [begun.line]
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // Nobody asks again who was given nothing.
        while (lines.length === 0 && progress.position !== null) {
          const { texts, progress: next } = await continueExport(db, organizationId, progress)
          progress = next
          lines.push(...texts)
        }
        controller.enqueue(encoder.encode(`${lines.splice(0).join('\n')}\n`))
        if (progress.position === null) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return new WholeAnswer({ status: 200, body: new Streamed(stream, NDJSON) }, false)
}

/** The export is logged where writing is possible: an organization that is moving is locked. */
async function noteExport(ctx: Context<TenantCaller>, db: Db): Promise<void> {
  const { organizationId } = ctx.caller
  const change = {
    action: 'organization.exported',
    resourceType: 'organization',
    resourceId: organizationId,
  } as const
  try {
    await commitBatch(db, [recordActivity(db, { organizationId, isTest: false }, originOf(ctx), change)])
  } catch (error) {
    if (!isMoving(error)) throw error
  }
}
