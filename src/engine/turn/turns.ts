import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { because } from '../../platform/http/errors.ts'
import { forRequest } from '../../platform/http/for-request.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import { noteOrganization, tallied } from '../../platform/log/tally.ts'
import { writeLine } from '../../platform/log/write-line.ts'
import { commitTogether } from './commit-together.ts'
import { Mutex } from './mutex.ts'
import { type Outcome, refused } from './outcome.ts'
import { storeOutcome } from './stored-outcome.ts'
import type { Queries, Verb } from './verb.ts'
import { type Waiting, waitingFor, waitingToRun } from './waiting.ts'
import type { Workplace } from './workplace.ts'

/** The name of the verb, its request, and how long the caller still waits. */
type Asked = {
  readonly name: string
  readonly requestId?: string | undefined
  readonly leftMs?: number | undefined
}

/**
 * The turns of one event type, one after another: an object's own calls interleave wherever they await the database.
 * Commands that queue up in the meantime share the next commit.
 */
export class Turns {
  readonly #mutex = new Mutex()
  readonly #workplace: Workplace
  readonly #running = new Set<string>()
  readonly #queue: Waiting[] = []
  /** How many at the head of the queue share no commit. */
  #alone = 0
  /** The event type's organization, once a turn knew it. */
  #organizationId: string | null = null

  constructor(workplace: Workplace) {
    this.#workplace = workplace
  }

  /** Runs the verb in its turn, stores the outcome under its Idempotency-Key, and writes a log line with its name. */
  async run<Q extends Queries, Body>(verb: Verb<Q, Body>, asked: Asked): Promise<Outcome<Body>> {
    const { name, requestId, leftMs } = asked
    const began = Date.now()
    const arrivedAt = this.#workplace.memory.tick()
    const { env: home } = this.#workplace
    const env = leftMs === undefined ? tallied(home) : forRequest(home, leftMs)
    noteOrganization(env, this.#organizationId)
    const task = () =>
      new Promise<Outcome<Body>>((resolve, reject) => {
        this.#wait(waitingFor(this.#workplace, verb, { env, arrivedAt, resolve, reject }))
      })
    try {
      const outcome = await (verb.claim ? this.#once(env, verb.claim, task) : task())
      const { organizationId, rowsRead } = env.tally
      return { ...outcome, organizationId, rowsRead }
    } finally {
      this.#organizationId = env.tally.organizationId
      const done = { event: 'turn', request_id: requestId, verb: name, event_type_id: verb.eventTypeId }
      writeLine(env, env.tally, began, done)
    }
  }

  /** Unexpected errors reach the caller and the runtime's log without their parameters. */
  inTurn(task: (workplace: Workplace) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = () => task(this.#workplace).then(resolve, (error) => reject(bareError(error)))
      this.#wait(waitingToRun(this.#workplace.env, run))
    })
  }

  #wait(one: Waiting): void {
    this.#queue.push(one)
    void this.#mutex.run(() => this.#serve())
  }

  /** Serves at least the first, and perhaps others whose turn would come later. */
  async #serve(): Promise<void> {
    const { memory } = this.#workplace
    const first = this.#queue[0]
    if (!first) return
    if (this.#alone === 0 && this.#queue.length > 1 && !memory.isEmpty && !memory.isDoubted) {
      this.#alone = await commitTogether(memory, this.#queue)
      if (this.#queue[0] !== first) return
    }
    this.#alone = Math.max(0, this.#alone - 1)
    this.#queue.shift()
    await first.runAlone()
  }

  /** A request does not wait for another one with the same Idempotency-Key. */
  async #once<Body>(
    env: Env,
    claim: IdempotencyClaim,
    task: () => Promise<Outcome<Body>>,
  ): Promise<Outcome<Body>> {
    const key = `${claim.scope}\n${claim.key}`
    if (this.#running.has(key)) return refused(because('still_running'))
    this.#running.add(key)
    try {
      return await storeOutcome(env, claim, await task())
    } finally {
      this.#running.delete(key)
    }
  }
}
