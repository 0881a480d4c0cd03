import type { Verb } from '../../turn/verb.ts'
import { recordActivity } from '../activity/statements.ts'
import { findEventTypeInTenant } from '../event-types/get-event-type.ts'
import type { RemoveHost } from './commands.ts'
import { deleteHost, findHost } from './queries.ts'
import { keepHoldsOf } from './statements.ts'

/** What the host was given stays theirs and holds their time. */
export function removeHost(command: RemoveHost): Verb<readonly [], null> {
  const { tenant, eventTypeId, hostId, now } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: () => [],
    decide: async ({ db }) => {
      const eventType = await findEventTypeInTenant(db, tenant, eventTypeId)
      if (!eventType) return { refusal: { code: 'not_found', message: 'No such event type.' } }
      const row = await findHost(db, eventTypeId, hostId)
      if (!row) return { refusal: { code: 'not_found', message: 'No such host.' } }
      return {
        status: 200,
        body: null,
        statements: [
          keepHoldsOf(db, { hostId: row.id }, now),
          deleteHost(db, row.id),
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
