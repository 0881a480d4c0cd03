import {
  type HostLimit,
  type ReferenceCase,
  type ReferenceHost,
  type ReferenceHours,
  referenceStarts,
} from '../core/reference.ts'
import type { Made } from './hours-history.ts'
import type { HeldRow, HoursRow, State, Window } from './hours-rows.ts'

/* What the rows of an event type are to the reference. */

const MINUTE = 60_000

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}

function windowOf({ start_time, end_time }: Window) {
  return { from: minuteOf(start_time), to: minuteOf(end_time) }
}

function hoursOf({ timezone, rules, overrides }: HoursRow): ReferenceHours {
  return {
    timeZone: timezone,
    weekly: rules.map((rule) => ({ dayOfWeek: rule.day_of_week, ...windowOf(rule) })),
    overrides: Object.fromEntries(overrides.map(({ date, intervals }) => [date, intervals.map(windowOf)])),
  }
}

function spans(held: readonly HeldRow[]) {
  return held.map(([start, end]) => ({ start, end }))
}

/** What closes an event type without hosts, as if a host without hours were off. */
function nobodyOff({ closed }: State): ReferenceHost {
  return { busy: [], hours: null, off: closed.map(([start, end]) => ({ start, end })), limit: null }
}

type Asked = {
  readonly from: number
  readonly to: number
  /** The booking that is looked at: it is left out. */
  readonly besides?: string
  /** How many seats are wanted. */
  readonly seats?: number
}

/** The state as the reference is asked about it. */
export function caseOf(state: State, { from, to, besides, seats = 1 }: Asked): ReferenceCase {
  const { type, window, cap, schedules } = state
  const sessions = state.sessions.map((one) => ({
    ...one,
    seats: one.seats.filter(([id]) => id !== besides),
  }))
  // Whoever leaves last takes the session along.
  const gone = new Set(sessions.filter((one) => one.seats.length === 0).map(({ id }) => id))
  const isOthers = ([, , holder]: HeldRow) => holder !== besides && !gone.has(holder)
  const bookings = state.bookings.filter(([id]) => id !== besides)
  const hosts = state.hosts.map((host): ReferenceHost => {
    const held = host.held.filter(isOthers)
    const limitOf = (period: 'daily' | 'weekly', limit: number | null): HostLimit[] => {
      const timeZone = host.timezone ?? state.zone
      return limit === null ? [] : [{ period, limit, timeZone, bookings: held.map(([, , , meets]) => meets) }]
    }
    return {
      busy: spans(held),
      hours: host.scheduleId === null ? null : hoursOf(schedules[host.scheduleId]!),
      off: host.off.map(([start, end]) => ({ start, end })),
      limit: null,
      limits: [...limitOf('daily', host.perDay), ...limitOf('weekly', host.perWeek)],
    }
  })
  const duration = type.duration * MINUTE
  const isCollective = type.strategy === 'none'
  const own = type.scheduleId === null ? state : schedules[type.scheduleId]!
  const isThere = (hostId: string | null, start: number) => {
    const at = state.hosts.findIndex(({ id }) => id === hostId)
    if (at < 0) return true
    return isAtWork(hosts[at]!, type.hoursFrom, start, duration)
  }
  // Who joins a session whose host left the organization gives it another one.
  const isOfSession =
    (id: string, start: number) =>
    ([, , holder, meets]: HeldRow) =>
      holder === id && meets === start
  const isUnhosted = (id: string, start: number, hostId: string | null) =>
    hostId === null && state.kept.some(isOfSession(id, start))
  const rules = { duration, before: type.before * MINUTE, after: type.after * MINUTE }
  const isTakenOver = (id: string, start: number) =>
    state.hosts.some(({ held }) => held.some(isOfSession(id, start))) ||
    (!isCollective && hosts.some((host) => canTake(host, type.hoursFrom, start, rules)))
  return {
    ...hoursOf(own),
    hoursFrom: type.hoursFrom,
    from,
    to,
    ...rules,
    interval: type.interval === null ? null : type.interval * MINUTE,
    earliest: state.now + type.notice * MINUTE,
    ruleZone: state.timezone,
    window: { now: state.now, daysAhead: window.days, from: window.from, until: window.until },
    busy: spans([...state.held, ...(isCollective ? state.kept : [])].filter(isOthers)),
    hosts: isCollective && hosts.length === 0 ? [nobodyOff(state)] : hosts,
    isCollective,
    sessions:
      type.seats === 1
        ? []
        : sessions
            .filter(({ id }) => !gone.has(id))
            .map(({ id, start, end, host, seats: taken }) => ({
              start,
              isJoinable:
                end - start === duration &&
                taken.reduce((sum, [, count]) => sum + count, seats) <= type.seats &&
                (isUnhosted(id, start, host) ? isTakenOver(id, start) : isCollective || isThere(host, start)),
            })),
    cap: cap.limit === null ? null : { period: cap.period, limit: cap.limit },
    bookings: bookings.map(([, start]) => start),
  }
}

const EVERY_MINUTE = {
  timeZone: 'UTC',
  weekly: [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, from: 0, to: 1440 })),
  overrides: {},
  hoursFrom: 'own' as const,
  interval: MINUTE,
  before: 0,
  after: 0,
  earliest: 0,
  window: { now: 0, daysAhead: null, from: null, until: null },
  busy: [],
  isCollective: false,
  sessions: [],
  cap: null,
  bookings: [],
}

function isAtWork(host: ReferenceHost, hoursFrom: 'own' | 'hosts', start: number, duration: number): boolean {
  const idle = { ...host, busy: [], limits: [] }
  return canTake(idle, hoursFrom, start, { duration, before: 0, after: 0 })
}

type Rules = Pick<ReferenceCase, 'duration' | 'before' | 'after'>

function canTake(
  host: ReferenceHost,
  hoursFrom: 'own' | 'hosts',
  start: number,
  { duration, before, after }: Rules,
): boolean {
  if (host.hours === null && hoursFrom === 'hosts') return false
  const span = { from: start, to: start + MINUTE }
  const asked = { ...EVERY_MINUTE, ...span, duration, before, after, hosts: [host] }
  return referenceStarts(asked).length > 0
}

/** What is wrong with a booking as it was made; nothing where all of it was as it should be. */
export function flawsOf({ id, start, end, host, email, seats, state }: Made): string[] {
  const { type, bookings, now } = state
  const input = caseOf(state, { from: start, to: start + MINUTE, besides: id, seats })
  const flaws: string[] = []
  if (end - start !== input.duration) flaws.push('its length')
  if (!referenceStarts(input).includes(start)) flaws.push('its start')
  const theirs = bookings.filter(([other, at, whose]) => other !== id && whose === email && at > now)
  if (type.inviteeLimit !== null && theirs.length >= type.inviteeLimit) flaws.push('its invitee')
  const session = input.sessions.find((one) => one.start === start)
  if (session) {
    const known = state.sessions.find(
      (one) => one.start === start && one.seats.some(([other]) => other !== id),
    )
    if (known!.host !== host) flaws.push('the host of its session')
  } else if (!input.isCollective) {
    const at = state.hosts.findIndex((one) => one.id === host)
    const given = input.hosts?.[at]
    if (!given || !canTake(given, type.hoursFrom, start, input)) flaws.push('its host')
  } else if (host !== (state.hosts[0]?.id ?? null) && state.hosts.every((one) => one.id !== host)) {
    flaws.push('its first host')
  }
  return flaws
}
