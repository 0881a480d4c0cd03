import { offerFreedOf } from '../../../engine/freed-times/offer-freed.ts'
import { refuseChanged } from '../../../outbox/activity/refuse-changed.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import { laterThan } from '../../../platform/db/refusals.ts'
import type { ScheduleRow } from '../../../platform/db/schema/hours.ts'
import { changedOnly } from '../../../platform/http/changed-only.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { definedOnly } from '../../../platform/http/defined-only.ts'
import { notFound, Refused } from '../../../platform/http/errors.ts'
import type { Expected } from '../../../platform/http/if-match.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { assertMayChange } from './assert-may-change.ts'
import { byDate } from './by-date.ts'
import { presentSchedule } from './present.ts'
import { findScheduleAndUser, updateScheduleAsRead } from './queries.ts'
import type { Schedule, UpdateScheduleInput } from './schema.ts'
import { clearDefaultOf } from './statements.ts'

/** The new hours apply at once wherever the schedule is used; bookings stay. */
export async function updateSchedule(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateScheduleInput,
  expected: Expected,
): Promise<Schedule> {
  const updated = await runChange(ctx, (db) => decide(ctx, db, id, input, expected))
  const { name: _name, updated_at: _, ...hours } = input
  if (Object.keys(hours).length > 0)
    await offerFreedOf(ctx.env, openDb(ctx.env, 'decide'), ctx.caller.organizationId)
  return updated
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  id: string,
  input: UpdateScheduleInput,
  expected: Expected,
): Promise<Change<Schedule>> {
  const { caller, now } = ctx
  const found = await findScheduleAndUser(db, caller, id)
  if (!found) throw notFound('schedule')
  const { schedule: read, userId } = found
  assertMayChange(caller, userId)
  const refusal = await refuseChanged(db, caller, read, expected)
  if (refusal) throw new Refused(refusal)

  const changed = changesOf(read, input)
  if (Object.keys(changed).length === 0) return { body: presentSchedule(read), statements: [] }
  const { updated_at: _, ...fields } = input
  const changes = { ...changed, updatedAt: laterThan(read.updatedAt, now) }
  const after = { ...read, ...changes }
  const [first, ...rest] = updateScheduleAsRead(db, read, changes)
  const statements = [
    first!,
    ...(changed.isDefault ? [clearDefaultOf(db, read, now)] : []),
    ...rest,
    recordActivity(db, caller, originOf(ctx), {
      action: 'schedule.updated',
      resourceType: 'schedule',
      resourceId: id,
      changes: {
        ...definedOnly(fields),
        ...(changed.rules && { rules: after.rules.length }),
        ...(changed.overrides && { overrides: after.overrides.length }),
      },
    }),
  ]
  return { body: presentSchedule(after), statements }
}

function changesOf(read: ScheduleRow, input: UpdateScheduleInput): Partial<ScheduleRow> {
  const wanted: Partial<ScheduleRow> = definedOnly({
    name: input.name,
    timezone: input.timezone,
    rules: input.rules,
    overrides: input.overrides && byDate(input.overrides),
    isDefault: input.is_default,
  })
  return changedOnly(read, wanted)
}
