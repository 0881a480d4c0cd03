import { meetingOf } from '../../booking/bookings/meeting-of.ts'
import { calendarPlace } from '../../booking/places/place-kinds.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { uidOf } from '../../engine/schedule/own-uids.ts'
import type { Env } from '../../env.ts'
import { sha256 } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { shardOfDigits } from '../../platform/db/shard-digit.ts'
import { inShard } from '../../platform/db/shards.ts'
import { notFound } from '../../platform/http/errors.ts'
import { type FeedEvent, writeFeed } from '../../platform/icalendar/write-feed.ts'
import { selectFeed, selectFeedBookings } from './queries.ts'

const AHEAD_MS = 365 * DAY_MS
const BEHIND_MS = 30 * DAY_MS

/** What stands under an address: the bookings of a year ahead and a month back; cancelled ones for a month. */
export async function readFeed(env: Env, token: string, now: number): Promise<string> {
  const db = openDb(inShard(env, shardOfDigits(token)), 'decide')
  const [found] = await selectFeed(db, await sha256(token))
  if (!found) throw notFound('calendar feed')
  const range = { start: now - BEHIND_MS, end: now + AHEAD_MS }
  const rows = await selectFeedBookings(db, found.feed, range, now, now - BEHIND_MS)
  const events = rows.map(eventOf).sort((one, other) => one.start - other.start)
  return writeFeed(found.organizationName, events)
}

type Found = Awaited<ReturnType<typeof selectFeedBookings>>[number]

function eventOf({ booking, title }: Found): FeedEvent {
  const people = booking.attendees
    .filter(({ email }) => email !== '')
    .map(({ name, email }) => `${name} (${email})`)
  const notes = booking.notes === null ? [] : [`Notes: ${booking.notes}`]
  return {
    // The same UID as in emails, so that a program which reads both shows one event.
    uid: uidOf(booking.id),
    sequence: booking.revision - 1,
    stamp: booking.updatedAt,
    start: booking.startTime,
    end: booking.endTime,
    summary: meetingOf(title, booking.inviteeName),
    description: [...people, ...notes].join('\n'),
    location: booking.location ?? calendarPlace(booking.place),
    url: booking.conferencingUrl,
    isCancelled: booking.status === 'cancelled',
  }
}
