import { isLimited, withinPlan } from '../../money/plan-limits/refusals.ts'
import { guardResources } from '../../money/plan-limits/statements.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { guardNamedSchedule, selectNamedSchedules } from '../../platform/db/named-schedule.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { ResourceRow } from '../../platform/db/schema/resources.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { presentResource } from './present.ts'
import { insertResource } from './queries.ts'
import type { CreateResourceInput, Resource } from './schema.ts'

export async function createResource(
  ctx: Context<TenantCaller>,
  input: CreateResourceInput,
): Promise<Resource> {
  const { env, caller, now } = ctx
  const { organizationId, isTest } = caller
  const db = openDb(env, 'decide')
  const [named] = selectNamedSchedules(db, caller, input.schedule_id)
  if (named && (await named).length === 0) throw notFound('schedule')
  const { schedule_id: scheduleId, ...fields } = input
  const row: ResourceRow = {
    id: newId(organizationId),
    organizationId,
    isTest,
    ...fields,
    scheduleId,
    createdAt: now,
    updatedAt: now,
  }
  const created = presentResource(row)
  const statements = [
    ...guardNamedSchedule(db, scheduleId),
    ...(isLimited(caller) ? [guardResources(db, row)] : []),
    insertResource(db, row),
    recordActivity(db, caller, originOf(ctx), {
      action: 'resource.created',
      resourceType: 'resource',
      resourceId: row.id,
      changes: { name: row.name, kind: row.kind, quantity: row.quantity },
    }),
  ]
  try {
    await withinPlan('resources', commit(ctx, db, statements, { status: 201, body: created }))
  } catch (error) {
    throw fenceOf(error) === 'STALE' ? notFound('schedule') : error
  }
  return created
}
