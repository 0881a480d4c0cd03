import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { type Context, originOf } from '../../http/context.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { getEventTypeInTenant } from '../event-types/get-event-type.ts'
import { presentAvailabilityRules } from './present.ts'
import type { AvailabilityRules, PutAvailabilityInput } from './schema.ts'
import { replaceOverrides, replaceRules, selectOverrides, setTimezone } from './store.ts'

export async function putAvailability(
  ctx: Context<TenantCaller>,
  eventTypeId: string,
  input: PutAvailabilityInput,
): Promise<AvailabilityRules> {
  const db = openDb(ctx.env, 'decide')
  const eventType = await getEventTypeInTenant(db, ctx.caller, eventTypeId)

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
  const timezone = input.timezone ?? eventType.timezone

  await commitBatch(db, [
    ...replaceRules(db, eventTypeId, rules),
    ...(overrides ? replaceOverrides(db, eventTypeId, overrides) : []),
    setTimezone(db, eventTypeId, timezone, ctx.now),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'availability.replaced',
      resourceType: 'event_type',
      resourceId: eventTypeId,
      changes: { timezone, rules: rules.length, ...(overrides && { overrides: overrides.length }) },
    }),
  ])
  const current = overrides ?? (await selectOverrides(db, eventTypeId))
  return presentAvailabilityRules(eventTypeId, timezone, rules, current)
}
