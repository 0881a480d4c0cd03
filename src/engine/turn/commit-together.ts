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
/** After the first decision, the callers wait so long for commands of others, whose calendars may be slow. */
const GATHERED_MS = 500

type Decided = { readonly one: Waiting } & (Joining | Refusing)

type Group = {
  readonly decided: readonly Decided[]
  /** The schedule after all of them. */
  readonly after: Schedule
}

/**
 * Decides the commands at the head of the queue one after another from memory, each on the schedule after the ones before it,
 * and commits them in one batch. The first command that needs more than memory stays in the queue, with all behind it.
 * Returns how many commands have to run alone next: if a fence refuses the batch, nothing is left of it, and the error does
 * not say whose statement was refused.
 */
export async function commitTogether(memory: ScheduleMemory, queue: Waiting[]): Promise<number> {
  const guess = memory.latest
  if (!guess) return 1
  const env = tallied(mostPatient(queue.slice(0, MOST_COMMANDS)))
  const db = openDb(env, 'decide')
  const group = await decideHead(db, queue, guess)
  if (!group) return 1
  const { decided } = group
  const back = (those: readonly Decided[]) => void queue.unshift(...those.map(({ one }) => one))
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
    // After a passing failure the batch may have been committed: only callers may retry, with their keys.
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

/** The batch has the time that is left to the most patient caller. */
function mostPatient(waiting: readonly Waiting[]): Env {
  const leftMs = ({ env }: Waiting) => env.deadline?.leftMs() ?? Number.POSITIVE_INFINITY
  return waiting.reduce((most, one) => (leftMs(one) > leftMs(most) ? one : most)).env
}

function isJoining(one: Decided): one is Decided & Joining {
  return 'plan' in one
}

/** Takes the commands that can be decided from the queue; null if there is nothing to commit. */
async function decideHead(db: Db, queue: Waiting[], guess: Schedule): Promise<Group | null> {
  const decided: Decided[] = []
  let after = guess
  let statements = 0
  let until = Number.POSITIVE_INFINITY
  while (queue.length > 0 && decided.length < MOST_COMMANDS && Date.now() < until) {
    const one = queue[0]!
    try {
      const verdict = await one.decideOn(db, after)
      if (!verdict) break
      if ('plan' in verdict) {
        statements += verdict.statements.length
        if (decided.length > 0 && statements > MOST_STATEMENTS) break
        after = verdict.plan.apply(after)
        if (decided.length === 0) until = Date.now() + GATHERED_MS
        decided.push({ one, ...verdict })
      } else if (decided.length > 0) {
        if (!verdict.isProvable) break
        decided.push({ one, ...verdict })
      } else if (!(await verdict.prove())) break
    } catch (error) {
      one.fail(error)
    }
    queue.shift()
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
