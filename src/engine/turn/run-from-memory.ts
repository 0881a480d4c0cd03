import { noteOrganization } from '../../platform/log/tally.ts'
import { carryOut } from './carry-out.ts'
import { decideFromMemory, isDecidable, refuseFromMemory } from './decide-from-memory.ts'
import type { Outcome } from './outcome.ts'
import type { Queries, Turn, Verb } from './verb.ts'

/** Decides from memory, and commits only if the version is unchanged. Null if the schedule is unknown or has changed. */
export async function runFromMemory<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
): Promise<Outcome<Body> | null> {
  const { memory, arrivedAt } = turn
  const schedule = memory.latest
  if (!schedule || !isDecidable(verb, schedule)) return null
  noteOrganization(turn.env, schedule.eventType.organizationId)
  const asksFirst = memory.asksFirst()
  if (asksFirst && !memory.wasTrueAfter(arrivedAt)) return null
  const { state, decided } = await decideFromMemory(turn, verb, schedule)
  if (!('statements' in decided)) return refuseFromMemory(turn, verb, state, decided)
  if (asksFirst) return null
  const end = await carryOut(turn, verb, decided, { demand: null, lost: 0, guess: schedule })
  if (end === 'STALE') memory.doubt()
  if (typeof end === 'string') return null
  memory.trust()
  return end
}
