import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import { selectOverrides } from '../../schedule/queries.ts'
import { type Outcome, refused } from '../../turn/outcome.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import { findEventTypeInTenant } from '../event-types/get-event-type.ts'
import { changeOffer } from '../waitlist/change-offer.ts'
import type { PutAvailability } from './commands.ts'
import {
  guardEventType,
  replaceOverrides,
  replaceRules,
  selectTimezone,
  touchEventType,
} from './hours-queries.ts'
import { presentAvailabilityRules } from './present.ts'
import type { AvailabilityRules } from './schema.ts'

const NO_EVENT_TYPE = refused({ code: 'not_found', message: 'No such event type.' })

/** Runs in the event type's object, for new hours are new time for whoever waits. */
export async function putAvailability(
  workplace: Workplace,
  command: PutAvailability,
): Promise<Outcome<AvailabilityRules>> {
  const { tenant, eventTypeId, input, origin, now } = command
  const db = openDb(workplace.env, 'decide')
  if (!(await findEventTypeInTenant(db, tenant, eventTypeId))) return NO_EVENT_TYPE

  const createdAt = now
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
    await changeOffer(workplace, eventTypeId, now, (mark) =>
      commitBatch(db, [
        guardEventType(db, eventTypeId),
        ...replaceRules(db, eventTypeId, rules),
        ...(overrides ? replaceOverrides(db, eventTypeId, overrides) : []),
        touchEventType(db, eventTypeId, input.timezone, now),
        mark,
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
      ]),
    )
  } catch (error) {
    if (fenceOf(error) === 'STALE') return NO_EVENT_TYPE
    throw error
  } finally {
    workplace.memory.forget()
  }
  // What was not sent is told as it is.
  const [[zone], current] = await db.batch([
    selectTimezone(db, eventTypeId),
    selectOverrides(db, eventTypeId),
  ])
  const timezone = input.timezone ?? zone!.timezone
  return { kind: 'done', body: presentAvailabilityRules(eventTypeId, timezone, rules, overrides ?? current) }
}
