import { NEVER_OPEN, type OpenHours } from '../../../core/open-hours.ts'
import { rowReader } from '../../../platform/db/row-reader.ts'
import { calendarConnections } from '../../../platform/db/schema/calendars.ts'
import { type Calendar, CONNECTION_FACTS } from '../calendar.ts'
import { decodeHours, listIn, type OverrideValues, type RuleOfSchedule, rulesOf } from '../decode-hours.ts'
import type { Hold, Host, HostLimits, Room, TimeOff } from '../schedule.ts'
import type { Windows } from '../taken/around.ts'
import { countUnpacked, readBusy, readHolds } from '../taken/read-times.ts'
import type { RawResource } from './queries.ts'
import { roomFrom } from './rooms.ts'

export type Ahead = readonly [host: string, bookings: number, next: number]
type ExpiredValues = readonly [source: string, startsAt: number, endsAt: number, meetsAt: number | null]
export type ExpiredHold = { readonly resourceId: string; readonly values: ExpiredValues }

/** What an event type shares with others. */
export type Resources = {
  /** In the order of priority, then age. */
  readonly hosts: readonly Host[]
  /** The oldest first. */
  readonly calendars: readonly Calendar[]
  /** When everybody is off; empty for an event type with hosts. */
  readonly closed: readonly TimeOff[]
  /** The calendars of everybody, the oldest first. */
  readonly closing: readonly Calendar[]
  /** The rooms and equipment that it requires. */
  readonly rooms: readonly Room[]
  /** By schedule. */
  readonly hours: ReadonlyMap<string, OpenHours>
  /** By resource. */
  readonly holds: ReadonlyMap<string, readonly Hold[]>
  readonly expired: readonly ExpiredHold[]
  /** How many holds of hosts of a pool were read one by one. */
  readonly unpacked: number
}

const readConnection = rowReader<Calendar['connection']>(calendarConnections, 'list', CONNECTION_FACTS)

export function decodeResources(
  rows: readonly RawResource[],
  { base, around, organizationZone, ahead }: DecodeFrom,
): Resources {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const of = (kind: RawResource['kind']) => byKind.get(kind) ?? []
  const hours = new Map(of('schedule').map((raw) => [raw.id, hoursIn(raw)]))
  const taking = [...of('host'), ...of('calendar'), ...of('unit')]
  const feeds = Map.groupBy(of('feed').map(feedIn), ({ roomId }) => roomId)
  const hosts = of('host').map((raw) => ({ raw, values: JSON.parse(raw.facts) as HostValues }))
  const limited = new Set(hosts.flatMap(({ raw, values }) => (isLimited(values) ? [raw.id] : [])))
  return {
    hours,
    closing: of('closing').map(closingIn).sort(byId),
    closed: of('organization').flatMap(({ dated }) => timeOffIn(dated)),
    hosts: hosts
      .toSorted((one, other) => comparePriority(one.values, other.values))
      .map(({ raw, values }, addedAt) => ({
        ...hostIn(raw, values, hours, organizationZone),
        addedAt,
        activeBookings: ahead.get(values[0])?.[1] ?? 0,
      })),
    calendars: of('calendar').map(calendarIn).sort(byId),
    rooms: of('room').map(({ id, facts, dated }) => {
      const [name, quantity, active, scheduleId] = JSON.parse(facts) as RoomValues
      const theirs = feeds.get(id)?.map(({ feed }) => feed) ?? []
      return roomFrom(
        { id, name, quantity, active: active === 1, scheduleId },
        timeOffIn(dated),
        hours,
        theirs,
      )
    }),
    holds: new Map(
      taking.flatMap(({ id, held }) => {
        const holds = readHolds(held, base, id, limited.has(id) ? around.inLimit : around.near)
        return holds.length === 0 ? [] : [[id, holds] as const]
      }),
    ),
    expired: taking.flatMap(({ id: resourceId, expired }) =>
      expired === null ? [] : listIn<ExpiredValues>(expired).map((values) => ({ resourceId, values })),
    ),
    unpacked: hosts.reduce(
      (sum, { raw, values }) => sum + (values[13] === 'pool' ? countUnpacked(raw.held) : 0),
      0,
    ),
  }
}

export type DecodeFrom = {
  /** The instant from which packed times count. */
  readonly base: number
  readonly around: Windows
  readonly organizationZone: string
  readonly ahead: ReadonlyMap<string, Ahead>
}

type HostValues = readonly [
  id: string,
  priority: number,
  weight: number,
  lastAssignment: number,
  createdAt: number,
  hostingId: string,
  userId: string,
  email: string,
  scheduleId: string | null,
  timeZone: string | null,
  maxPerDay: number | null,
  maxPerWeek: number | null,
  name: string | null,
  part: 'pool' | 'required',
]

function comparePriority(one: HostValues, other: HostValues): number {
  return one[1] - other[1] || one[4] - other[4] || (one[5] < other[5] ? -1 : 1)
}

function hostIn(
  { id: resourceId, dated }: RawResource,
  values: HostValues,
  hours: ReadonlyMap<string, OpenHours>,
  organizationZone: string,
): Omit<Host, 'addedAt' | 'activeBookings'> {
  const [id, priority, weight, lastAssignment, , , userId, email, scheduleId] = values
  return {
    id,
    resourceId,
    priority,
    weight,
    lastAssignment,
    userId,
    email,
    name: values[12],
    part: values[13],
    scheduleId,
    hours: scheduleId === null ? null : (hours.get(scheduleId) ?? NEVER_OPEN),
    timeOff: timeOffIn(dated),
    limits: limitsOf(values, organizationZone),
  }
}

export function timeOffIn(list: string): TimeOff[] {
  return listIn<readonly [string, number, number]>(list).map(([id, start, end]) => ({ id, start, end }))
}

function isLimited({ 10: perDay, 11: perWeek }: HostValues): boolean {
  return perDay !== null || perWeek !== null
}

/** A member without a zone has the organization's. */
function limitsOf(values: HostValues, organizationZone: string): HostLimits | null {
  const [timeZone, perDay, perWeek] = [values[9], values[10], values[11]]
  if (!isLimited(values)) return null
  return { timeZone: timeZone ?? organizationZone, perDay, perWeek }
}

function calendarIn({ facts, busy }: RawResource): Calendar {
  const values: unknown[] = JSON.parse(facts)
  return { ...calendarOf(values, readBusy(busy)), isDefault: values.at(-1) === 1 }
}

function closingIn({ facts, busy }: RawResource): Calendar {
  return { ...calendarOf(JSON.parse(facts), readBusy(busy)), isDefault: false }
}

export function byId({ connection: one }: Calendar, { connection: other }: Calendar): number {
  return one.id < other.id ? -1 : 1
}

type RoomValues = readonly [name: string, quantity: number, active: 0 | 1, scheduleId: string | null]

function feedIn({ facts, busy }: RawResource) {
  const values: unknown[] = JSON.parse(facts)
  const feed: Calendar = { ...calendarOf(values, readBusy(busy)), isDefault: false }
  return { roomId: values.at(-1) as string, feed }
}

/** A calendar from the columns of its connection. */
export function calendarOf(values: unknown[], busy: Calendar['busy']): Omit<Calendar, 'isDefault'> {
  const connection = readConnection(values)
  return { connection, busy, busyAsOf: connection.lastSyncAt }
}

function hoursIn({ facts, dated }: RawResource): OpenHours {
  const [timeZone, rules] = JSON.parse(facts) as [string, readonly RuleOfSchedule[]]
  return decodeHours(timeZone, rulesOf(rules), listIn<OverrideValues>(dated))
}
