import { openDb } from '../../platform/db/client.ts'
import { because } from '../../platform/http/errors.ts'
import { hasReservedTime } from '../schedule/claimed-starts.ts'
import { endExpired } from '../schedule/statements.ts'
import { carryOut } from './carry-out.ts'
import { commitTurn } from './commit.ts'
import { decide, outcomeOf } from './decide.ts'
import { load } from './load.ts'
import { type Outcome, refused } from './outcome.ts'
import { previewPromotions } from './preview-promotions.ts'
import { runAsRead } from './run-as-read.ts'
import { runFromMemory } from './run-from-memory.ts'
import type { Queries, Turn, Verb } from './verb.ts'
import type { Workplace } from './workplace.ts'

/** How often the waitlist is served before a command; then the command leaves its time to the waitlist. */
const MAX_SERVED = 3
/** Expired holds are removed once; more often only if deadlines pass in between. */
const MAX_TIDIED = 3
/** A verb that loses every race for hosts ends long before. */
const MAX_ATTEMPTS = 20
const MAX_RACES = 100
const PAUSE_MS = 10

/**
 * One turn of an event type's object: serves the waitlist, loads or recalls the schedule, lets the verb decide, commits its
 * plan with everything that belongs to it, and passes on released time. A refused batch changes nothing, and the verb
 * decides again.
 */
export async function runPlan<Q extends Queries, Body>(
  workplace: Workplace,
  verb: Verb<Q, Body>,
  arrivedAt: number,
): Promise<Outcome<Body>> {
  const isDry = verb.isDry ?? false
  const turn: Turn = { ...workplace, db: openDb(workplace.env, 'decide'), arrivedAt, isDry }
  // The commit proves what memory knows. A dry turn commits nothing, so it reads the version with everything else: see
  // `load`.
  const fromMemory = isDry ? null : await runFromMemory(turn, verb)
  const done = fromMemory ?? (await runAsRead(turn, verb))
  if (done) return done
  for (let lost = 0, served = 0, tidied = 0; ; ) {
    const found = await load(turn, verb)
    if (found.stored) return found.stored
    if (found.schedule?.hasExpired && !isDry && tidied < MAX_TIDIED) {
      tidied++
      await commitTurn(turn.db, [endExpired(turn.db, verb.eventTypeId, found.now)])
      continue
    }
    const mustServe = verb.servesFirst && hasReservedTime(found.schedule)
    if (mustServe && !isDry && served < MAX_SERVED) {
      served++
      await workplace.waitlist.promote(workplace, verb.eventTypeId, verb.now)
      continue
    }
    const state = mustServe && isDry ? await previewPromotions(turn, verb, found) : found
    const decided = await decide(turn, verb, { ...state, lost })
    if (!('statements' in decided)) return outcomeOf(decided)
    const end = await carryOut(turn, verb, decided, { demand: found.demand, lost, guess: null })
    if (end === 'KEY_IN_USE') return refused(because('still_running'))
    if (typeof end !== 'string') return end
    const refusal = verb.refusesOn?.[end]
    if (refusal) return refused(refusal)
    lost++
    if (lost >= (verb.isRacing ? MAX_RACES : MAX_ATTEMPTS)) return refused(because('changing'))
    // Turns that collided must not collide again at once.
    if (!verb.isRacing) await new Promise((go) => setTimeout(go, Math.random() * lost * PAUSE_MS))
  }
}
