import { env } from 'cloudflare:workers'
import { callAsService } from '../app.ts'
import { insertConnection } from '../connections.ts'
import { createEventType, createOrganization, dayFromNow } from '../factories.ts'
import { addHost, createMember } from '../hosts.ts'
import { connectAccount } from '../payments.ts'
import { createRoom } from '../rooms.ts'

export const MINUTE_MS = 60_000
export const HALF_HOUR_MS = 30 * MINUTE_MS
export const DAY = dayFromNow(3)
const FIRST = DAY + 8 * 60 * MINUTE_MS
export const STARTS = Array.from({ length: 12 }, (_, at) => FIRST + at * HALF_HOUR_MS)
export const hoursOf = (start_time: string, end_time: string) =>
  [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({ day_of_week, start_time, end_time }))
export const HOURS = hoursOf('08:00', '14:00')
/** An invitee moves what begins before it by a key only: half of the starts of the first event type. */
export const LATE = STARTS[6]!
export const MOST_SEATS = 5
export const HIGHEST_CAP = 8

export type Row = Record<string, any>

export async function rows(query: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<Row>()
  return results
}

const WAITS = { waitlist_enabled: true }
/** Its bookings are approved first. */
const ASKS = { ...WAITS, requires_approval: true }

/** Its bookings are paid, and whoever cancels one gets all of it back. */
const COSTS = { price_amount: 1_000, refund_policy: [{ until_minutes_before: 0, percent: 100 }] }

/** An event type, which of the members host it, and who of them always take part. */
type Kind = [Row, number[], number[]?]

const PAID: Kind[] = [
  [{ ...WAITS, ...COSTS, assignment_strategy: 'round_robin' }, [0, 3]],
  [{ ...ASKS, ...COSTS, max_attendees: 3 }, []],
]

/** They share two units of a room, one of them also hosts. */
const sharing = (roomId: string): Kind[] => {
  const requires = [{ resource_ids: [roomId] }]
  return [
    [{ ...WAITS, requires }, []],
    [{ ...WAITS, requires, max_attendees: 2 }, []],
    [{ ...WAITS, requires, assignment_strategy: 'round_robin' }, [0, 2]],
  ]
}

/** One of a pool with another one, and two with a third. */
const TEAMS: Kind[] = [
  [{ ...WAITS, assignment_strategy: 'round_robin' }, [0, 1, 3], [3]],
  [{ ...ASKS, assignment_strategy: 'least_bookings', pool_size: 2, max_attendees: 2 }, [0, 1, 2, 3], [0]],
]

function noticeFor(start: number): number {
  return Math.floor((start - Date.now()) / MINUTE_MS)
}

/**
 * Event types that compete for the same four members, and some that need nobody: with calendars, these are
 * written to the one of a member, and so compete with each other and with whatever that member hosts. Where anything is
 * paid, one of each is.
 */
export async function makeWorld(withCalendars: boolean, isPaid = false) {
  await env.DB.batch(
    [
      'CREATE TABLE IF NOT EXISTS commits (at INTEGER PRIMARY KEY, resource_id TEXT, action TEXT, changes TEXT)',
      'CREATE INDEX IF NOT EXISTS commits_of ON commits (resource_id)',
      `CREATE TRIGGER IF NOT EXISTS commits_insert AFTER INSERT ON activity BEGIN
         INSERT INTO commits (resource_id, action, changes) VALUES (NEW.resource_id, NEW.action, NEW.changes); END`,
      `CREATE TRIGGER IF NOT EXISTS commits_booked AFTER INSERT ON bookings WHEN NEW.log_entry IS NOT NULL BEGIN
         INSERT INTO commits (resource_id, action, changes)
         VALUES (NEW.id, 'booking.created', NEW.log_entry -> 'changes'); END`,
      // What waited for too long gives its time back before anybody says that it is cancelled.
      `CREATE TRIGGER IF NOT EXISTS commits_over AFTER UPDATE OF status ON slot_holds WHEN NEW.status = 'expired' BEGIN
         INSERT INTO commits (resource_id, action) VALUES (NEW.booking_id, 'booking.over'); END`,
    ].map((statement) => env.DB.prepare(statement)),
  )
  const organization = await createOrganization()
  if (isPaid) await connectAccount(organization)
  const key = organization.liveKey
  const members: string[] = []
  for (let made = 0; made < 4; made++) members.push((await createMember(organization)).id)
  const { id: roomId } = await createRoom(key, { quantity: 2 })
  const kinds: Kind[] = [
    [
      { ...WAITS, assignment_strategy: 'round_robin', reschedule_notice_minutes: noticeFor(LATE) },
      [0, 1, 2, 3],
    ],
    [{ ...ASKS, assignment_strategy: 'least_bookings', buffer_after_minutes: 15 }, [1, 2, 3]],
    [{ ...WAITS, assignment_strategy: 'none', buffer_before_minutes: 10 }, [0, 1]],
    [{ ...WAITS, assignment_strategy: 'availability_weighted', max_attendees: 3 }, [2, 3]],
    [{ ...ASKS, booking_cap: 5, booking_cap_period: 'daily' }, []],
    [{ ...ASKS, max_attendees: 4 }, []],
    [{ ...WAITS, booking_cap: 2, booking_cap_period: 'daily' }, []],
    ...(isPaid ? PAID : []),
    ...sharing(roomId),
    ...TEAMS,
  ]
  const types: string[] = []
  const hosted: string[] = []
  for (const [input, hosts, required = []] of kinds) {
    const { id } = await createEventType(key, input, HOURS)
    for (const at of hosts)
      await addHost(key, id, members[at]!, { part: required.includes(at) ? 'required' : 'pool' })
    types.push(id)
    if (hosts.length > 0) hosted.push(id)
  }
  if (withCalendars) {
    await insertConnection(organization, 'live')
    const calendar = await insertConnection(organization, 'live', { memberId: members[0]! })
    const body = { default_calendar_connection_id: calendar }
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body })
  }
  const groups = kinds.flatMap(([{ max_attendees }], at) => (max_attendees ? [types[at]!] : []))
  const paid = kinds.flatMap(([{ price_amount }], at) => (price_amount ? [types[at]!] : []))
  const teams = types.slice(-TEAMS.length)
  return { organization, key, members, types, hosted, groups, paid, teams }
}

export type World = Awaited<ReturnType<typeof makeWorld>>
