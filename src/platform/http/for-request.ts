import type { Env } from '../../env.ts'
import { ANSWER_MS, type Deadline, deadlineIn, withDeadline } from '../db/deadline.ts'
import { newTally, type Tally, tallied } from '../log/tally.ts'

/** The environment of one request or turn, with its own time limit and tally. */
export function forRequest(
  env: Env,
  ms: number = env.answerMs ?? ANSWER_MS,
): Env & { readonly tally: Tally } {
  if (env.deadline || env.tally || env.home) return tallied(withDeadline(env, ms))
  return new (surroundingsOf(env))(newTally(), deadlineIn(ms)) as Env & { readonly tally: Tally }
}

type Surroundings = new (tally: Tally, deadline: Deadline) => object
const known = new WeakMap<Env, Surroundings>()

/**
 * A class of what inherits from the bindings, made once: describing each new object to the engine takes 40 times as long. Its
 * fields are defined and not assigned, as in `withOwn`.
 */
function surroundingsOf(env: Env): Surroundings {
  const found = known.get(env)
  if (found) return found
  function Bindings() {}
  Bindings.prototype = env
  const made = class extends (Bindings as unknown as new () => object) {
    readonly tally: Tally
    readonly deadline: Deadline

    constructor(tally: Tally, deadline: Deadline) {
      super()
      this.tally = tally
      this.deadline = deadline
    }
  }
  known.set(env, made)
  return made
}
