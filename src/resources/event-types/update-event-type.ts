import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf, laterThan } from '../../db/refusals.ts'
import { Refused } from '../../http/errors.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Schedule } from '../availability/schedule.ts'
import { type Outcome, refused } from '../bookings/commands.ts'
import { shareBookings } from '../bookings/share-bookings.ts'
import type { Workplace } from '../bookings/workplace.ts'
import { promoteWaiting } from '../waitlist/promote-waiting.ts'
import type { UpdateEventType } from './commands.ts'
import { countBookings } from './count-bookings.ts'
import { presentEventType } from './present.ts'
import { type EventTypeRow, findEventTypeInTenant, updateEventTypeAsRead } from './store.ts'
import { assertCoherent, SLUG_TAKEN, toColumns, withCapPeriod } from './to-columns.ts'

/** How often a change is decided again because another one came in between. */
const MAX_ATTEMPTS = 20

/** What may open slots that were closed. */
const DECIDES: ReadonlySet<string> = new Set<keyof EventTypeRow>([
  'active',
  'assignmentStrategy',
  'bookingCap',
  'bookingCapPeriod',
  'bufferAfterMinutes',
  'bufferBeforeMinutes',
  'durationMinutes',
  'durationOptions',
  'maxAttendees',
  'minimumNoticeMinutes',
  'timezone',
])

/** Runs in the event type's object, for what it changes decides what can be booked. */
export async function updateEventType(workplace: Workplace, command: UpdateEventType): Promise<Outcome> {
  const { env, memory } = workplace
  const { tenant, id, input, now } = command
  const db = openDb(env, 'decide')
  const columns = toColumns(input)
  for (let attempt = 1; ; attempt++) {
    const before = await findEventTypeInTenant(db, tenant, id)
    if (!before) return refused({ code: 'not_found', message: 'No such event type.' })
    if (Object.keys(columns).length === 0) {
      const unchanged = await countBookings(db, [before], now)
      return { kind: 'done', body: presentEventType(before, unchanged.get(id) ?? 0) }
    }
    const after = withCapPeriod({ ...before, ...columns, updatedAt: laterThan(before.updatedAt, now) })
    const refusal = refuseIncoherent(after)
    if (refusal) return refused(refusal)

    const counts = await countBookings(db, [after], now)
    const eventType = presentEventType(after, counts.get(id) ?? 0)
    const changes = { ...columns, bookingCapPeriod: after.bookingCapPeriod }
    try {
      await commitBatch(db, [
        ...updateEventTypeAsRead(db, before, changes, now),
        ...(before.maxAttendees === 1 && after.maxAttendees > 1 ? shareBookings(db, id, now) : []),
        recordActivity(db, tenant, command.origin, {
          action: 'event_type.updated',
          resourceType: 'event_type',
          resourceId: id,
          changes: { ...input },
        }),
      ])
      if (Object.keys(columns).some((column) => DECIDES.has(column))) {
        await promoteWaiting(workplace, id, { before: beforeIt(before), hold: null, start: null }, now)
      }
      return { kind: 'done', body: eventType }
    } catch (error) {
      const fence = fenceOf(error)
      if (fence === 'SLUG_TAKEN') return refused(SLUG_TAKEN)
      if (fence !== 'STALE' || attempt === MAX_ATTEMPTS) throw error
    } finally {
      memory.forget()
    }
  }
}

/** The schedule with the event type as it was. */
function beforeIt(before: EventTypeRow) {
  return (schedule: Schedule) => ({
    ...schedule,
    eventType: { ...before, activeBookings: schedule.eventType.activeBookings },
  })
}

function refuseIncoherent(row: EventTypeRow) {
  try {
    assertCoherent(row)
    return null
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}
