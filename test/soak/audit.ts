import { unsoundPacks } from '../support/packed.ts'
import {
  type Ask,
  miscounted,
  mostOfADay,
  overlappingMeetings,
  unsoundDeadlines,
  unsoundHolds,
  unsoundSeats,
} from '../support/storm/sound.ts'
import { MISTOLD, MISTOLD_SERIES, OVERTAKEN } from './audit-emails.ts'
import { comparePaid } from './audit-money.ts'
import { auditPeople } from './audit-people.ts'
import { compareSeries } from './audit-series.ts'
import type { Json } from './caller.ts'
import { HIGHEST_CAP, KIND, MOST_SEATS, type World } from './kinds.ts'
import { ANYWHERE, type Booking, type Ledger, placeOf } from './ledger.ts'

/** How much was looked at. */
export type Compared = { bookings: number; entries: number; events: number }

/**
 * Compares what is stored with what was acknowledged, and with itself. Whatever is wrong becomes a finding of the ledger. What
 * nobody had an answer to is where it is found from here on.
 */
export async function audit(ask: Ask, world: World, ledger: Ledger): Promise<Compared> {
  const stored = await ask(
    `SELECT id, organization_id, event_type_id, status, start_time,
       coalesce(nullif(invitee_email, ''), invitee_name) AS invitee, series_id FROM bookings`,
  )
  const entries = await ask('SELECT id, status, invitee_email, promoted_booking_id FROM waitlist_entries')
  await compareBookings(ask, stored, entries, ledger)
  compareEntries(entries, new Map(stored.map((row) => [row.id, row])), ledger)
  await auditSoundness(ask, world, ledger)
  await auditPeople(ask, ledger)
  const events = await auditEvents(ask, ledger)
  return { bookings: stored.length, entries: entries.length, events }
}

/** Everybody is where they were told, once, and nobody is booked who never asked. */
async function compareBookings(
  ask: Ask,
  stored: readonly Json[],
  entries: readonly Json[],
  ledger: Ledger,
): Promise<void> {
  const byEmail = Map.groupBy(stored, ({ invitee }) => invitee)
  const waiting = new Set(entries.map(({ invitee_email }) => invitee_email))
  for (const booking of ledger.bookings) {
    const rows = byEmail.get(booking.email) ?? []
    byEmail.delete(booking.email)
    compareBooking(booking, rows, ledger)
  }
  comparePaid(byEmail, ledger)
  await compareSeries(ask, byEmail, ledger)
  for (const [email, rows] of byEmail) {
    if (!waiting.has(email)) ledger.find('booked, and never asked for', email, rows)
    else if (rows.length > 1) ledger.find('promoted twice', email, rows)
  }
}

function compareBooking(booking: Booking, rows: readonly Json[], ledger: Ledger): void {
  const [row, ...others] = rows
  if (others.length > 0) ledger.find('booked twice', booking, rows)
  const isRefused = booking.places.length === 0
  const mayBeMissing = isRefused || booking.places.includes(ANYWHERE)
  if (!row) {
    if (!mayBeMissing) ledger.find('an acknowledged booking is gone', booking)
    booking.places = mayBeMissing ? [] : booking.places
    return
  }
  const place = placeOf(row)
  const known = [...booking.places, ...(booking.strays ?? [])]
  const isThere = known.includes(place) || known.includes(ANYWHERE)
  const isIt = booking.id === null || booking.id === row.id
  const isTheirs = row.event_type_id === booking.eventTypeId && row.organization_id === booking.organizationId
  if (isRefused) ledger.find('booked, though it was refused', booking, row)
  else if (!isThere || !isIt || !isTheirs) ledger.find('not as it was acknowledged', booking, row)
  if (isThere) booking.places = [place]
}

function compareEntries(entries: readonly Json[], bookings: ReadonlyMap<string, Json>, ledger: Ledger): void {
  const byEmail = Map.groupBy(entries, ({ invitee_email }) => invitee_email)
  for (const entry of ledger.entries) {
    const [row, ...others] = byEmail.get(entry.email) ?? []
    if (others.length > 0) ledger.find('waits twice', entry, row, others)
    if (row === undefined && entry.id !== null) ledger.find('an acknowledged entry is gone', entry)
    if (row !== undefined && entry.isRefused) ledger.find('waits, though it was refused', entry, row)
    if (row && entry.id !== null && row.id !== entry.id) ledger.find('another entry', entry, row)
    if (row && entry.hasLeft && row.status !== 'cancelled') ledger.find('waits, though they left', entry, row)
  }
  for (const { id, status, invitee_email, promoted_booking_id } of entries) {
    const booking = bookings.get(promoted_booking_id)
    const isWhole = status === 'promoted' ? booking?.invitee === invitee_email : !booking
    if (!isWhole) ledger.find('promoted, and not booked', id, status, promoted_booking_id)
  }
}

