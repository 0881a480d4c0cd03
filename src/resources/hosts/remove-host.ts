import { commitBatch, openDb } from '../../db/client.ts'
import { type Outcome, refused } from '../../turn/outcome.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import { findEventTypeInTenant } from '../event-types/get-event-type.ts'
import { changeOffer } from '../waitlist/change-offer.ts'
import type { RemoveHost } from './commands.ts'
import { deleteHost, findHost, keepHoldsOf } from './queries.ts'

/** Runs in the event type's object. What the host was given stays theirs and holds their time. */
export async function removeHost(workplace: Workplace, command: RemoveHost): Promise<Outcome<null>> {
  const { tenant, eventTypeId, hostId, now } = command
  const db = openDb(workplace.env, 'decide')
  const eventType = await findEventTypeInTenant(db, tenant, eventTypeId)
  if (!eventType) return refused({ code: 'not_found', message: 'No such event type.' })
  const row = await findHost(db, eventTypeId, hostId)
  if (!row) return refused({ code: 'not_found', message: 'No such host.' })

  try {
    await changeOffer(workplace, eventTypeId, now, (mark) =>
      commitBatch(db, [
        keepHoldsOf(db, { hostId: row.id }, now),
        mark,
        deleteHost(db, row.id),
        recordActivity(db, tenant, command.origin, {
          action: 'host.removed',
          resourceType: 'event_type',
          resourceId: eventTypeId,
          changes: { member_id: row.memberId },
        }),
      ]),
    )
    return { kind: 'done', body: null }
  } finally {
    workplace.memory.forget()
  }
}
