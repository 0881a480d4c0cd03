import type { Verb } from '../../engine/turn/verb.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { missing } from '../../platform/http/errors.ts'
import { selectEventTypeInTenant, touchEventType } from '../event-types/statements.ts'
import type { RemoveHost } from './commands.ts'
import { deleteHost, selectHost } from './queries.ts'
import { keepHoldsOf, rememberHost } from './statements.ts'

type Asked = readonly [ReturnType<typeof selectEventTypeInTenant>, ReturnType<typeof selectHost>]

/** The host keeps their bookings and the time of these. */
export function removeHost(command: RemoveHost): Verb<Asked, null> {
  const { tenant, eventTypeId, hostId, now } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: ({ db }) =>
      [selectEventTypeInTenant(db, tenant, eventTypeId), selectHost(db, eventTypeId, hostId)] as const,
    decide: ({ db }, { rows }) => {
      const [[eventType], [row]] = rows!
      if (!eventType) return { refusal: missing('event type') }
      if (!row) return { refusal: missing('host') }
      return {
        status: 200,
        body: null,
        statements: [
          keepHoldsOf(db, { hostId: row.id }, now),
          rememberHost(db, row.id),
          deleteHost(db, row.id),
          touchEventType(db, eventTypeId, now),
          recordActivity(db, tenant, command.origin, {
            action: 'host.removed',
            resourceType: 'event_type',
            resourceId: eventTypeId,
            changes: { member_id: row.memberId },
          }),
        ],
        opens: true,
      }
    },
  }
}
