import { resourceIdOf } from '../../core/resource-id.ts'
import type { Verb } from '../../engine/turn/verb.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { newId } from '../../platform/db/ids.ts'
import { guardNamedSchedule, selectNamedSchedules } from '../../platform/db/named-schedule.ts'
import { because, missing } from '../../platform/http/errors.ts'
import { spreadCredits } from '../bookings/credits/statements.ts'
import { selectEventTypeInTenant, touchEventType } from '../event-types/statements.ts'
import { assertSchedule } from './assert-schedule.ts'
import type { AddHost } from './commands.ts'
import { presentHost } from './present.ts'
import { insertHost, selectMember } from './queries.ts'
import type { Host } from './schema.ts'

type Asked = readonly [
  ReturnType<typeof selectEventTypeInTenant>,
  ReturnType<typeof selectMember>,
  ...ReturnType<typeof selectNamedSchedules>,
]

/** Another host may open times for the waitlist. */
export function addHost(command: AddHost): Verb<Asked, Host> {
  const { tenant, eventTypeId, input, claim, now } = command
  return {
    eventTypeId,
    claim,
    now,
    asks: ({ db }) => [
      selectEventTypeInTenant(db, tenant, eventTypeId),
      selectMember(db, tenant, input.member_id),
      ...selectNamedSchedules(db, tenant, input.schedule_id),
    ],
    refusesOn: { HOST_TAKEN: because('already_hosts') },
    decide: ({ db }, { rows }) => {
      const [[eventType], [member], schedules] = rows!
      if (!eventType) return { refusal: missing('event type') }
      if (!member) return { refusal: missing('member') }
      assertSchedule(input.schedule_id, schedules?.[0], member.memberId)
      const row = {
        id: newId(eventTypeId),
        eventTypeId,
        memberId: member.memberId,
        resourceId: resourceIdOf(member.memberId, tenant.isTest),
        priority: input.priority,
        weight: input.weight,
        part: input.part,
        scheduleId: input.schedule_id,
        totalBookings: 0,
        lastBookingAt: null,
        lastAssignment: 0,
        createdAt: now,
      }
      return {
        status: 201,
        body: presentHost({
          ...row,
          memberEmail: member.userEmail,
          name: member.name,
          hasCalendar: member.hasCalendar,
        }),
        statements: [
          ...guardNamedSchedule(db, row.scheduleId),
          ...(eventType.collectiveBookings > 0 ? spreadCredits(db, eventTypeId) : []),
          ...insertHost(db, row),
          touchEventType(db, eventTypeId, now),
          recordActivity(db, tenant, command.origin, {
            action: 'host.added',
            resourceType: 'event_type',
            resourceId: eventTypeId,
            changes: { member_id: row.memberId, priority: row.priority, weight: row.weight, part: row.part },
          }),
        ],
        opens: true,
      }
    },
  }
}
