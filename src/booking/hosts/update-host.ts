import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { guardNamedSchedule, selectNamedSchedules } from '../../platform/db/named-schedule.ts'
import { changedOnly } from '../../platform/http/changed-only.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { missing } from '../../platform/http/errors.ts'
import { selectEventTypeInTenant, touchEventType } from '../event-types/statements.ts'
import { assertSchedule } from './assert-schedule.ts'
import type { UpdateHost } from './commands.ts'
import { presentHost } from './present.ts'
import { changeHost, selectShownHost } from './queries.ts'
import type { Host } from './schema.ts'

type Asked = readonly [
  ReturnType<typeof selectEventTypeInTenant>,
  ReturnType<typeof selectShownHost>,
  ...ReturnType<typeof selectNamedSchedules>,
]

/** Other hours may open times for the waitlist. */
export function updateHost(command: UpdateHost): Verb<Asked, Host> {
  const { tenant, eventTypeId, hostId, input, now } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: ({ db }) => [
      selectEventTypeInTenant(db, tenant, eventTypeId),
      selectShownHost(db, eventTypeId, hostId),
      ...selectNamedSchedules(db, tenant, input.schedule_id),
    ],
    decide: (turn, state) => decide(turn, state, command),
  }
}

function decide(
  { db }: Turn,
  { rows }: State<Asked>,
  { tenant, eventTypeId, input, origin, now }: UpdateHost,
): Decided<Host> {
  const [[eventType], [before], schedules] = rows!
  if (!eventType) return { refusal: missing('event type') }
  if (!before) return { refusal: missing('host') }
  assertSchedule(input.schedule_id, schedules?.[0], before.memberId)
  const wanted = definedOnly({
    priority: input.priority,
    weight: input.weight,
    part: input.part,
    scheduleId: input.schedule_id,
  })
  const columns = changedOnly(before, wanted)
  if (Object.keys(columns).length === 0) return { unchanged: presentHost(before) }
  const after = { ...before, ...columns }
  // Lists still find the bookings that they had with others.
  const hadOthers = before.part === 'required' && after.part === 'pool' ? { manyHosts: true } : {}
  return {
    status: 200,
    body: presentHost(after),
    statements: [
      ...guardNamedSchedule(db, input.schedule_id),
      ...changeHost(db, before.id, columns),
      touchEventType(db, eventTypeId, now, hadOthers),
      recordActivity(db, tenant, origin, {
        action: 'host.updated',
        resourceType: 'event_type',
        resourceId: eventTypeId,
        changes: { member_id: before.memberId, ...input },
      }),
    ],
    opens: after.scheduleId !== before.scheduleId || after.part !== before.part,
  }
}
