import { offerFreedOf } from '../../../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import { laterThan } from '../../../platform/db/refusals.ts'
import { changedOnly } from '../../../platform/http/changed-only.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { definedOnly } from '../../../platform/http/defined-only.ts'
import { invalid, notFound, refuse } from '../../../platform/http/errors.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { guardAffected, listAffected } from './affected/queries.ts'
import { assertMayChange } from './assert-may-change.ts'
import { keptIn, periodOf, refuseEnd } from './period.ts'
import { presentTimeOff } from './present.ts'
import { findTimeOffAndMember, updateTimeOffAsRead } from './queries.ts'
import type { UpdatedTimeOff, UpdateTimeOffInput } from './schema.ts'
import { guardZones } from './targets/queries.ts'

export async function updateTimeOff(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateTimeOffInput,
): Promise<UpdatedTimeOff> {
  const updated = await runChange(ctx, (db) => decide(ctx, db, id, input))
  await offerFreedOf(ctx.env, openDb(ctx.env, 'decide'), ctx.caller.organizationId)
  return updated
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  id: string,
  input: UpdateTimeOffInput,
): Promise<Change<UpdatedTimeOff>> {
  const { caller, now } = ctx
  const found = await findTimeOffAndMember(db, caller, id, input.external_id ?? null)
  if (!found) throw notFound('time off')
  const { row: read, userId, zone } = found
  assertMayChange(caller, [userId])
  const before = periodOf(read)
  const period = { start: input.start ?? before.start, end: input.end ?? before.end }
  const wrongEnd = refuseEnd(period)
  if (wrongEnd !== null) throw invalid({ end: wrongEnd })
  if (found.isExternalIdTaken) {
    throw refuse('external_id_taken')
  }

  const changed = changedOnly(read, {
    ...keptIn(zone, period),
    ...definedOnly({ reason: input.reason, externalId: input.external_id }),
  })
  const after = { ...read, ...changed }
  const affected = await listAffected(db, [after])
  const updated = { ...presentTimeOff(after), affected_bookings: affected }
  if (Object.keys(changed).length === 0) return { body: updated, statements: [] }
  const statements = [
    guardZones(db, [
      { memberId: read.memberId, zone, ...(read.resourceId && { resourceId: read.resourceId }) },
    ]),
    guardAffected(db, [after], affected),
    ...updateTimeOffAsRead(db, read, { ...changed, updatedAt: laterThan(read.updatedAt, now) }),
    recordActivity(db, caller, originOf(ctx), {
      action: 'time_off.updated',
      resourceType: 'time_off',
      resourceId: id,
      changes: {
        member_id: updated.member_id,
        ...(read.resourceId && { resource_id: read.resourceId }),
        start: updated.start,
        end: updated.end,
        external_id: updated.external_id,
      },
    }),
  ]
  return { body: updated, statements }
}
