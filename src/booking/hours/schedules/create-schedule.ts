import { offerFreedOf } from '../../../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { type Db, openDb, type Statement } from '../../../platform/db/client.ts'
import { guardMember } from '../../../platform/db/guard-member.ts'
import { newId } from '../../../platform/db/ids.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import type { ScheduleRow } from '../../../platform/db/schema/hours.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { commit } from '../../../platform/http/idempotency.ts'
import { assertMayChange } from './assert-may-change.ts'
import { byDate } from './by-date.ts'
import { presentSchedule } from './present.ts'
import { findOwner, insertSchedule } from './queries.ts'
import type { CreateScheduleInput, Schedule } from './schema.ts'
import { clearDefaultOf } from './statements.ts'

/** `also` is what the same batch writes besides. */
export async function createSchedule(
  ctx: Context<TenantCaller>,
  input: CreateScheduleInput,
  also: (db: Db, id: string) => readonly Statement[] = () => [],
): Promise<Schedule> {
  const { env, caller, now } = ctx
  const memberId = input.member_id ?? null
  const db = openDb(env, 'decide')
  const owner = await findOwner(db, caller.organizationId, memberId)
  if (memberId !== null && owner.userId === null) throw notFound('member')
  assertMayChange(caller, owner.userId)
  const row: ScheduleRow = {
    id: newId(caller.organizationId),
    organizationId: caller.organizationId,
    isTest: caller.isTest,
    memberId,
    name: input.name,
    timezone: input.timezone ?? owner.timezone ?? owner.zone,
    rules: input.rules,
    overrides: byDate(input.overrides ?? []),
    isDefault: input.is_default ?? false,
    createdAt: now,
    updatedAt: now,
  }
  const created = presentSchedule(row)
  const statements = [
    ...(memberId === null ? [] : [guardMember(db, memberId)]),
    ...(row.isDefault ? [clearDefaultOf(db, row, now)] : []),
    insertSchedule(db, row),
    recordActivity(db, caller, originOf(ctx), {
      action: 'schedule.created',
      resourceType: 'schedule',
      resourceId: row.id,
      changes: {
        name: row.name,
        member_id: memberId,
        timezone: row.timezone,
        rules: row.rules.length,
        overrides: row.overrides.length,
        is_default: row.isDefault,
      },
    }),
    ...also(db, row.id),
  ]
  try {
    await commit(ctx, db, statements, { status: 201, body: created })
  } catch (error) {
    throw fenceOf(error) === 'STALE' ? notFound('member') : error
  }
  if (row.isDefault) await offerFreedOf(env, db, caller.organizationId)
  return created
}
