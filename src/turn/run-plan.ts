import { openDb, type Query, type Statement } from '../db/client.ts'
import type { Fence } from '../db/refusals.ts'
import { type Refusal, Refused } from '../http/errors.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../http/idempotency.ts'
import { isOwed } from '../schedule/claimed-starts.ts'
import { guardSchedule } from '../schedule/guard-schedule.ts'
import { loadForStart } from '../schedule/load-for-start.ts'
import { selectFreed } from '../schedule/queries.ts'
import { presentIn, type Schedule } from '../schedule/schedule.ts'
import type { ScheduleVersion } from '../schedule/version.ts'
import { guardVersion, selectVersion } from '../schedule/version-queries.ts'
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
  const fromMemory = await runFromMemory(turn, verb)
  if (fromMemory) return fromMemory
  for (let lost = 0, served = 0; ; ) {
    const found = await load(turn, verb)
    if (found.kept) return found.kept
    if (verb.servesFirst && served < MAX_SERVED && isOwed(found.schedule, found.owed)) {
      served++
      await workplace.line.promote(workplace, verb.eventTypeId, verb.now)
      continue
    }
    const decided = await decide(turn, verb, { ...found, lost })
    if ('refusal' in decided) return refused(decided.refusal)
    if ('unchanged' in decided) return unchanged(decided.unchanged)
    const end = await carryOut(turn, verb, decided, { interest: found.interest, lost, guess: null })
    if (end === 'KEY_IN_USE') return refused(STILL_RUNNING)
    if (typeof end !== 'string') return end
    const refusal = verb.refusesOn?.[end]
    if (refusal) return refused(refusal)
    lost++
    if (lost >= (verb.isRacing ? MAX_RACES : MAX_ATTEMPTS)) return refused(CHANGING)
    // Those who lost together must not meet again at once.
    if (!verb.isRacing) await new Promise((go) => setTimeout(go, Math.random() * lost * PAUSE_MS))
  }
}

/**
 * Decides by what memory knows, and commits only if that is still true. Null where it is not known, or was not true.
 * A key may have been answered long ago, so a refusal of a command with one is never told from memory.
 */
async function runFromMemory<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
): Promise<Outcome<Body> | null> {
  const { memory } = turn
  if (!verb.isRecallable || verb.around === undefined) return null
  const schedule = memory.recall(verb.around, verb.now)
  if (!schedule) return null
  const now = presentIn(schedule, verb.now)
  const decided = await decide(turn, verb, { schedule, now, rows: null, lost: 0, owed: [] })
  if (!('statements' in decided)) {
    if (verb.claim || !(await isStillSo(turn, verb.eventTypeId))) return null
    return 'refusal' in decided ? refused(decided.refusal) : unchanged(decided.unchanged)
  }
  const end = await carryOut(turn, verb, decided, { interest: null, lost: 0, guess: schedule })
  if (typeof end !== 'string') return end
  if (end === 'STALE') memory.doubt()
  return null
}

async function isStillSo({ memory, db, arrivedAt }: Turn, eventTypeId: string): Promise<boolean> {
  if (memory.wasTrueAfter(arrivedAt)) return true
  const tick = memory.tick()
  const [version] = await selectVersion(db, eventTypeId)
  return memory.confirm(version, tick)
}

type Found<Q extends Queries> = Omit<State<Q>, 'lost'> & {
  readonly kept: Outcome<never> | null
  readonly interest: Interest | null
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
  const rows = beside.slice(0, own.length) as unknown as Rows<Q>
  const [keptRows, owed = [], lineLength, sharing] = beside.slice(own.length) as never[][]
  const kept = await keptOutcome(env, claim, keptRows as never, () => verb.asItIs?.(rows))
  // What is owed to those who wait is not remembered, so that it is asked for again.
  if (around !== undefined) memory.remember(owed.length === 0 ? schedule : null, loadedFrom)
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

type Circumstances = {
  readonly interest: Interest | null
  /** How many plans a fence refused before. */
  readonly lost: number
  /** What memory knew, where nothing was loaded. */
  readonly guess: Schedule | null
}

/** Commits the plan and does what follows from it; tells the fence that refused it, which left nothing behind. */
async function carryOut<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  plan: Plan<Body>,
  circumstances: Circumstances,
): Promise<Outcome<Body> | Fence> {
  const { db, line, announce } = turn
  const { eventTypeId, now } = verb
  const { interest, lost } = circumstances
  const { frees } = plan
  const succession =
    frees && interest && lost < MAX_TOGETHER
      ? await line.chooseSuccessors(db, interest, frees, now)
      : SUCCESSION_LATER
  const opening = plan.opens ? await line.open(db, eventTypeId, now) : null
  const follows = [...succession.statements, ...(opening ? [opening.mark] : [])]
  const fence = await commit(turn, verb, plan, follows, circumstances.guess)
  if (fence) return fence

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
  return { kind: 'done', body: plan.body }
}

/**
 * One batch: what the plan rests on, the kept answer, the plan and what follows from it. Between two versions that are
 * asked for in it lies nothing but what it changes, so memory can follow.
 */
async function commit<Q extends Queries, Body>(
  { env, db, memory }: Turn,
  { eventTypeId, claim }: Verb<Q, Body>,
  { status, body, statements, decidedOn, apply }: Plan<Body>,
  follows: readonly Statement[],
  guess: Schedule | null,
): Promise<Fence | null> {
  const version = selectVersion(db, eventTypeId)
  const change = follows.length === 0 && !memory.isEmpty ? apply : undefined
  const tick = memory.tick()
  let isRemembered = false
  try {
    const { fence, answers } = await commitTurn(db, [
      ...(guess ? [guardVersion(db, guess)] : change ? [version] : []),
      ...(!guess && decidedOn ? [guardSchedule(db, decidedOn)] : []),
      ...(await keepStatements(env, db, claim, { status, body })),
      ...statements,
      ...follows,
      ...(change ? [version] : []),
    ])
    if (fence) return fence
    const from = guess ? guess.version : versionIn(answers?.[0])
    const to = versionIn(answers?.at(-1))
    if (change && from && to) {
      memory.advance(from, to, change, tick)
      isRemembered = true
    }
    return null
  } finally {
    if (!isRemembered) memory.forget()
  }
}

function versionIn(answer: unknown): ScheduleVersion | undefined {
  return (answer as readonly ScheduleVersion[] | undefined)?.[0]
}
