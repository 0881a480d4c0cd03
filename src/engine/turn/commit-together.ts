import type { Env } from '../../env.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { isPassing } from '../../platform/db/passing-failure.ts'
import type { Fence } from '../../platform/db/refusals.ts'
import { divideAmong, tallied } from '../../platform/log/tally.ts'
import type { Schedule, ScheduleVersion } from '../schedule/schedule.ts'
import { guardVersion, selectVersion } from '../schedule/statements.ts'
import { commitTurn } from './commit.ts'
import type { ScheduleMemory } from './schedule-memory.ts'
import type { Joining, Refusing, Waiting } from './waiting.ts'

/** Limits of one batch: it is atomic, and D1 runs nothing else in the meantime. */
const MOST_COMMANDS = 20
const MOST_STATEMENTS = 160

type Decided = { readonly one: Waiting } & (Joining | Refusing)

type Group = {
  readonly decided: readonly Decided[]
  /** The schedule after all of them. */
  readonly after: Schedule
}

/**
 * Decides those at the head of the line one after another from memory, each on the schedule that the others before it make,
 * and commits all in one batch. Whoever needs more than memory, and all who come after, stay in the line. Returns how many
 * of it then have to run alone: if a fence refuses the batch, nothing is left of it, and it does not say whose statement it
 * refused.
 */
export async function commitTogether(memory: ScheduleMemory, line: Waiting[]): Promise<number> {
  const guess = memory.latest
  if (!guess) return 1
  const env = tallied(mostPatient(line.slice(0, MOST_COMMANDS)))
  const db = openDb(env, 'decide')
  const group = await decideHead(db, line, guess)
  if (!group) return 1
  const { decided } = group
  const back = (those: readonly Decided[]) => void line.unshift(...those.map(({ one }) => one))
  try {
    const fence = await commitGroup(db, memory, guess, group)
    if (fence === null) {
      for (const { finish } of decided) finish()
      return 0
    }
    back(decided)
    // The guard refuses for everybody alike: once the first has read what changed, the others go together again.
    return fence === 'STALE' ? 1 : decided.length
  } catch (error) {
    // What passes may have been committed nevertheless, so nobody may try again in another's place.
    const lost = isPassing(error) ? decided.filter(isJoining) : []
    for (const { one } of lost) one.fail(error)
    const others = decided.filter((each) => !(lost as readonly Decided[]).includes(each))
    back(others)
    return others.length
  } finally {
    const sharing = decided.filter(isJoining).map(({ one }) => one.env)
    divideAmong(env.tally, sharing)
  }
}

/** The batch may take as long as the one who waits longest. */
function mostPatient(waiting: readonly Waiting[]): Env {
  const leftMs = ({ env }: Waiting) => env.deadline?.leftMs() ?? Number.POSITIVE_INFINITY
  return waiting.reduce((most, one) => (leftMs(one) > leftMs(most) ? one : most)).env
}

function isJoining(one: Decided): one is Decided & Joining {
  return 'plan' in one
}

/** Takes from the line who can be decided; null if it begins with one who cannot, or nobody has anything to commit. */
async function decideHead(db: Db, line: Waiting[], guess: Schedule): Promise<Group | null> {
  const decided: Decided[] = []
  let after = guess
  let statements = 0
  while (line.length > 0 && decided.length < MOST_COMMANDS) {
    const one = line[0]!
    try {
      const verdict = await one.decideOn(db, after)
      if (!verdict) break
      if ('plan' in verdict) {
        statements += verdict.statements.length
        if (decided.length > 0 && statements > MOST_STATEMENTS) break
        after = verdict.plan.apply(after)
        decided.push({ one, ...verdict })
      } else if (decided.length > 0) {
        if (!verdict.isProvable) break
        decided.push({ one, ...verdict })
      } else if (!(await verdict.prove())) break
    } catch (error) {
      one.fail(error)
    }
    line.shift()
  }
  return decided.length === 0 ? null : { decided, after }
}

async function commitGroup(
  db: Db,
  memory: ScheduleMemory,
  guess: Schedule,
  { decided, after }: Group,
): Promise<Fence | null> {
  const tick = memory.tick()
  let isRemembered = false
  try {
    const { fence, answers } = await commitTurn(db, [
      guardVersion(db, guess),
      ...decided.filter(isJoining).flatMap(({ statements }) => statements),
      selectVersion(db, guess.eventType.id),
    ])
    if (fence === 'STALE') memory.doubt()
    if (fence) return fence
    memory.trust()
    const [to] = (answers?.at(-1) ?? []) as readonly ScheduleVersion[]
    if (to) {
      memory.advance(guess.version, to, () => after, tick)
      isRemembered = true
    }
    return null
  } finally {
    if (!isRemembered) memory.forget()
  }
}
