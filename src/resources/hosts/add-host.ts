import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import { keepStatements, STILL_RUNNING } from '../../http/idempotency.ts'
import { type Outcome, refused } from '../../turn/outcome.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import { findEventTypeInTenant } from '../event-types/get-event-type.ts'
import { changeOffer } from '../waitlist/change-offer.ts'
import type { AddHost } from './commands.ts'
import { presentHost } from './present.ts'
import { insertHost, selectMember } from './queries.ts'
import { resourceIdOf } from './resource-id.ts'
import type { Host } from './schema.ts'

const NO_MEMBER = refused({ code: 'not_found', message: 'No such member.' })

/** Runs in the event type's object, since whom a booking finds free depends on it. */
export async function addHost(workplace: Workplace, command: AddHost): Promise<Outcome<Host>> {
  const { env, memory } = workplace
  const { tenant, eventTypeId, input, claim, now } = command
  const db = openDb(env, 'decide')
  const eventType = await findEventTypeInTenant(db, tenant, eventTypeId)
  if (!eventType) return refused({ code: 'not_found', message: 'No such event type.' })
  const [member] = await selectMember(db, tenant, input.member_id)
  if (!member) return NO_MEMBER

  const row = {
    id: newId(),
    eventTypeId,
    memberId: member.memberId,
    resourceId: resourceIdOf(member.memberId, tenant.isTest),
    priority: input.priority,
    weight: input.weight,
    totalBookings: 0,
    lastBookingAt: null,
    lastAssignment: 0,
    createdAt: now,
  }
  const host = presentHost({ ...row, memberEmail: member.userEmail, hasCalendar: member.hasCalendar })
  try {
    const kept = await keepStatements(env, db, claim, { status: 201, body: host })
    await changeOffer(workplace, eventTypeId, now, (mark) =>
      commitBatch(db, [
        ...kept,
        ...insertHost(db, row),
        mark,
        recordActivity(db, tenant, command.origin, {
          action: 'host.added',
          resourceType: 'event_type',
          resourceId: eventTypeId,
          changes: { member_id: row.memberId, priority: row.priority, weight: row.weight },
        }),
      ]),
    )
    return { kind: 'done', body: host }
  } catch (error) {
    switch (fenceOf(error)) {
      case 'HOST_TAKEN':
        return refused({ code: 'conflict', message: 'This member already hosts the event type.' })
      case 'STALE':
        return NO_MEMBER
      case 'KEY_IN_USE':
        return refused(STILL_RUNNING)
      default:
        throw error
    }
  } finally {
    memory.forget()
  }
}
