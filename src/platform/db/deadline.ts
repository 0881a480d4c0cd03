import { SECOND_MS } from '../../core/time-units.ts'
import { type Env, withOwn } from '../../env.ts'
import { NO_ANSWER } from './patience.ts'
import { Watch } from './watch.ts'

/** Callers get an answer within ten seconds. What is left of them is for the answer itself. */
export const ANSWER_MS = 9 * SECOND_MS
/** What the database refuses at the deadline has so long to become an answer of its own. */
const GRACE_MS = SECOND_MS / 2

export type Deadline = NonNullable<Env['deadline']>

/**
 * The same environment with one time limit for everything that a request reads: it ends `ms` from now. A call made inside
 * another request has what is left of that request's limit.
 */
export function withDeadline(env: Env, ms: number = env.answerMs ?? ANSWER_MS): Env {
  return env.deadline ? env : withOwn(env, { deadline: deadlineIn(ms) })
}

/** A time limit that begins now. */
export function deadlineIn(ms: number): Deadline {
  let until = Date.now() + ms
  let isLifted = false
  return {
    watch: new Watch(),
    leftMs: () => (isLifted ? Number.POSITIVE_INFINITY : until - Date.now()),
    lift: () => {
      isLifted = true
    },
    postpone: (more) => {
      until += more
    },
  }
}

/**
 * For the few that take as long as there is something to do: an export, an import, an erasure. The database may take as long
 * for each of their statements as it takes for any.
 */
export function takeTime({ deadline }: Pick<Env, 'deadline'>): void {
  deadline?.lift()
}

/**
 * The result of `ask`, limited to `atMost` milliseconds. It is for calls to outside services, whose time does not count as
 * ours: what follows has the time that was left before.
 */
export async function uncounted<T>(
  { deadline }: Pick<Env, 'deadline'>,
  atMost: number,
  ask: () => Promise<T>,
): Promise<T> {
  const begun = Date.now()
  deadline?.postpone(atMost)
  try {
    return await ask()
  } finally {
    deadline?.postpone(Math.min(0, Date.now() - begun - atMost))
  }
}

/** How long something may take that leaves `forRest` for what comes after it, `most` at most. */
export function timeFor({ deadline }: Pick<Env, 'deadline'>, most: number, forRest: number): number {
  return Math.max(0, Math.min(most, (deadline?.leftMs() ?? most + forRest) - forRest))
}

/** After the limit, nothing new is started. */
export function assertTimeLeft({ deadline }: Pick<Env, 'deadline'>): void {
  if (deadline && deadline.leftMs() <= 0) throw new Error(NO_ANSWER)
}

/**
 * The result of `act`, or a passing failure once the request's time limit is over, whatever hangs. What was started continues
 * in the background, which `goOn` ensures, and its database connection is closed.
 */
export async function byDeadline<T>(
  { deadline }: Pick<Env, 'deadline'>,
  act: () => Promise<T>,
  goOn: (work: Promise<unknown>) => void,
): Promise<T> {
  if (!deadline) return act()
  let endWait = () => {}
  const work = act()
  const tooLate = new Promise<never>((_, fail) => {
    const judge = () => {
      const leftMs = deadline.leftMs()
      if (leftMs === Number.POSITIVE_INFINITY) return
      if (leftMs > 0) {
        endWait = deadline.watch.after(leftMs + GRACE_MS, judge)
        return
      }
      goOn(work.catch(() => {}))
      fail(new Error(NO_ANSWER))
    }
    endWait = deadline.watch.after(deadline.leftMs() + GRACE_MS, judge)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    endWait()
  }
}
