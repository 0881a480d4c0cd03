import { type Interval, mergeIntervals } from '../../core/interval.ts'
import { formatDate } from '../../core/local-time.ts'
import { type OpenHours, sharedEdges, windowEdges } from '../../core/open-hours.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { decodeHours, listIn } from '../../engine/schedule/decode-hours.ts'
import { decodeOwnHours } from '../../engine/schedule/together/decode-people.ts'
import type { RawAgendaHost, RawAgendaSchedule, RawOwnHours } from './queries.ts'
import type { AgendaEventType, Scope } from './scope.ts'

/** Zones are at most 14 hours from UTC, and windows reach over one midnight. */
const DATE_MARGIN_MS = 2 * DAY_MS

/** The dates whose hours can be in the range. */
export function datesIn({ start, end }: Interval) {
  return { first: formatDate(start - DATE_MARGIN_MS), last: formatDate(end + DATE_MARGIN_MS) }
}

/** The schedules that the hours of the scope name. */
export function schedulesIn({ eventTypes, usualSchedules }: Scope): string[] {
  const named = eventTypes.flatMap(({ schedule_id, hosts }) => [
    schedule_id,
    ...hosts.map((host) => host.schedule_id),
  ])
  return [...new Set([...named, ...usualSchedules.values()].filter((id) => id !== null))]
}

/** The event types that have hours of their own and no schedule. */
export function withOwnRules({ eventTypes }: Scope): string[] {
  return eventTypes
    .filter((row) => isOpen(row) && row.hours_from === 'own' && row.schedule_id === null)
    .map(({ id }) => id)
}

export type OpenTime = Interval & { readonly memberId?: string; readonly eventTypeId?: string }

/** When members can be booked for anything, and event types without hosts, whatever time off there is. */
export function openTimes(
  scope: Scope,
  schedules: readonly RawAgendaSchedule[],
  ownHours: readonly RawOwnHours[],
): OpenTime[] {
  const { range, eventTypes, memberIds } = scope
  const hours = hoursIn(range, schedules, ownHours)
  const edgesOf = (of: OpenHours | undefined) => (of ? windowEdges(of, range) : [])
  const ofSchedule = (id: string) => edgesOf(hours.ofSchedule.get(id))
  const ofEventType = (row: AgendaEventType) =>
    row.schedule_id === null ? edgesOf(hours.ofEventType(row)) : ofSchedule(row.schedule_id)
  const ofHost = (row: AgendaEventType, { schedule_id: id }: RawAgendaHost) => {
    if (row.hours_from === 'hosts') return id === null ? [] : ofSchedule(id)
    return id === null ? ofEventType(row) : sharedEdges(ofEventType(row), ofSchedule(id))
  }

  const open = eventTypes.filter(isOpen)
  const hosted = Map.groupBy(
    open.flatMap((row) => row.hosts.map((host) => ({ row, host }))),
    ({ host }) => host.member_id,
  )
  const ofMembers = memberIds.flatMap((memberId) => {
    const theirs = hosted.get(memberId)?.flatMap(({ row, host }) => intervalsIn(ofHost(row, host)))
    const usual = scope.usualSchedules.get(memberId)
    const all = theirs ?? (usual ? intervalsIn(ofSchedule(usual)) : [])
    return mergeIntervals(all).map((interval) => ({ ...interval, memberId }))
  })
  const ofEventTypes = open
    .filter((row) => row.hosts.length === 0 && row.hours_from === 'own')
    .flatMap((row) => intervalsIn(ofEventType(row)).map((interval) => ({ ...interval, eventTypeId: row.id })))
  return [...ofMembers, ...ofEventTypes].sort((one, other) => one.start - other.start)
}

function isOpen({ is_deleted, active }: AgendaEventType): boolean {
  return !is_deleted && active === 1
}

function hoursIn(range: Interval, schedules: readonly RawAgendaSchedule[], ownHours: readonly RawOwnHours[]) {
  const dates = datesIn(range)
  const own = new Map(ownHours.map((raw) => [raw.event_type_id, raw]))
  const ofEventType = ({ id, timezone }: AgendaEventType) => {
    const raw = own.get(id)
    return raw && decodeHours(timezone, listIn(raw.rules), listIn(raw.overrides))
  }
  return {
    ofSchedule: new Map(schedules.map((raw) => [raw.schedule_id, decodeOwnHours(raw, dates)])),
    ofEventType,
  }
}

function intervalsIn(edges: readonly number[]): Interval[] {
  const intervals: Interval[] = []
  for (let at = 0; at < edges.length; at += 2) intervals.push({ start: edges[at]!, end: edges[at + 1]! })
  return intervals
}
