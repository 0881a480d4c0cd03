import { type PresentMs, realNow } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { hasReservedTime } from '../schedule/claimed-starts.ts'
import { nowIn, type Schedule } from '../schedule/schedule.ts'
import { carryOut } from './carry-out.ts'
import { decide, outcomeOf } from './decide.ts'
import { organizationIn } from './load.ts'
import type { Outcome } from './outcome.ts'
import type { Queries, Rows, State, Turn, Verb } from './verb.ts'

/**
 * Decides on what the command's caller read before the turn, which saves a round trip: without a schedule, or on the one from
 * memory. Null if that has changed or is not known, if somebody waits for the time that it releases, or if a command with a
 * key changes nothing: then it may have been answered before.
 */
export async function runAsRead<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
): Promise<Outcome<Body> | null> {
  const { asRead, around, claim, now } = verb
  if (!asRead) return null
  const rows = asRead as unknown as Rows<Q>
  noteOrganization(turn.env, organizationIn(rows))
  const guess = around === undefined ? null : recalled(turn, verb, rows)
  if (around !== undefined && !guess) return null
  const state: State<Q> = guess
    ? { schedule: guess, rows, now: nowIn(guess, now), lost: 0 }
    : { schedule: null, rows, now: now as PresentMs, lost: 0 }
  const decided = await decide(turn, verb, state)
  if (!('statements' in decided)) return claim || guess ? null : outcomeOf(decided)
  const end = await carryOut(turn, verb, decided, { demand: null, lost: 0, guess, isUnwaited: true })
  return typeof end === 'string' ? null : end
}

/** The schedule from memory, if it alone says what the verb needs and its commit proves it. */
function recalled<Q extends Queries, Body>(
  { memory, isDry }: Turn,
  { around, reachesTo, invitee, isRemembered }: Verb<Q, Body>,
  rows: Rows<Q>,
): Schedule | null {
  const known = isDry || around === undefined ? null : memory.recall(around, realNow(), reachesTo)
  if (!known || known.eventType.deletedAt !== null) return null
  // What has to be tidied or served first changes the version.
  if (known.hasExpired || hasReservedTime(known)) return null
  if (invitee && known.eventType.inviteeLimit !== null) return null
  if (isRemembered?.(rows, known) === false || memory.asksFirst()) return null
  return { ...known, inviteeBookings: 0 }
}
