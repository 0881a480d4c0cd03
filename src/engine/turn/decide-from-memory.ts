import { selectStored } from '../../platform/http/idempotency.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { hasReservedTime } from '../schedule/claimed-starts.ts'
import type { CurrentVersion, Schedule } from '../schedule/schedule.ts'
import { nowIn } from '../schedule/schedule.ts'
import { selectVersion } from '../schedule/statements.ts'
import { decide, outcomeOf } from './decide.ts'
import { askAll } from './load.ts'
import type { Outcome } from './outcome.ts'
import { covers } from './schedule-memory.ts'
import { storedOutcome } from './stored-outcome.ts'
import type { Decided, Queries, Rows, State, Turn, Undone, Verb } from './verb.ts'

/** Whether the verb can be decided on this schedule alone. */
export function isDecidable<Q extends Queries, Body>(verb: Verb<Q, Body>, schedule: Schedule): boolean {
  const isKnown = verb.around !== undefined && covers(schedule, verb.around, realNow())
  return isKnown && !hasReservedTime(schedule) && (verb.canRecall?.(schedule) ?? false)
}

type Recalled<Q extends Queries, Body> = { readonly state: State<Q>; readonly decided: Decided<Body> }

/** What the verb decides on the schedule alone. */
export async function decideFromMemory<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  schedule: Schedule,
): Promise<Recalled<Q, Body>> {
  const state = { schedule, now: nowIn(schedule, verb.now), rows: null, lost: 0 }
  return { state, decided: await decide(turn, verb, state) }
}

/**
 * A result without a commit must have been true after the command came. If that is not known, the version is read together
 * with all queries of the verb. A command with a key always reads, because it may have been answered before. Null if the
 * schedule has changed.
 */
export async function refuseFromMemory<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  state: State<Q>,
  decided: Undone<Body>,
): Promise<Outcome<Body> | null> {
  const { memory, db, env, arrivedAt } = turn
  const { eventTypeId, claim } = verb
  if (!claim && memory.wasTrueAfter(arrivedAt)) return outcomeOf(decided)
  const tick = memory.tick()
  const ours = [selectVersion(db, eventTypeId), ...(claim ? [selectStored(db, claim)] : [])]
  const asked = await verb.asks(turn)
  const ofRefusal = verb.asksOfRefusal?.(turn)
  const answers = await askAll(turn, [...ours, ...asked, ...(ofRefusal ? [ofRefusal] : [])])
  const [versions, storedRows = []] = answers.slice(0, ours.length)
  const rows = answers.slice(ours.length, ours.length + asked.length)
  if (!memory.confirm((versions as CurrentVersion[])[0], tick)) return null
  const stored = await storedOutcome(env, claim, storedRows as never)
  const told = ofRefusal ? { ofRefusal: answers.at(-1) as readonly unknown[] } : {}
  if (stored) return { ...stored, ...told }
  const again = await decide(turn, verb, { ...state, rows: rows as unknown as Rows<Q> })
  return 'statements' in again ? null : { ...outcomeOf(again), ...told }
}
