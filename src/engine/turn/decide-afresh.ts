import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { timeFor } from '../../platform/db/deadline.ts'
import type { Calendar } from '../schedule/calendar.ts'
import { isNews, withBusy, withChecks } from '../schedule/calendar-times.ts'
import type { Decision } from '../schedule/decide-start.ts'
import { ownEventTeller } from '../schedule/own-uids.ts'
import type { Placement } from '../schedule/placement.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { calendarsOfTeam } from '../schedule/team.ts'
import type { TakenCheck } from './calendar-checks.ts'
import type { Turn } from './verb.ts'

/** How long a booking waits for all calendars together. */
const PATIENCE_MS = 3_000
/** The time reserved for the commit. */
const COMMIT_MS = 2_000

/**
 * Decides, and checks the calendars before time is taken: it decides again with their answers, until all calendars of the
 * decision were checked. If one does not answer, and in a dry turn, its stored busy times count. `since` is the tick at
 * which the request came. `moving` is the UID of what moves: its own event blocks it nowhere.
 */
export function decideAfresh(
  turn: Turn,
  schedule: Schedule | null,
  since: number,
  decide: (schedule: Schedule | null) => Decision,
  moving: string | null = null,
): Promise<Decision> {
  const placementsOf = (decision: Decision) => ('refusal' in decision ? [] : [decision.placement])
  return decideAllAfresh(turn, schedule, since, { decide, placementsOf, moving })
}

type Deciding<D> = {
  readonly decide: (schedule: Schedule | null) => D
  readonly placementsOf: (decision: D) => readonly Placement[]
  readonly moving?: string | null
}

/** The same for a decision that takes any number of times. */
export async function decideAllAfresh<D>(
  { env, memory, checks, announce, isDry }: Turn,
  schedule: Schedule | null,
  since: number,
  { decide, placementsOf, moving = null }: Deciding<D>,
): Promise<D> {
  if (isDry) return decide(schedule)
  let current = schedule
  const began = memory.tick()
  const asked = new Map<string, Interval[]>()
  const doubted = new Set<string>()
  const deadline = Date.now() + timeFor(env, PATIENCE_MS, COMMIT_MS)
  for (;;) {
    const decision = decide(current)
    const open = current ? uncheckedIn(current, placementsOf(decision), asked) : []
    if (!schedule || !current) return decision
    if (open.length === 0) {
      // No check of a calendar has what an event that was written to it blocks in another calendar.
      const freed = freedIn(schedule, placementsOf(decision)).filter(({ id }) => !doubted.has(id))
      if (freed.length === 0) return decision
      for (const { id } of freed) doubted.add(id)
      const all = await checks.elsewhere([...new Set(freed.map(({ id }) => id))], spanOf(freed))
      current = withBusy(
        current,
        all.filter(({ uid }) => uid !== moving),
      )
      continue
    }
    for (const { range, connections } of open) {
      for (const { id } of connections) asked.set(id, [...(asked.get(id) ?? []), range])
      const isOwnEvent = ownEventTeller(current)
      const taken = await checks.ask(connections, {
        range,
        since,
        tick: () => memory.tick(),
        deadline,
        isOwnEvent,
      })
      const answers = new Map(Array.from(taken, ([id, check]) => [id, withMoved(check, moving)]))
      for (const { connection, busy } of current.calendars) {
        const check = answers.get(connection.id)
        // If the check was shared, the turn that made it announces its news.
        if (check && check.tick > began && isNews(busy, check)) {
          announce({
            type: 'calendar',
            accountId: connection.accountId,
            connectionId: connection.id,
            since: check.asOf,
            isThorough: true,
          })
        }
      }
      current = withChecks(current, answers, taken)
    }
  }
}

/** The calendars that were busy before they were checked, when these times take them. */
function freedIn(schedule: Schedule, placements: readonly Placement[]) {
  return placements.flatMap((placement) => {
    const { start, end } = placement.hold
    const isTaken = (busy: Interval) => busy.start < end && start < busy.end
    const theirs = calendarsFor(schedule, placement).filter(({ busy }) => busy.some(isTaken))
    return theirs.map(({ connection: { id } }) => ({ id, ...daysAround(placement.hold) }))
  })
}

function spanOf(all: readonly Interval[]): Interval {
  return { start: Math.min(...all.map(({ start }) => start)), end: Math.max(...all.map(({ end }) => end)) }
}

/** Providers answer about no more than some months at once. */
const MOST_CHECKED_MS = 56 * DAY_MS

type Unchecked = { readonly range: Interval; readonly connections: Calendar['connection'][] }

/** The calendars of these times that were not asked yet, with the days to ask about: near ones together. */
function uncheckedIn(
  schedule: Schedule,
  placements: readonly Placement[],
  asked: ReadonlyMap<string, readonly Interval[]>,
): readonly Unchecked[] {
  const open: Unchecked[] = []
  for (const placement of placements) {
    const days = daysAround(placement.hold)
    const isOpen = ({ id, checksBusy }: Calendar['connection']) =>
      checksBusy && !asked.get(id)?.some(({ start, end }) => start <= days.start && days.end <= end)
    const connections = calendarsFor(schedule, placement)
      .map(({ connection }) => connection)
      .filter(isOpen)
    if (connections.length === 0) continue
    const last = open.at(-1)
    if (last && days.end - last.range.start <= MOST_CHECKED_MS && days.start >= last.range.start) {
      const more = connections.filter((one) => !last.connections.includes(one))
      const range = { start: last.range.start, end: Math.max(last.range.end, days.end) }
      open[open.length - 1] = { range, connections: [...last.connections, ...more] }
    } else open.push({ range: days, connections })
  }
  return open
}

/** With our own events that stand elsewhere, except that of what moves. */
function withMoved(check: TakenCheck, moving: string | null): TakenCheck {
  const others = check.moved.filter(({ uid }) => uid !== moving)
  return { ...check, busy: [...check.busy, ...others.flatMap(({ busy }) => busy)] }
}

/** Joining a session checks nothing: its time is held already. */
function calendarsFor(schedule: Schedule, { resourceIds, host, coHosts, units }: Placement) {
  if (resourceIds.length === 0) return []
  const taken = new Set(units.map(({ id }) => id))
  const feeds = schedule.rooms.flatMap((room) => (taken.has(room.id) ? room.feeds : []))
  const theirs = calendarsOfTeam(schedule, { assignedHost: host, coHosts })
  const all = [...theirs, ...feeds, ...schedule.closing]
  return [...new Map(all.map((calendar) => [calendar.connection.id, calendar])).values()]
}

/** Whole days, so that other bookings of these days can share the check. */
function daysAround({ start, end }: Interval): Interval {
  return { start: Math.floor(start / DAY_MS) * DAY_MS, end: Math.ceil(end / DAY_MS) * DAY_MS }
}
