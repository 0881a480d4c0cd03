import { openDb, type Query } from '../db/client.ts'
import { type Refusal, Refused } from '../http/errors.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../http/idempotency.ts'
import { isOwed } from '../schedule/claimed-starts.ts'
import { guardSchedule } from '../schedule/guard-schedule.ts'
import { loadForStart } from '../schedule/load-for-start.ts'
import { selectFreed } from '../schedule/queries.ts'
import { presentIn } from '../schedule/schedule.ts'
import { commitTurn } from './commit.ts'
import { keptOutcome } from './kept-outcome.ts'
import { type Interest, SUCCESSION_LATER } from './line.ts'
import { type Outcome, refused, unchanged } from './outcome.ts'
import type { Decided, Plan, Queries, Rows, State, Turn, Verb } from './verb.ts'
import type { Workplace } from './workplace.ts'

/** How often those who wait are served before a command; then it leaves to them what they wait for. */
const MAX_SERVED = 3
/** Successors are booked in the same commit; where that was refused so often, they follow after it. */
const MAX_TOGETHER = 4
/** A verb that loses every race for hosts gives up by itself long before. */
const MAX_ATTEMPTS = 20
const MAX_RACES = 100
const PAUSE_MS = 10

const CHANGING: Refusal = {
  code: 'conflict',
  message: 'This keeps changing; try again in a moment.',
  reason: 'changing',
}

/**
 * One turn of an event type's object: serves those who wait, loads or recalls what the verb decides on, lets it decide,
 * commits its plan with everything that belongs to it, and passes on what it frees. A plan that a fence refuses left
 * nothing behind, and is decided again.
 */
export async function runPlan<Q extends Queries, Body>(
  workplace: Workplace,
  verb: Verb<Q, Body>,
  arrivedAt: number,
): Promise<Outcome<Body>> {
  const turn: Turn = { ...workplace, db: openDb(workplace.env, 'decide'), arrivedAt }
  for (let lost = 0, served = 0; ; ) {
    const found = recall(turn, verb, lost + served) ?? (await load(turn, verb))
    if (found.kept) return found.kept
    if (verb.servesFirst && served < MAX_SERVED && isOwed(found.schedule, found.owed)) {
      served++
      await workplace.line.promote(workplace, verb.eventTypeId, verb.now)
      continue
    }
    const decided = await decide(turn, verb, { ...found, lost })
    if ('refusal' in decided) return refused(decided.refusal)
    if ('unchanged' in decided) return unchanged(decided.unchanged)
    const ended = await commit(turn, verb, decided, found.interest, lost)
    if (ended) return ended
    lost++
    if (lost >= (verb.isRacing ? MAX_RACES : MAX_ATTEMPTS)) return refused(CHANGING)
    // Those who lost together must not meet again at once.
    if (!verb.isRacing) await new Promise((go) => setTimeout(go, Math.random() * lost * PAUSE_MS))
  }
}

type Found<Q extends Queries> = Omit<State<Q>, 'lost'> & {
  readonly kept: Outcome<never> | null
  readonly interest: Interest | null
}

/** What memory knows. A key may have been answered long ago, so a command with one always asks. */
function recall<Q extends Queries, Body>(
  { memory, arrivedAt }: Turn,
  verb: Verb<Q, Body>,
  attempts: number,
): Found<Q> | null {
  if (!verb.isRecallable || verb.around === undefined || attempts > 0 || verb.claim) return null
  const schedule = memory.recall(arrivedAt, verb.around)
  if (!schedule) return null
  return { schedule, now: presentIn(schedule, verb.now), rows: null, kept: null, owed: [], interest: null }
}

async function load<Q extends Queries, Body>(turn: Turn, verb: Verb<Q, Body>): Promise<Found<Q>> {
  const { db, env, memory, line } = turn
  const { eventTypeId, claim, releases, around } = verb
  const own = await verb.asks(turn)
  const ours: Query<unknown>[] = [
    selectKept(db, claim),
    ...(verb.servesFirst || releases !== undefined ? [selectFreed(db, eventTypeId)] : []),
    ...(releases === undefined ? [] : line.selectInterest(db, eventTypeId, releases)),
  ]
  const loadedFrom = memory.tick()
  const asked = [...own, ...ours]
  const { schedule, now, beside } =
    around === undefined
      ? { schedule: null, now: verb.now, beside: await askAll(turn, asked) }
      : await loadForStart(db, eventTypeId, around, verb.now, ...asked)
  if (around !== undefined) memory.remember(schedule, loadedFrom)
  const rows = beside.slice(0, own.length) as unknown as Rows<Q>
  const [keptRows, owed = [], lineLength, sharing] = beside.slice(own.length) as never[][]
  const kept = await keptOutcome(env, claim, keptRows as never, () => verb.asItIs?.(rows))
  const interest = lineLength && sharing ? interestOf(lineLength, sharing, owed) : null
  return { schedule, now, rows, kept, owed, interest }
}

function interestOf(
  [line]: readonly { readonly waiting: number }[],
  sharing: Interest['sharing'],
  freed: Interest['freed'],
): Interest {
  return { waiting: line?.waiting ?? 0, sharing, freed }
}

async function askAll({ db }: Turn, queries: readonly Query<unknown>[]): Promise<readonly unknown[]> {
  return db.batch(queries as unknown as [Query<unknown>])
}

/** Rooms below the turn refuse by throwing; here that is an end like any other. */
async function decide<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  state: State<Q>,
): Promise<Decided<Body>> {
  try {
    return await verb.decide(turn, state)
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal }
    throw error
  }
}

/** Null where a fence refused the plan and it is to be decided again. */
async function commit<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  plan: Plan<Body>,
  interest: Interest | null,
  lost: number,
): Promise<Outcome<Body> | null> {
  const { env, db, memory, line, announce } = turn
  const { eventTypeId, claim, now } = verb
  const { status, body, frees } = plan
  const succession =
    frees && interest && lost < MAX_TOGETHER
      ? await line.chooseSuccessors(db, interest, frees, now)
      : SUCCESSION_LATER
  const opening = plan.opens ? await line.open(db, eventTypeId, now) : null
  let isCommitted = false
  try {
    const fence = await commitTurn(db, [
      ...(await keepStatements(env, db, claim, { status, body })),
      ...(plan.decidedOn ? [guardSchedule(db, plan.decidedOn)] : []),
      ...plan.statements,
      ...succession.statements,
      ...(opening ? [opening.mark] : []),
    ])
    if (fence === 'KEY_IN_USE') return refused(STILL_RUNNING)
    const refusal = fence && verb.refusesOn?.[fence]
    if (refusal) return refused(refusal)
    if (fence) return null
    isCommitted = true
  } finally {
    if (isCommitted && plan.apply && succession.statements.length === 0) memory.apply(plan.apply)
    else memory.forget()
  }
  for (const message of plan.messages ?? []) announce(message)
  for (const eventId of succession.eventIds) announce({ type: 'event', eventId })
  if (frees && interest && !succession.isWhole && interest.waiting > 0) {
    await line.promote(turn, eventTypeId, now, { start: frees.booking.startTime })
  }
  for (const id of new Set(frees ? interest?.sharing.map((shared) => shared.id) : [])) {
    turn.tellTimeFreed({ eventTypeId: id, now })
  }
  if (opening?.before) {
    const { source, before } = opening
    await line.promote(turn, eventTypeId, now, { change: { source, before } })
  }
  return { kind: 'done', body }
}
