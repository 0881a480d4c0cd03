import type { EventTypeRow } from '../../../engine/schedule/schedule.ts'
import type { Plan } from '../../../engine/turn/verb.ts'
import { recordActivities } from '../../../outbox/activity/statements.ts'
import { recordEvents } from '../../../outbox/events/statements.ts'
import type { Origin, Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { listsToBind } from '../../../platform/db/insert-each.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { OfSeries } from '../../../platform/db/schema/records.ts'
import { changedOnly } from '../../../platform/http/changed-only.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import { callForListed } from '../../bookings/follow-ups/statements.ts'
import { givenLink } from '../../bookings/meeting-link.ts'
import { presentBooking } from '../../bookings/present.ts'
import { guardRevisions } from '../../bookings/statements.ts'
import { marksOf } from '../../series/series-marks.ts'
import { type Changed, changeBookings } from '../../sessions/statements.ts'
import { type Moving, selectToFollow, selectWithoutMeeting } from './queries.ts'

type Followed = Required<Pick<Plan<null>, 'statements' | 'messages'>>

/** Where an event type takes place, if it has no places to choose from. */
type Where = Pick<EventTypeRow, 'conferencingProvider' | 'customMeetingUrl' | 'location'>

/** The change that bookings follow: from where, by whom, and whether it emails nobody. */
export type PlaceChange = {
  readonly from: Where
  readonly tenant: Tenant
  readonly origin: Origin
  readonly isQuiet: boolean
  readonly now: AskedMs
}

const NOTHING: Followed = { statements: [], messages: [] }

const MEETING_MAKERS: ReadonlySet<string | null> = new Set(['video_a', 'calendar_a_meet', 'calendar_b_meet'])

/**
 * For the batch that changes where an event type takes place: its upcoming bookings take place there too, and everybody in
 * them gets an email. Those with a place, a link or an address of their own keep it, and so do those with a meeting. If there
 * are many, the soonest go first, and the last event of them takes the next ones along.
 */
export async function followPlace(
  db: Db,
  before: EventTypeRow,
  after: EventTypeRow,
  change: Omit<PlaceChange, 'from'>,
): Promise<Followed> {
  if (!isMoved(before, after)) return NOTHING
  const moving = movingFrom(before, after, false)
  const first = await followPart(db, after, { ...change, from: before }, moving)
  if (!MEETING_MAKERS.has(after.conferencingProvider) || moving.isMade || moving.link.from !== null)
    return first
  const unlinked = await selectWithoutMeeting(db, after, moving, change.now)
  return { ...first, statements: [...first.statements, ...callForAll(db, unlinked)] }
}

/** For the batches after that one. The event type may have moved on since: then they follow it to where it is. */
export function followOn(db: Db, now: EventTypeRow, change: PlaceChange): Promise<Followed> {
  return followPart(db, now, change, movingFrom(change.from, now, true))
}

async function followPart(
  db: Db,
  after: EventTypeRow,
  { from, tenant, origin, isQuiet, now }: PlaceChange,
  moving: Moving,
): Promise<Followed> {
  if (moving.link.from === moving.link.to && moving.location.from === moving.location.to) return NOTHING
  const read = await selectToFollow(db, after, moving, now)
  if (read.length === 0) return NOTHING
  const isRestLeft = read[0]!.upcoming > read.length
  const moved = read.map(({ booking }) => {
    const changes = changesOf(booking, moving)
    return { read: booking, changes: { ...changes, updatedAt: now }, changed: fieldsOf(changes) }
  })
  const marks = seriesMarksOf(moved)
  const events = recordEvents(
    db,
    tenant,
    moved.map(({ read: row, changes, changed }, at) => ({
      kind: 'booking.updated' as const,
      data: presentBooking({ ...row, ...changes }),
      revision: row.revision + 1,
      beside: { changed },
      emailed: { is_emailed: true, left: [] },
      series: marks.get(row.id),
      isQuiet,
      ...(isRestLeft && at === moved.length - 1 && { follows: { from: whereOf(from), by: actorOf(origin) } }),
    })),
  )
  const activities = moved.map(({ read: { id }, changed }) => ({
    action: 'booking.updated',
    resourceType: 'booking' as const,
    resourceId: id,
    changes: { changed },
  }))
  const rows = moved.map(({ read: row }) => row)
  return {
    statements: [
      guardRevisions(db, rows),
      ...changeBookings(db, moved),
      ...callForAll(db, rows),
      recordActivities(db, tenant, origin, activities),
      ...events.statements,
    ],
    messages: events.ids.map((eventId) => ({ type: 'event' as const, eventId })),
  }
}

function callForAll(db: Db, rows: readonly { readonly id: string }[]): Statement[] {
  return listsToBind(rows.map(({ id }) => id)).flatMap((list) => callForListed(db, list))
}

/** A meeting that was made belongs to its booking, whatever makes those of later ones. */
function isMoved(before: EventTypeRow, after: EventTypeRow): boolean {
  const isOther = before.conferencingProvider !== after.conferencingProvider
  if (before.places.length > 0 || after.places.length > 0) return false
  if (isOther) return !MEETING_MAKERS.has(before.conferencingProvider)
  return before.customMeetingUrl !== after.customMeetingUrl || before.location !== after.location
}

function movingFrom(from: Where, to: Where, isOnItsWay: boolean): Moving {
  return {
    link: { from: givenLink(from, null), to: givenLink(to, null) },
    location: { from: from.location, to: to.location },
    isMade: MEETING_MAKERS.has(from.conferencingProvider),
    isOnItsWay,
  }
}

function changesOf(read: BookingRow, { link, location, isMade }: Moving): Partial<BookingRow> {
  const keepsLink = isMade || read.ownMeetingUrl !== null
  return changedOnly(read, {
    conferencingUrl: keepsLink ? read.conferencingUrl : link.to,
    location: read.location === location.from ? location.to : read.location,
  })
}

function whereOf({ conferencingProvider, customMeetingUrl, location }: Where): Where {
  return { conferencingProvider, customMeetingUrl, location }
}

/** Events do not keep the caller’s network address. */
function actorOf({ actorType, actorId, requestId }: Origin) {
  return { actorType, actorId, requestId }
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
