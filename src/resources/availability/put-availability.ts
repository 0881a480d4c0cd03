import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { getEventTypeInTenant } from '../event-types/get-event-type.ts'
import { presentAvailabilityRules } from './present.ts'
import type { AvailabilityRules, PutAvailabilityInput } from './schema.ts'
import {
  guardEventType,
  replaceOverrides,
  replaceRules,
  selectOverrides,
  selectTimezone,
  touchEventType,
} from './store.ts'

export async function putAvailability(
  ctx: Context<TenantCaller>,
  eventTypeId: string,
  input: PutAvailabilityInput,
): Promise<AvailabilityRules> {
  const db = openDb(ctx.env, 'decide')
  await getEventTypeInTenant(db, ctx.caller, eventTypeId)

  const createdAt = ctx.now
  const rules = input.rules.map((rule) => ({
    id: newId(),
    eventTypeId,
    dayOfWeek: rule.day_of_week,
    startTime: rule.start_time,
    endTime: rule.end_time,
    createdAt,
  }))
  const overrides = input.overrides
    ?.map(({ date, intervals }) => ({ id: newId(), eventTypeId, date, intervals, createdAt }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))

  try {
    await commitBatch(db, [
      guardEventType(db, eventTypeId),
      ...replaceRules(db, eventTypeId, rules),
      ...(overrides ? replaceOverrides(db, eventTypeId, overrides) : []),
      touchEventType(db, eventTypeId, input.timezone, ctx.now),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'availability.replaced',
        resourceType: 'event_type',
        resourceId: eventTypeId,
        changes: {
          rules: rules.length,
          ...(input.timezone && { timezone: input.timezone }),
          ...(overrides && { overrides: overrides.length }),
        },
      }),
    ])
  } catch (error) {
    if (fenceOf(error) === 'STALE') throw notFound('event type')
    throw error
  }
  // What was not sent is told as it is.
  const [[zone], current] = await db.batch([
    selectTimezone(db, eventTypeId),
    selectOverrides(db, eventTypeId),
  ])
  return presentAvailabilityRules(eventTypeId, input.timezone ?? zone!.timezone, rules, overrides ?? current)
}
