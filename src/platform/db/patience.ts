import { SECOND_MS } from '../../core/time-units.ts'

/** How long a database may take, and how long one that did not answer may take to say that it is back: whoever waits for both waits less than ten seconds. */
const PATIENCE_MS = 7 * SECOND_MS
const PROBE_MS = 2 * SECOND_MS
/** D1 lets no batch run for longer: https://developers.cloudflare.com/d1/platform/limits/ */
const LONGEST_MS = 30 * SECOND_MS

/** What `isPassing` knows it by, also on the other side of an object. */
export const NO_ANSWER = 'The database did not answer in time'

/**
 * Patience with one database, in one isolate. Whoever waits longest for one that hangs hears so; after that one at a time asks
 * whether it is back, and all others are refused at once instead of queueing up behind each other. What was given up may
 * have happened nevertheless, as with every answer that is lost on its way.
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

  /** `leftMs` is what whoever asks may still wait; without an end it is one who takes their time, and is waited for longer. */
  async with<T>(ask: () => Promise<T>, leftMs?: number): Promise<T> {
    if (leftMs !== undefined && leftMs <= 0) throw new Error(NO_ANSWER)
    const ms = leftMs === Number.POSITIVE_INFINITY ? Math.max(this.#ms, LONGEST_MS) : this.#ms
    if (!this.#isSilent) return this.#within(ask, ms, leftMs)
    const now = Date.now()
    // By the clock: whoever asks may be gone before the answer comes.
    if (now < this.#probedUntil) throw new Error(NO_ANSWER)
    this.#probedUntil = now + this.#probeMs
    return this.#within(ask, this.#probeMs, leftMs)
  }

  async #within<T>(ask: () => Promise<T>, ms: number, leftMs = ms): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<never>((_, fail) => {
      const giveUp = () => {
        // Whose own time is over says nothing about the database.
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

/** Whoever asks through `door` asks the database behind it. */
export function sharePatience(door: D1Database, database: D1Database): void {
  patiences.set(door, patienceWith(database))
}
