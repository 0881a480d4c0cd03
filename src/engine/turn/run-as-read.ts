import type { PresentMs } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { carryOut } from './carry-out.ts'
import { decide, outcomeOf } from './decide.ts'
import { organizationIn } from './load.ts'
import type { Outcome } from './outcome.ts'
import type { Queries, Rows, Turn, Verb } from './verb.ts'

/**
 * Decides on what the command's caller read before the turn, which saves a round trip. Null if that has changed, or if a
 * command with a key changes nothing: then it may have been answered before.
 */
export async function runAsRead<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
): Promise<Outcome<Body> | null> {
  const { asRead, claim, now } = verb
  if (!asRead) return null
  const rows = asRead as unknown as Rows<Q>
  noteOrganization(turn.env, organizationIn(rows))
  const decided = await decide(turn, verb, { schedule: null, rows, now: now as PresentMs, lost: 0 })
  if (!('statements' in decided)) return claim ? null : outcomeOf(decided)
  const end = await carryOut(turn, verb, decided, { demand: null, lost: 0, guess: null })
  return typeof end === 'string' ? null : end
}
