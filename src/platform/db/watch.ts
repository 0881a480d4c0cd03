import { SECOND_MS } from '../../core/time-units.ts'

type Wait = { readonly at: number; readonly giveUp: () => void }

/** The timer fires no later than this. Waits of this length that begin in the meantime need no timer of their own. */
export const FIRES_EVERY_MS = 7 * SECOND_MS

/** The waits of one request on one timer, because nearly all of them end long before their time. */
export class Watch {
  readonly #waits = new Set<Wait>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #firesAt = Number.POSITIVE_INFINITY

  /** Calls `giveUp` after `ms`, unless the wait is ended before by what this returns. */
  after(ms: number, giveUp: () => void): () => void {
    const wait = { at: Date.now() + ms, giveUp }
    this.#waits.add(wait)
    this.#fireBy(wait.at)
    return () => {
      this.#waits.delete(wait)
      if (this.#waits.size > 0) return
      clearTimeout(this.#timer)
      this.#firesAt = Number.POSITIVE_INFINITY
    }
  }

  #fireBy(at: number): void {
    if (at >= this.#firesAt) return
    clearTimeout(this.#timer)
    const ms = Math.min(at - Date.now(), FIRES_EVERY_MS)
    this.#firesAt = Date.now() + ms
    this.#timer = setTimeout(() => this.#fire(), ms)
  }

  #fire(): void {
    // A timer may be a little ahead of the clock.
    const now = Math.max(Date.now(), this.#firesAt)
    this.#firesAt = Number.POSITIVE_INFINITY
    for (const wait of [...this.#waits]) {
      if (wait.at > now) continue
      this.#waits.delete(wait)
      wait.giveUp()
    }
    if (this.#waits.size > 0) this.#fireBy(Math.min(...[...this.#waits].map(({ at }) => at)))
  }
}
