import type { Verb } from '../../../engine/turn/verb.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import { newId } from '../../../platform/db/ids.ts'
import type { RuleRow } from '../../../platform/db/schema/event-types.ts'
import { missing } from '../../../platform/http/errors.ts'
import { selectEventTypeInTenant, takeOwnHours } from '../../event-types/statements.ts'
import type { PutAvailability } from './commands.ts'
import { presentAvailabilityRules } from './present.ts'
import { guardEventType, replaceOverrides, replaceRules, selectOverrides } from './queries.ts'
import type { AvailabilityRules } from './schema.ts'

type Asked = readonly [ReturnType<typeof selectEventTypeInTenant>, ReturnType<typeof selectOverrides>]

/** New hours may open times for the waitlist. What is not sent stays. */
export function putAvailability(command: PutAvailability): Verb<Asked, AvailabilityRules> {
  const { tenant, eventTypeId, input, origin, now } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: ({ db }) =>
      [selectEventTypeInTenant(db, tenant, eventTypeId), selectOverrides(db, eventTypeId)] as const,
    refusesOn: { STALE: missing('event type') },
    decide: ({ db }, { rows }) => {
      const [[eventType], known] = rows!
      if (!eventType) return { refusal: missing('event type') }
      const { rules, overrides } = rowsOf(command)
      const timezone = input.timezone ?? eventType.timezone
      return {
        status: 200,
        body: presentAvailabilityRules(eventTypeId, timezone, rules, overrides ?? known),
        statements: [
          guardEventType(db, eventTypeId),
          ...replaceRules(db, eventTypeId, rules),
          ...(overrides ? replaceOverrides(db, eventTypeId, overrides) : []),
          takeOwnHours(db, eventTypeId, input.timezone, now),
          recordActivity(db, tenant, origin, {
            action: 'availability.replaced',
            resourceType: 'event_type',
            resourceId: eventTypeId,
            changes: {
              rules: rules.length,
              ...(input.timezone && { timezone: input.timezone }),
              ...(overrides && { overrides: overrides.length }),
            },
          }),
        ],
        opens: true,
      }
    },
  }
}

function rowsOf({ eventTypeId, input, now: createdAt }: PutAvailability) {
  const rules = ruleRows(eventTypeId, input.rules, createdAt)
  const overrides = input.overrides
    ?.map(({ date, intervals }) => ({ id: newId(eventTypeId), eventTypeId, date, intervals, createdAt }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
  return { rules, overrides }
}

export function ruleRows(
  eventTypeId: string,
  rules: PutAvailability['input']['rules'],
  createdAt: number,
): RuleRow[] {
  return rules.map((rule) => ({
    id: newId(eventTypeId),
    eventTypeId,
    dayOfWeek: rule.day_of_week,
    startTime: rule.start_time,
    endTime: rule.end_time,
    createdAt,
  }))
}
