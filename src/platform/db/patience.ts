import { SECOND_MS } from '../../core/time-units.ts'

/**
 * How long a database may take, and how long one that did not answer may take for a probe: waiting for both takes less than ten
 * seconds.
 */
const PATIENCE_MS = 7 * SECOND_MS
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

  /** `leftMs` is how long the caller still waits; without it, the caller has no deadline and the limit is longer. */
  async with<T>(ask: () => Promise<T>, leftMs?: number): Promise<T> {
    if (leftMs !== undefined && leftMs <= 0) throw new Error(NO_ANSWER)
    const ms = leftMs === Number.POSITIVE_INFINITY ? Math.max(this.#ms, LONGEST_MS) : this.#ms
    if (!this.#isSilent) return this.#within(ask, ms, leftMs)
    const now = Date.now()
    // Measured by the clock: the caller may be gone before the answer comes.
    if (now < this.#probedUntil) throw new Error(NO_ANSWER)
    this.#probedUntil = now + this.#probeMs
    return this.#within(ask, this.#probeMs, leftMs)
  }

  async #within<T>(ask: () => Promise<T>, ms: number, leftMs = ms): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<never>((_, fail) => {
      const giveUp = () => {
        // A caller's own deadline says nothing about the database.
        if (ms <= leftMs) {
          this.#isSilent = true
          this.#probedUntil = Date.now()
        }
        fail(new Error(NO_ANSWER))
      }
      timer = setTimeout(giveUp, Math.min(ms, leftMs))
    })
    const answer = ask().finally(() => {
      this.#isSilent = false
    })
    // One that comes too late is nobody's any more.
    answer.catch(() => {})
    try {
      return await Promise.race([answer, silence])
    } finally {
      clearTimeout(timer)
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
