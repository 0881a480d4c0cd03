import { selectStored } from '../../platform/http/idempotency.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { hasReservedTime } from '../schedule/claimed-starts.ts'
import type { ScheduleVersion } from '../schedule/schedule.ts'
import { nowIn } from '../schedule/schedule.ts'
import { selectVersion } from '../schedule/statements.ts'
import { carryOut } from './carry-out.ts'
import { decide, outcomeOf } from './decide.ts'
import { askAll } from './load.ts'
import type { Outcome } from './outcome.ts'
import { storedOutcome } from './stored-outcome.ts'
import type { Queries, Rows, State, Turn, Undone, Verb } from './verb.ts'

/** Decides from memory, and commits only if the version is unchanged. Null if the schedule is unknown or has changed. */
export async function runFromMemory<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
): Promise<Outcome<Body> | null> {
  const { memory, arrivedAt } = turn
  if (!verb.canRecall || verb.around === undefined) return null
  const schedule = memory.recall(verb.around, realNow())
  if (!schedule || hasReservedTime(schedule) || !verb.canRecall(schedule)) return null
  noteOrganization(turn.env, schedule.eventType.organizationId)
  const asksFirst = memory.asksFirst()
  if (asksFirst && !memory.wasTrueAfter(arrivedAt)) return null
  const state = { schedule, now: nowIn(schedule, verb.now), rows: null, lost: 0 }
  const decided = await decide(turn, verb, state)
  if (!('statements' in decided)) return refuseFromMemory(turn, verb, state, decided)
  if (asksFirst) return null
  const end = await carryOut(turn, verb, decided, { demand: null, lost: 0, guess: schedule })
  if (end === 'STALE') memory.doubt()
  if (typeof end === 'string') return null
  memory.trust()
  return end
}

/**
 * A result without a commit must have been true after the command came. If that is not known, the version is read together
 * with all queries of the verb. A command with a key always reads, because it may have been answered before.
 */
async function refuseFromMemory<Q extends Queries, Body>(
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
  const answers = await askAll(turn, [...ours, ...(await verb.asks(turn))])
  const [versions, storedRows = []] = answers.slice(0, ours.length)
  const rows = answers.slice(ours.length)
  if (!memory.confirm((versions as ScheduleVersion[])[0], tick)) return null
  const stored = await storedOutcome(env, claim, storedRows as never)
  if (stored) return stored
  const again = await decide(turn, verb, { ...state, rows: rows as unknown as Rows<Q> })
  return 'statements' in again ? null : outcomeOf(again)
}