/** Nothing is taken twice, and what counts or stands for others agrees with them. */
async function auditSoundness(ask: Ask, { organizations }: World, ledger: Ledger): Promise<void> {
  const found = [
    ['unsound holds', await unsoundHolds(ask)],
    ['unsound deadlines', await unsoundDeadlines(ask)],
    ['packed otherwise than held', await unsoundPacks(ask)],
    ['unsound seats', await unsoundSeats(ask, MOST_SEATS)],
    ['a host in two places', await ask(TWO_PLACES)],
    ['asked for, and not held', await ask(UNHELD_REQUESTS)],
    ['promoted before somebody who waited longer', await ask(OUT_OF_LINE)],
    ['letters told twice or never', await ask(MISTOLD)],
    ['letters about series told twice or never', await ask(MISTOLD_SERIES)],
  ] as const
  for (const [what, rows] of found) if (rows.length > 0) ledger.find(what, rows.length, ...rows.slice(0, 3))
  for (const { types, classId, soonId } of organizations) {
    for (const id of [...types, classId, soonId]) {
      const wrong = await miscounted(ask, id)
      if (wrong.length > 0) ledger.find('counted wrongly', ...wrong)
    }
    const meetings = await overlappingMeetings(ask, types[KIND.together]!)
    if (meetings.length > 0) ledger.find('two meetings of all at a time', ...meetings)
    for (const kind of [KIND.capped, KIND.free]) {
      const most = await mostOfADay(ask, types[kind]!)
      if (most > HIGHEST_CAP) ledger.find('beyond the cap of a day', types[kind], most)
    }
  }
}

/** By the bookings alone, whatever is held for them. */
const TWO_PLACES = `SELECT a.id, b.id AS other, a.assigned_host_id FROM bookings a JOIN bookings b
  ON b.assigned_host_id = a.assigned_host_id AND b.start_time >= a.start_time AND b.start_time < a.end_time
  AND a.id <> b.id AND (a.session_id IS NULL OR a.session_id IS NOT b.session_id)
  WHERE a.status <> 'cancelled' AND b.status <> 'cancelled' AND a.assigned_host_id IS NOT NULL`

const UNHELD_REQUESTS = `SELECT b.id, b.status, w.status AS request FROM bookings b
  LEFT JOIN slot_holds w ON w.id = b.id AND w.purpose = 'approval'
  WHERE (b.status = 'pending_approval') <> coalesce(w.status = 'held', 0)`

/** What was committed, in its order; the soak keeps it beside the service's own tables. */
export const COMMITS = [
  'CREATE TABLE commits (at INTEGER PRIMARY KEY, resource_id TEXT, action TEXT)',
  'CREATE INDEX commits_of ON commits (resource_id, action)',
  `CREATE TRIGGER commits_insert AFTER INSERT ON activity WHEN NEW.action LIKE 'waitlist.%' BEGIN
     INSERT INTO commits (resource_id, action) VALUES (NEW.resource_id, NEW.action); END`,
  ...OVERTAKEN,
]

const at = (id: string, action: string) =>
  `(SELECT at FROM commits WHERE resource_id = ${id} AND action = 'waitlist.${action}')`

/** Who waits for one start is served in the order in which they came. */
const OUT_OF_LINE = `SELECT a.id AS waited, b.id AS promoted, a.start_time FROM waitlist_entries a JOIN waitlist_entries b
  ON b.event_type_id = a.event_type_id AND b.start_time = a.start_time AND b.place > a.place AND b.status = 'promoted'
  WHERE ${at('b.id', 'promoted')} > ${at('a.id', 'joined')}
    AND ${at('b.id', 'promoted')} < coalesce(${at('a.id', 'promoted')}, ${at('a.id', 'cancelled')}, ${at('a.id', 'expired')}, 9e15)`

/** The events of each organization follow each other without a gap, and each change of a booking has one. */
async function auditEvents(ask: Ask, ledger: Ledger): Promise<number> {
  const feeds = await ask(
    `SELECT organization_id, is_test, count(*) AS events, max(sequence) AS last, count(DISTINCT sequence) AS sequences
     FROM events GROUP BY organization_id, is_test`,
  )
  for (const feed of feeds) {
    if (feed.events !== feed.last || feed.sequences !== feed.last) ledger.find('a feed with gaps', feed)
  }
  const unlike = await ask(
    `SELECT b.id, b.status FROM bookings b LEFT JOIN
       (SELECT data ->> 'id' AS id, count(*) FILTER (WHERE kind IN ('booking.created', 'booking.requested')) AS made,
          count(*) FILTER (WHERE kind = 'booking.cancelled') AS cancelled
        FROM events WHERE kind LIKE 'booking.%' GROUP BY 1) e ON e.id = b.id
     WHERE e.made IS NOT 1 OR e.cancelled IS NOT (b.status = 'cancelled')`,
  )
  if (unlike.length > 0) ledger.find('events unlike bookings', unlike.length, ...unlike.slice(0, 3))
  return feeds.reduce((sum, { events }) => sum + events, 0)
}
