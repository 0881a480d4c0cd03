import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { timeFor } from '../../platform/db/deadline.ts'
import { calendarsOf, isNews, withChecks } from '../schedule/calendar-times.ts'
import type { Decision } from '../schedule/decide-start.ts'
import { ownEventTeller } from '../schedule/own-uids.ts'
import { type Placement, strategyOf } from '../schedule/placement.ts'
import type { Schedule } from '../schedule/schedule.ts'
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
export async function decideAfresh(
  { env, memory, checks, announce, isDry }: Turn,
  schedule: Schedule | null,
  since: number,
  decide: (schedule: Schedule | null) => Decision,
  moving: string | null = null,
): Promise<Decision> {
  if (isDry) return decide(schedule)
  let current = schedule
  const began = memory.tick()
  const asked = new Set<string>()
  const deadline = Date.now() + timeFor(env, PATIENCE_MS, COMMIT_MS)
  for (;;) {
    const decision = decide(current)
    if (!current || 'refusal' in decision) return decision
    const open = calendarsFor(current, decision.placement).filter(
      ({ connection }) => connection.checksBusy && !asked.has(connection.id),
    )
    if (open.length === 0) return decision
    for (const { connection } of open) asked.add(connection.id)
    const taken = await checks.ask(
      open.map(({ connection }) => connection),
      {
        range: daysAround(decision.placement.hold),
        since,
        tick: () => memory.tick(),
        deadline,
        isOwnEvent: ownEventTeller(current),
      },
    )
    const answers = new Map(Array.from(taken, ([id, check]) => [id, withMoved(check, moving)]))
    for (const { connection, busy } of open) {
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
    current = withChecks(current, answers)
  }
}

/** With our own events that stand elsewhere, except that of what moves. */
function withMoved(check: TakenCheck, moving: string | null): TakenCheck {
  const others = check.moved.filter(({ uid }) => uid !== moving)
  return { ...check, busy: [...check.busy, ...others.flatMap(({ busy }) => busy)] }
}

/** Joining a session checks nothing: its time is held already. */
function calendarsFor(schedule: Schedule, { resourceIds, host }: Placement) {
  if (resourceIds.length === 0) return []
  const isCollective = strategyOf(schedule.eventType) === null
  return calendarsOf(schedule, isCollective ? null : (host?.member_id ?? null))
}

/** Whole days, so that other bookings of these days can share the check. */
function daysAround({ start, end }: Interval): Interval {
  return { start: Math.floor(start / DAY_MS) * DAY_MS, end: Math.ceil(end / DAY_MS) * DAY_MS }
}
