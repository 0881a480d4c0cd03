import type { Query } from '../../platform/db/client.ts'
import { selectStored } from '../../platform/http/idempotency.ts'
import { type PresentMs, realNow } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { hasReservedTime } from '../schedule/claimed-starts.ts'
import { loadForStart } from '../schedule/load-for-start.ts'
import type { CurrentVersion } from '../schedule/schedule.ts'
import { nowIn } from '../schedule/schedule.ts'
import { selectVersion } from '../schedule/statements.ts'
import type { Outcome } from './outcome.ts'
import type { WaitlistDemand } from './promotions.ts'
import { storedOutcome } from './stored-outcome.ts'
import type { Queries, Rows, State, Turn, Verb } from './verb.ts'

/** What a turn knows before its verb decides. */
export type Found<Q extends Queries> = Omit<State<Q>, 'lost'> & {
  readonly stored: Outcome<never> | null
  readonly demand: WaitlistDemand | null
}

/** Reads everything that the verb decides on, in one round trip. */
export async function load<Q extends Queries, Body>(turn: Turn, verb: Verb<Q, Body>): Promise<Found<Q>> {
  const { db, env, waitlist, isDry } = turn
  const { eventTypeId, claim, releases } = verb
  const own = await verb.asks(turn)
  const ours: Query<unknown>[] = [
    ...(claim ? [selectStored(db, claim)] : []),
    // A dry turn releases no time.
    ...(releases === undefined || isDry ? [] : waitlist.selectDemand(db, eventTypeId, releases)),
  ]
  const asked = [...own, ...ours]
  const { schedule, now, beside } =
    (await loadBesideMemory(turn, verb, asked)) ?? (await loadAll(turn, verb, asked))
  const rows = beside.slice(0, own.length) as unknown as Rows<Q>
  const answers = beside.slice(own.length) as never[][]
  const storedRows = claim ? answers.shift()! : []
  const [waitingCount, sharing, freed] = answers
  const stored = await storedOutcome(env, claim, storedRows, () => verb.asItIs?.(rows, turn))
  noteOrganization(env, schedule?.eventType.organizationId ?? organizationIn(rows))
  const demand = waitingCount && sharing && freed ? demandOf(waitingCount, sharing, freed) : null
  return { schedule, now, rows, stored, demand }
}

type Loaded = Pick<State<Queries>, 'schedule' | 'now'> & { readonly beside: readonly unknown[] }

async function loadAll<Q extends Queries, Body>(
  turn: Turn,
  {
    eventTypeId,
    around,
    reachesBack,
    reachesTo,
    invitee,
    isDeletedToo,
    canRecall,
    now: askedAt,
  }: Verb<Q, Body>,
  asked: readonly Query<unknown>[],
): Promise<Loaded> {
  const { db, memory } = turn
  // Without a schedule the command's own time is the present.
  if (around === undefined) {
    return { schedule: null, now: askedAt as PresentMs, beside: await askAll(turn, asked) }
  }
  const loadedFrom = memory.tick()
  const { schedule, now, beside, timesLoaded } = await loadForStart(
    db,
    eventTypeId,
    { start: around, reachesBack, reachesTo, invitee, isDeletedToo },
    askedAt,
    { known: canRecall ? memory.known : null, base: memory.base, timesLoaded: memory.timesLoaded },
    ...asked,
  )
  memory.remember(schedule, loadedFrom, timesLoaded)
  return { schedule, now, beside }
}

/**
 * The schedule from memory, if its version is unchanged, with all other queries of the turn: of one moment, like a loaded
 * one. Null if it has changed, or does not include the invitee. If memory alone can decide, `runFromMemory` did it before,
 * but for a dry turn, which commits nothing that would prove it later.
 */
async function loadBesideMemory<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  asked: readonly Query<unknown>[],
): Promise<Loaded | null> {
  const { db, memory, isDry } = turn
  const { eventTypeId, around, reachesTo, invitee, now } = verb
  if (!isDry && verb.canRecall) return null
  const known = around === undefined ? null : memory.recall(around, realNow(), reachesTo)
  if (!known || known.eventType.deletedAt !== null) return null
  // What has to be tidied or served first changes the version.
  if (!isDry && (known.hasExpired || hasReservedTime(known))) return null
  if (invitee && known.eventType.inviteeLimit !== null) return null
  if (!isDry && memory.asksFirst()) return null
  const tick = memory.tick()
  const [versions, ...beside] = await askAll(turn, [selectVersion(db, eventTypeId), ...asked])
  const [current] = versions as CurrentVersion[]
  if (!current || !memory.confirm(current, tick)) {
    if (!isDry) memory.doubt()
    return null
  }
  if (verb.isRemembered?.(beside as unknown as Rows<Q>, known) === false) return null
  const version = { own: current.own, shared: current.shared }
  return { schedule: { ...known, version, inviteeBookings: 0 }, now: nowIn(known, now), beside }
}

/** Rows about an event type contain its organization, some of them nested; all are of one organization. */
export function organizationIn(value: unknown, depth = 4): string | null {
  if (typeof value !== 'object' || value === null || depth === 0) return null
  if ('organizationId' in value && typeof value.organizationId === 'string') return value.organizationId
  for (const inner of Object.values(value)) {
    const found = organizationIn(inner, depth - 1)
    if (found !== null) return found
  }
  return null
}

function demandOf(
  [waitlist]: readonly { readonly waiting: number }[],
  sharing: WaitlistDemand['sharing'],
  freed: WaitlistDemand['freed'],
): WaitlistDemand {
  return { waiting: waitlist?.waiting ?? 0, sharing, freed }
}

/** In one round trip, or in none without queries. */
export async function askAll({ db }: Turn, queries: readonly Query<unknown>[]): Promise<readonly unknown[]> {
  return queries.length === 0 ? [] : db.batch(queries)
}
