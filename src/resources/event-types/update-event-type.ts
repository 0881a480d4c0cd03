import { commitBatch, type Db, openDb, type Statement } from '../../db/client.ts'
import { fenceOf, laterThan } from '../../db/refusals.ts'
import { Refused } from '../../http/errors.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { type Outcome, refused } from '../../turn/outcome.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import { shareBookings } from '../bookings/share-bookings.ts'
import { changeOffer } from '../waitlist/change-offer.ts'
import { assertConferencing } from './assert-conferencing.ts'
import type { UpdateEventType } from './commands.ts'
import { countBookings } from './count-bookings.ts'
import { getEventTypeInTenant } from './get-event-type.ts'
import { presentEventType } from './present.ts'
import { type EventTypeRow, updateEventTypeAsRead } from './queries.ts'
import type { EventType } from './schema.ts'
import { assertCoherent, SLUG_TAKEN, toColumns, withCapPeriod } from './to-columns.ts'

/** Changes that may open slots. */
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

/** Runs in the event type's object, because it changes what can be booked. */
export async function updateEventType(
  workplace: Workplace,
  command: UpdateEventType,
): Promise<Outcome<EventType>> {
  const { id, now } = command
  const db = openDb(workplace.env, 'decide')
  const decides = Object.keys(toColumns(command.input)).some((column) => DECIDES.has(column))
  try {
    const eventType = decides
      ? await changeOffer(workplace, id, now, (mark) => retryWhenStale(() => attempt(db, command, [mark])))
      : await retryWhenStale(() => attempt(db, command, []))
    return { kind: 'done', body: eventType }
  } catch (error) {
    if (error instanceof Refused) return refused(error.refusal)
    throw error
  } finally {
    workplace.memory.forget()
  }
}

async function attempt(
  db: Db,
  { tenant, id, input, now, origin }: UpdateEventType,
  marks: readonly Statement[],
): Promise<EventType> {
  const before = await getEventTypeInTenant(db, tenant, id)
  const columns = toColumns(input)
  if (Object.keys(columns).length === 0) {
    const unchanged = await countBookings(db, [before], now)
    return presentEventType(before, unchanged.get(id) ?? 0)
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
      ...marks,
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
  return presentEventType(after, counts.get(id) ?? 0)
}
