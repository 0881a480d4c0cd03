import { MINUTE_MS } from '../../core/time-units.ts'
import { windowStart } from './window.ts'

/**
 * Callers whose call is among their first in a clock minute, as far as this isolate knows. Most callers make a few calls and
 * go: for them the count in memory is enough. The others are counted in the object that all isolates share.
 */
export class FirstCalls {
  readonly #most: number
  readonly #maxCallers: number
  readonly #calls = new Map<string, number>()
  #minute = 0

  /** Up to `most` calls of each caller; it knows `maxCallers` a minute, and nothing of those that come after them. */
  constructor(most: number, maxCallers: number) {
    this.#most = most
    this.#maxCallers = maxCallers
  }

  /** Counts a call, and returns whether it is one of the first. `now` is the real time. */
  take(caller: string, now: number): boolean {
    const minute = windowStart(now, MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#calls.clear()
    }
    const calls = this.#calls.get(caller) ?? 0
    if (calls >= this.#most || (calls === 0 && this.#calls.size >= this.#maxCallers)) return false
    this.#calls.set(caller, calls + 1)
    return true
  }
}
