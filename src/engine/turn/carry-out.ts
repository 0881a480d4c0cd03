import type { Statement } from '../../platform/db/client.ts'
import type { Fence } from '../../platform/db/refusals.ts'
import { keepStatements } from '../../platform/http/idempotency.ts'
import type { Schedule, ScheduleVersion } from '../schedule/schedule.ts'
import { guardSchedule, guardVersion, selectVersion } from '../schedule/statements.ts'
import { commitTurn } from './commit.ts'
import type { Outcome } from './outcome.ts'
import { PROMOTIONS_LATER, type WaitlistDemand } from './promotions.ts'
import type { Plan, Queries, Turn, Verb } from './verb.ts'

/** Promotions are part of the same commit; after this many refused commits they follow it. */
const MAX_TOGETHER = 4

type Circumstances = {
  readonly demand: WaitlistDemand | null
  /** How many plans a fence refused before. */
  readonly lost: number
  /** The schedule from memory, if nothing was loaded. */
  readonly guess: Schedule | null
  /** Whether nobody read who waits for the time that it releases: the batch is refused if anybody does. */
  readonly isUnwaited?: boolean
}

/**
 * Commits the plan and does what follows. Returns the fence if one refused the batch, which then changed nothing. A dry
 * turn ends here.
 */
export async function carryOut<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  plan: Plan<Body>,
  circumstances: Circumstances,
): Promise<Outcome<Body> | Fence> {
  if (turn.isDry) return { kind: 'done', body: plan.body }
  const { db, waitlist, announce } = turn
  const { eventTypeId, now } = verb
  const { demand, lost, isUnwaited = false } = circumstances
  const { frees } = plan
  const promotions =
    frees && demand && lost < MAX_TOGETHER
      ? await waitlist.planPromotions(db, demand, frees, now)
      : PROMOTIONS_LATER
  const { releases } = verb
  const unwaited = isUnwaited && frees && releases !== undefined
  const nobody = unwaited ? waitlist.guardNobody(db, eventTypeId, releases) : []
  const change = plan.opens ? await waitlist.prepareChange(db, eventTypeId, now) : null
  const follows = [...promotions.statements, ...(change ? [change.mark] : [])]
  const { fence, sharing } = await commit(turn, verb, plan, { nobody, follows }, circumstances.guess)
  if (fence) return fence

  for (const message of plan.messages ?? []) announce(message)
  for (const eventId of promotions.eventIds) announce({ type: 'event', eventId })
  const waiting = (demand?.waiting ?? 0) - (frees?.givesUp?.entryIds.size ?? 0)
  if (frees && !promotions.isWhole && waiting > 0) {
    await waitlist.promote(turn, eventTypeId, now, frees.givesUp ? {} : { start: frees.booking.startTime })
  }
  if (plan.freesSeveral && waiting > 0) await waitlist.promote(turn, eventTypeId, now)
  const others = demand?.sharing ?? sharing
  for (const id of new Set(frees || plan.freesSeveral ? others.map((shared) => shared.id) : [])) {
    turn.announceReleased({ eventTypeId: id, now })
  }
  if (change?.before) {
    const { source, before } = change
    await waitlist.promote(turn, eventTypeId, now, { change: { source, before } })
  }
  return { kind: 'done', body: plan.body }
}

/**
 * One batch: what the plan rests on, the stored response, the plan and what follows. Between two versions that are read in
 * it lies only its own change, so memory can follow. If the version before is guarded and the plan says how far it
 * advances, neither is read.
 */
async function commit<Q extends Queries, Body>(
  { env, db, memory }: Turn,
  { eventTypeId, claim }: Verb<Q, Body>,
  { status, body, statements, decidedOn, apply, moves }: Plan<Body>,
  { nobody, follows }: { readonly nobody: readonly Statement[]; readonly follows: readonly Statement[] },
  guess: Schedule | null,
): Promise<{ readonly fence: Fence | null; readonly sharing: WaitlistDemand['sharing'] }> {
  const version = selectVersion(db, eventTypeId)
  const change = follows.length === 0 && !memory.isEmpty ? apply : undefined
  const moved = guess && moves ? sumOf(guess.version, moves) : null
  const tick = memory.tick()
  let isRemembered = false
  try {
    const proof = [
      ...(guess ? [guardVersion(db, guess)] : change ? [version] : []),
      ...(!guess && decidedOn ? [guardSchedule(db, decidedOn)] : []),
      ...nobody,
    ]
    const { fence, answers } = await commitTurn(db, [
      ...proof,
      ...(await keepStatements(env, db, claim, { status, body })),
      ...statements,
      ...follows,
      ...(change && !moved ? [version] : []),
    ])
    if (fence) return { fence, sharing: [] }
    const from = guess ? guess.version : versionIn(answers?.[0])
    const to = moved ?? versionIn(answers?.at(-1))
    if (change && from && to) {
      memory.advance(from, to, change, tick)
      isRemembered = true
    }
    // If the answer was lost, the sweep finds who waits.
    const sharing = nobody.length > 0 ? (answers?.[proof.length - 1] ?? []) : []
    return { fence: null, sharing: sharing as WaitlistDemand['sharing'] }
  } finally {
    if (!isRemembered) memory.forget()
  }
}

function sumOf(one: ScheduleVersion, other: ScheduleVersion): ScheduleVersion {
  return { own: one.own + other.own, shared: one.shared + other.shared }
}

function versionIn(answer: unknown): ScheduleVersion | undefined {
  return (answer as readonly ScheduleVersion[] | undefined)?.[0]
}
