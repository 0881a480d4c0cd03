import { offerFreedOf } from '../../../engine/freed-times/offer-freed.ts'
import { recordActivities } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import { laterThan } from '../../../platform/db/refusals.ts'
import type { TimeOffRow } from '../../../platform/db/schema/hours.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { formatDateOrInstant } from '../../../platform/http/fields.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { guardAffected, listAffected } from './affected/queries.ts'
import { assertMayChange } from './assert-may-change.ts'
import { keptIn, type Period } from './period.ts'
import { presentTimeOff } from './present.ts'
import type { CreatedTimeOff, CreateTimeOffInput } from './schema.ts'
import { putTimeOff } from './statements.ts'
import {
  findEverybody,
  guardKnown,
  guardNumber,
  guardZones,
  listResourceTargets,
  listTargets,
  type Target,
} from './targets/queries.ts'

/** Creates time off for all of these members or none. Bookings in it are listed and stay. */
export async function createTimeOff(
  ctx: Context<TenantCaller>,
  input: CreateTimeOffInput,
): Promise<CreatedTimeOff> {
  return runChange(ctx, (db) => decide(ctx, db, input))
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  input: CreateTimeOffInput,
): Promise<Change<CreatedTimeOff>> {
  const { caller } = ctx
  const externalId = input.external_id ?? null
  if (!input.member_ids) assertMayChange(caller, [null])
  const targets = await targetsOf(ctx, db, input, externalId)
  assertMayChange(
    caller,
    targets.map(({ userId }) => userId),
  )
  const rows = targets.map((target) => rowOf(ctx, input, target))
  const affected = await listAffected(db, rows)
  const created = { data: rows.map(presentTimeOff), affected_bookings: affected }
  const statements = [
    guardZones(db, targets),
    // Everybody is the last of them.
    ...(input.all ? [guardNumber(db, caller.organizationId, targets.length - 1)] : []),
    ...(externalId === null ? [] : [guardKnown(db, caller, targets, externalId)]),
    guardAffected(db, rows, affected),
    putTimeOff(db, rows),
    recordActivities(
      db,
      caller,
      originOf(ctx),
      targets.map(({ known }, at) => ({
        action: known ? 'time_off.updated' : 'time_off.created',
        resourceType: 'time_off',
        resourceId: rows[at]!.id,
        // The reason is private and not logged.
        changes: {
          member_id: created.data[at]!.member_id,
          ...(input.resource_ids && { resource_id: created.data[at]!.resource_id }),
          ...toldOf(input),
          external_id: externalId,
        },
      })),
    ),
  ]
  const isReplaced = targets.some(({ known }) => known !== null)
  return {
    status: 201,
    body: created,
    statements,
    announce: async () => isReplaced && offerFreedOf(ctx.env, db, caller.organizationId),
  }
}

/** The members or resources in the order given, or all members and everybody. */
async function targetsOf(
  { caller }: Context<TenantCaller>,
  db: Db,
  { member_ids, resource_ids }: CreateTimeOffInput,
  externalId: string | null,
): Promise<Target[]> {
  const named = member_ids ?? resource_ids
  if (!named) {
    const found = await listTargets(db, caller, null, externalId)
    return [...found, await findEverybody(db, caller, externalId)]
  }
  const wanted = [...new Set(named)]
  const list = member_ids ? listTargets : listResourceTargets
  const byId = new Map(
    (await list(db, caller, wanted, externalId)).map((target) => [target.memberId, target]),
  )
  if (byId.size < wanted.length) throw notFound(member_ids ? 'member' : 'resource')
  return wanted.map((id) => byId.get(id)!)
}

function rowOf(
  { caller, now }: Context<TenantCaller>,
  input: CreateTimeOffInput,
  { memberId, resourceId, zone, known }: Target,
): TimeOffRow {
  return {
    id: known?.id ?? newId(caller.organizationId),
    organizationId: caller.organizationId,
    isTest: caller.isTest,
    memberId,
    resourceId: resourceId ?? null,
    ...keptIn(zone, input),
    reason: input.reason ?? null,
    externalId: input.external_id ?? null,
    createdAt: known?.createdAt ?? now,
    updatedAt: known ? laterThan(known.updatedAt, now) : now,
  }
}

function toldOf({ start, end }: Period) {
  return { start: formatDateOrInstant(start), end: formatDateOrInstant(end) }
}
