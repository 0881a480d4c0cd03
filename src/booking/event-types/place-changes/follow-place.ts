import type { EventTypeRow } from '../../../engine/schedule/schedule.ts'
import type { Plan } from '../../../engine/turn/verb.ts'
import { recordActivities } from '../../../outbox/activity/statements.ts'
import { recordEvents } from '../../../outbox/events/statements.ts'
import type { Db } from '../../../platform/db/client.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { OfSeries } from '../../../platform/db/schema/records.ts'
import { changedOnly } from '../../../platform/http/changed-only.ts'
import { callForSeveral } from '../../bookings/follow-ups/statements.ts'
import { givenLink } from '../../bookings/meeting-link.ts'
import { presentBooking } from '../../bookings/present.ts'
import { guardRevisions } from '../../bookings/statements.ts'
import { marksOf } from '../../series/series-marks.ts'
import { type Changed, changeBookings } from '../../sessions/statements.ts'
import type { UpdateEventType } from '../commands.ts'
import { selectWithoutPlace } from './queries.ts'

type Followed = Required<Pick<Plan<never>, 'statements' | 'messages'>>

const MEETING_MAKERS: ReadonlySet<string | null> = new Set(['video_a', 'calendar_a_meet', 'calendar_b_meet'])

/**
 * For the batch that changes where an event type takes place: its upcoming bookings take place there too, and everybody in
 * them gets an email. Those with a place, a link or an address of their own keep it, and so do those with a meeting.
 */
export async function followPlace(
  db: Db,
  before: EventTypeRow,
  after: EventTypeRow,
  command: UpdateEventType,
): Promise<Followed> {
  const { tenant, origin, now, input } = command
  const read = isMoved(before, after) ? await selectWithoutPlace(db, after, now) : []
  const following = read.filter((row) => isFrom(before, row))
  if (following.length === 0) return { statements: [], messages: [] }
  const moved = following
    .map((row) => ({ read: row, changes: changesOf(row, before, after) }))
    .filter(({ changes }) => Object.keys(changes).length > 0)
    .map((one) => ({ ...one, changes: { ...one.changes, updatedAt: now }, changed: fieldsOf(one.changes) }))
  const marks = seriesMarksOf(moved)
  const events = recordEvents(
    db,
    tenant,
    moved.map(({ read: row, changes, changed }) => ({
      kind: 'booking.updated' as const,
      data: presentBooking({ ...row, ...changes }),
      revision: row.revision + 1,
      beside: { changed },
      emailed: { is_emailed: true, left: [] },
      series: marks.get(row.id),
      isQuiet: input.notify === false,
    })),
  )
  const activities = moved.map(({ read: { id }, changed }) => ({
    action: 'booking.updated',
    resourceType: 'booking' as const,
    resourceId: id,
    changes: { changed },
  }))
  return {
    statements: [
      guardRevisions(db, following),
      ...changeBookings(db, moved),
      ...callForSeveral(
        db,
        following.map(({ id }) => id),
      ),
      ...(moved.length === 0 ? [] : [recordActivities(db, tenant, origin, activities)]),
      ...events.statements,
    ],
    messages: events.ids.map((eventId) => ({ type: 'event' as const, eventId })),
  }
}

/** A meeting that was made belongs to its booking, whatever makes those of later ones. */
function isMoved(before: EventTypeRow, after: EventTypeRow): boolean {
  const isOther = before.conferencingProvider !== after.conferencingProvider
  if (before.places.length > 0 || after.places.length > 0) return false
  if (isOther) return !MEETING_MAKERS.has(before.conferencingProvider)
  return before.customMeetingUrl !== after.customMeetingUrl || before.location !== after.location
}

/** Whether a booking takes place as the event type said. It may have a meeting of an earlier provider. */
function isFrom(before: EventTypeRow, { ownMeetingUrl, conferencingUrl }: BookingRow): boolean {
  const isMade = MEETING_MAKERS.has(before.conferencingProvider)
  return isMade || ownMeetingUrl !== null || conferencingUrl === givenLink(before, null)
}

function changesOf(read: BookingRow, before: EventTypeRow, after: EventTypeRow): Partial<BookingRow> {
  const keepsLink = MEETING_MAKERS.has(before.conferencingProvider) || read.ownMeetingUrl !== null
  return changedOnly(read, {
    conferencingUrl: keepsLink ? read.conferencingUrl : givenLink(after, null),
    location: read.location === before.location ? after.location : read.location,
  })
}

/** One email about the bookings of a series that the same people are in, and that take place at the same place. */
function seriesMarksOf(moved: readonly Changed[]): Map<string, OfSeries> {
  const alike = Map.groupBy(moved, ({ read, changes }) => {
    const { seriesId, status, attendees, guests, conferencingUrl, location } = { ...read, ...changes }
    const people = [...attendees, ...(guests ?? [])].map(({ email }) => email.toLowerCase())
    return JSON.stringify([seriesId, status === 'pending_approval', people, conferencingUrl, location])
  })
  const together = [...alike.values()].filter(
    ([first, ...more]) => first?.read.seriesId != null && more.length > 0,
  )
  return new Map(
    together.flatMap((rows) => {
      const marks = marksOf(rows.map(({ read }) => read))
      return rows.map(({ read }, at) => [read.id, marks[at]!] as const)
    }),
  )
}

function fieldsOf(changes: Partial<BookingRow>): string[] {
  return [
    ...('location' in changes ? ['location'] : []),
    ...('conferencingUrl' in changes ? ['conferencing_url'] : []),
  ]
}
