import { commitBatch, type Db, openDb } from '../../db/client.ts'
import { fenceOf, laterThan } from '../../db/refusals.ts'
import { Refused } from '../../http/errors.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Schedule } from '../availability/schedule.ts'
import { type Outcome, refused } from '../bookings/commands.ts'
import { shareBookings } from '../bookings/share-bookings.ts'
import type { Workplace } from '../bookings/workplace.ts'
import { promoteWaiting } from '../waitlist/promote-waiting.ts'
import { assertConferencing } from './assert-conferencing.ts'
import type { UpdateEventType } from './commands.ts'
import { countBookings } from './count-bookings.ts'
import { getEventTypeInTenant } from './get-event-type.ts'
import { presentEventType } from './present.ts'
import type { EventType } from './schema.ts'
import { type EventTypeRow, updateEventTypeAsRead } from './store.ts'
import { assertCoherent, SLUG_TAKEN, toColumns, withCapPeriod } from './to-columns.ts'

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
  const { id, now } = command
  const db = openDb(workplace.env, 'decide')
  try {
    const { before, eventType, changed } = await retryWhenStale(() => attempt(db, command))
    if (changed.some((column) => DECIDES.has(column))) {
      await promoteWaiting(workplace, id, { before: asBefore(before), hold: null, start: null }, now)
    }
    return { kind: 'done', body: eventType }
  } catch (error) {
    if (error instanceof Refused) return refused(error.refusal)
    throw error
  } finally {
    workplace.memory.forget()
  }
}

type Updated = {
  readonly before: EventTypeRow
  readonly eventType: EventType
  readonly changed: readonly string[]
}

async function attempt(db: Db, { tenant, id, input, now, origin }: UpdateEventType): Promise<Updated> {
  const before = await getEventTypeInTenant(db, tenant, id)
  const columns = toColumns(input)
  const changed = Object.keys(columns)
  if (changed.length === 0) {
    const unchanged = await countBookings(db, [before], now)
    return { before, eventType: presentEventType(before, unchanged.get(id) ?? 0), changed }
  }
  const after = withCapPeriod({ ...before, ...columns, updatedAt: laterThan(before.updatedAt, now) })
  assertCoherent(after)
  await assertConferencing(db, tenant, input)

  const counts = await countBookings(db, [after], now)
  const changes = { ...columns, bookingCapPeriod: after.bookingCapPeriod }
  try {
    await commitBatch(db, [
      ...updateEventTypeAsRead(db, before, changes, now),
      ...(before.maxAttendees === 1 && after.maxAttendees > 1 ? shareBookings(db, id, now) : []),
      recordActivity(db, tenant, origin, {
        action: 'event_type.updated',
        resourceType: 'event_type',
        resourceId: id,
        changes: { ...input },
      }),
    ])
  } catch (error) {
    if (fenceOf(error) === 'SLUG_TAKEN') throw new Refused(SLUG_TAKEN)
    throw error
  }
  return { before, eventType: presentEventType(after, counts.get(id) ?? 0), changed }
}

/** The schedule with the event type as it was. */
function asBefore(before: EventTypeRow) {
  return (schedule: Schedule) => ({
    ...schedule,
    eventType: { ...before, activeBookings: schedule.eventType.activeBookings },
  })
}
