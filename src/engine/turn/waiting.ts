import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { type Db, openDb, type Statement } from '../../platform/db/client.ts'
import { assertTimeLeft } from '../../platform/db/deadline.ts'
import { keepStatements } from '../../platform/http/idempotency.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { outcomeOf } from './decide.ts'
import { decideFromMemory, isDecidable, refuseFromMemory } from './decide-from-memory.ts'
import type { Outcome } from './outcome.ts'
import { runPlan } from './run-plan.ts'
import type { Plan, Queries, Turn, Verb } from './verb.ts'
import type { Workplace } from './workplace.ts'

/** A command in the queue of its event type. */
export type Waiting = {
  readonly env: Env
  /** Runs it without any other. It never throws. */
  readonly runAlone: () => Promise<void>
  /** Decides it on a schedule that is known; null if it needs more than that. */
  readonly decideOn: (db: Db, schedule: Schedule) => Promise<Verdict | null>
  readonly fail: (error: unknown) => void
}

/** What was decided about a command that was not answered yet. */
export type Verdict = Joining | Refusing

export type Joining = {
  readonly plan: Plan<unknown> & Required<Pick<Plan<unknown>, 'apply'>>
  /** With the stored response. */
  readonly statements: readonly Statement[]
  /** After its commit: sends its messages, and answers. */
  readonly finish: () => void
}

export type Refusing = {
  /** Whether a commit of the others proves it: with a key, the response may be stored already. */
  readonly isProvable: boolean
  /** After a commit that it follows. */
  readonly finish: () => void
  /** Without one. Returns whether it was true after the command came; otherwise it is not answered. */
  readonly prove: () => Promise<boolean>
}

type Asking<Body> = {
  readonly env: Env
  readonly arrivedAt: number
  readonly resolve: (outcome: Outcome<Body>) => void
  readonly reject: (error: unknown) => void
}

/** The types of a command are known only in here. */
export function waitingFor<Q extends Queries, Body>(
  workplace: Workplace,
  verb: Verb<Q, Body>,
  { env, arrivedAt, resolve, reject }: Asking<Body>,
): Waiting {
  const fail = (error: unknown) => reject(bareError(error))

  async function runAlone() {
    try {
      assertTimeLeft(env)
      resolve(await runPlan({ ...workplace, env }, verb, arrivedAt))
    } catch (error) {
      fail(error)
    }
  }

  async function decideOn(db: Db, schedule: Schedule): Promise<Verdict | null> {
    if (verb.isDry || !isDecidable(verb, schedule)) return null
    assertTimeLeft(env)
    noteOrganization(env, schedule.eventType.organizationId)
    const turn: Turn = { ...workplace, env, db, arrivedAt, isDry: false }
    const { state, decided } = await decideFromMemory(turn, verb, schedule)
    if ('statements' in decided) return join(db, decided)
    const finish = () => resolve(outcomeOf(decided))
    const prove = async () => {
      const outcome = await refuseFromMemory({ ...turn, db: openDb(env, 'decide') }, verb, state, decided)
      if (outcome) resolve(outcome)
      return outcome !== null
    }
    return { isProvable: verb.claim === null, finish, prove }
  }

  /** Released time and opened slots need more than memory. */
  async function join(db: Db, plan: Plan<Body>): Promise<Joining | null> {
    const { apply, frees, freesSeveral, opens, status, body } = plan
    if (!apply || frees || freesSeveral || opens) return null
    const kept = await keepStatements(env, db, verb.claim, { status, body })
    return {
      plan: { ...plan, apply },
      statements: [...kept, ...plan.statements],
      finish: () => {
        for (const message of plan.messages ?? []) workplace.announce(message)
        resolve({ kind: 'done', body })
      },
    }
  }

  return { env, runAlone, decideOn, fail }
}

/** Work of the object itself, in the same queue. It never throws. */
export function waitingToRun(env: Env, runAlone: () => Promise<void>): Waiting {
  return { env, runAlone, decideOn: async () => null, fail: () => {} }
}
