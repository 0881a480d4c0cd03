import type { Query } from '../db/client.ts'
import { selectKept } from '../http/idempotency.ts'
import type { PresentMs } from '../limits/clock.ts'
import { loadForStart } from '../schedule/load-for-start.ts'
import { keptOutcome } from './kept-outcome.ts'
import type { Interest } from './line.ts'
import type { Outcome } from './outcome.ts'
import type { Queries, Rows, State, Turn, Verb } from './verb.ts'

/** What a turn knows before its verb decides. */
export type Found<Q extends Queries> = Omit<State<Q>, 'lost'> & {
  readonly kept: Outcome<never> | null
  readonly interest: Interest | null
}

/** Asks for everything that the verb decides on, in one round trip. */
export async function load<Q extends Queries, Body>(turn: Turn, verb: Verb<Q, Body>): Promise<Found<Q>> {
  const { db, env, memory, line } = turn
  const { eventTypeId, claim, releases, around, invitee, isDeletedToo } = verb
  const own = await verb.asks(turn)
  const ours: Query<unknown>[] = [
    ...(claim ? [selectKept(db, claim)] : []),
    ...(releases === undefined ? [] : line.selectInterest(db, eventTypeId, releases)),
  ]
  const loadedFrom = memory.tick()
  const asked = [...own, ...ours]
  const { schedule, now, beside, isLeft } =
    // What needs no schedule goes by its command's own time.
    around === undefined
      ? { schedule: null, now: verb.now as PresentMs, beside: await askAll(turn, asked), isLeft: false }
      : await loadForStart(
          db,
          eventTypeId,
          { start: around, invitee, isDeletedToo },
          verb.now,
          verb.canRecall ? memory.known : null,
          ...asked,
        )
  const rows = beside.slice(0, own.length) as unknown as Rows<Q>
  const answers = beside.slice(own.length) as never[][]
  const keptRows = claim ? answers.shift()! : []
  const [lineLength, sharing, freed] = answers
  const kept = await keptOutcome(env, claim, keptRows, () => verb.asItIs?.(rows, turn))
  if (around !== undefined) memory.remember(schedule, loadedFrom, isLeft)
  const interest = lineLength && sharing && freed ? interestOf(lineLength, sharing, freed) : null
  return { schedule, now, rows, kept, interest }
}

function interestOf(
  [line]: readonly { readonly waiting: number }[],
  sharing: Interest['sharing'],
  freed: Interest['freed'],
): Interest {
  return { waiting: line?.waiting ?? 0, sharing, freed }
}

/** All in one round trip, or in none where nothing is asked. */
export async function askAll({ db }: Turn, queries: readonly Query<unknown>[]): Promise<readonly unknown[]> {
  return queries.length === 0 ? [] : db.batch(queries as unknown as [Query<unknown>])
}
