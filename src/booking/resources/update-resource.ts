import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { guardNamedSchedule, selectNamedSchedules } from '../../platform/db/named-schedule.ts'
import { laterThan } from '../../platform/db/refusals.ts'
import { changedOnly } from '../../platform/http/changed-only.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { notFound } from '../../platform/http/errors.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { presentResource } from './present.ts'
import { findResourceInTenant, updateResourceAsRead } from './queries.ts'
import type { Resource, UpdateResourceInput } from './schema.ts'

/** It applies at once wherever the resource is required; bookings stay. */
export async function updateResource(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateResourceInput,
): Promise<Resource> {
  const updated = await runChange(ctx, (db) => decide(ctx, db, id, input))
  const isOpened = input.quantity !== undefined || input.schedule_id !== undefined || input.active === true
  if (isOpened) await offerFreedOf(ctx.env, openDb(ctx.env, 'decide'), ctx.caller.organizationId)
  return updated
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  id: string,
  input: UpdateResourceInput,
): Promise<Change<Resource>> {
  const { caller, now } = ctx
  const read = await findResourceInTenant(db, caller, id)
  if (!read) throw notFound('resource')
  const [named] = selectNamedSchedules(db, caller, input.schedule_id)
  if (named && (await named).length === 0) throw notFound('schedule')
  const { schedule_id: scheduleId, ...fields } = input
  const changed = changedOnly(read, definedOnly({ ...fields, scheduleId }))
  if (Object.keys(changed).length === 0) return { body: presentResource(read), statements: [] }
  const changes = { ...changed, updatedAt: laterThan(read.updatedAt, now) }
  const statements = [
    ...guardNamedSchedule(db, scheduleId),
    ...updateResourceAsRead(db, read, changes),
    recordActivity(db, caller, originOf(ctx), {
      action: 'resource.updated',
      resourceType: 'resource',
      resourceId: id,
      changes: definedOnly({ ...input }),
    }),
  ]
  return { body: presentResource({ ...read, ...changes }), statements }
}
