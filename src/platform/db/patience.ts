import { SECOND_MS } from '../../core/time-units.ts'
import { FIRES_EVERY_MS, Watch } from './watch.ts'

/**
 * How long a database may take, and how long one that did not answer may take for a probe: waiting for both takes less than ten
 * seconds.
 */
const PATIENCE_MS = FIRES_EVERY_MS
const PROBE_MS = 2 * SECOND_MS
/** D1 lets no batch run for longer: https://developers.cloudflare.com/d1/platform/limits/ */
const LONGEST_MS = 30 * SECOND_MS

/** What `isPassing` knows it by, also on the other side of an object. */
export const NO_ANSWER = 'The database did not answer in time'

/**
 * A circuit breaker for one database, in one isolate. After a timeout the circuit opens: one probe at a time tests whether the
 * database answers again, and all other calls are refused at once instead of queueing up. A call that was given up may have
 * succeeded nevertheless, as with every lost answer.
 */
export class Patience {
  readonly #ms: number
  readonly #probeMs: number
  #isSilent = false
  #probedUntil = 0

  constructor(ms = PATIENCE_MS, probeMs = PROBE_MS) {
    this.#ms = ms
    this.#probeMs = probeMs
  }

  /**
   * `leftMs` is how long the caller still waits; without it, the caller has no deadline and the limit is longer. `watch` is the
   * caller's, so that a round trip takes no timer.
   */
  async with<T>(
    ask: () => Promise<T>,
    leftMs?: number,
    watch: Pick<Watch, 'after'> = new Watch(),
  ): Promise<T> {
    if (leftMs !== undefined && leftMs <= 0) throw new Error(NO_ANSWER)
    const ms = leftMs === Number.POSITIVE_INFINITY ? Math.max(this.#ms, LONGEST_MS) : this.#ms
    if (!this.#isSilent) return this.#within(ask, ms, leftMs, watch)
    const now = Date.now()
    // Measured by the clock: the caller may be gone before the answer comes.
    if (now < this.#probedUntil) throw new Error(NO_ANSWER)
    this.#probedUntil = now + this.#probeMs
    return this.#within(ask, this.#probeMs, leftMs, watch)
  }

  async #within<T>(
    ask: () => Promise<T>,
    ms: number,
    leftMs: number | undefined,
    watch: Pick<Watch, 'after'>,
  ): Promise<T> {
    const mostMs = Math.min(ms, leftMs ?? ms)
    let endWait = () => {}
    const silence = new Promise<never>((_, fail) => {
      const giveUp = () => {
        // A caller's own deadline says nothing about the database.
        if (ms === mostMs) {
          this.#isSilent = true
          this.#probedUntil = Date.now()
        }
        fail(new Error(NO_ANSWER))
      }
      endWait = watch.after(mostMs, giveUp)
    })
    const answer = ask().finally(() => {
      this.#isSilent = false
    })
    // One that comes too late is nobody's any more.
    answer.catch(() => {})
    try {
      return await Promise.race([answer, silence])
    } finally {
      endWait()
    }
  }
}

const patiences = new WeakMap<D1Database, Patience>()

/** All who ask one database share it; how long it lasts is said by the first. */
export function patienceWith(database: D1Database, ms?: number, probeMs?: number): Patience {
  const known = patiences.get(database)
  if (known) return known
  const patience = new Patience(ms, probeMs)
  patiences.set(database, patience)
  return patience
}

/** Calls through `door` count for the database behind it. */
export function sharePatience(door: D1Database, database: D1Database): void {
  patiences.set(door, patienceWith(database))
}
