import { SECOND_MS } from '../../../core/time-units.ts'
import type { Env } from '../../../env.ts'
import type { DeliveryMessage } from '../../../platform/queue/messages.ts'

/** A process may have six connections open at a time: the others are for emails and for the database. */
const MOST = 3

/** For so long an event waits for receivers, so that their answers are stored with it. */
const PATIENCE_MS = SECOND_MS

type Begin = (message: DeliveryMessage, env: Env, work: (own: Env) => Promise<void>) => void

/**
 * The first attempts that a process makes itself, because it handles the event and nobody else may. All others go through the
 * queue.
 */
export class FirstAttempts {
  readonly #begin: Begin
  readonly patienceMs: number
  #free = MOST

  constructor(begin: Begin, patienceMs: number = PATIENCE_MS) {
    this.#begin = begin
    this.patienceMs = patienceMs
  }

  /** Takes a place for one more if there is one. `giveBack` returns it. */
  take(): boolean {
    if (this.#free === 0) return false
    this.#free -= 1
    return true
  }

  giveBack(): void {
    this.#free += 1
  }

  begin(env: Env, deliveryId: string, work: (own: Env) => Promise<void>): void {
    this.#begin({ type: 'delivery', deliveryId, attempt: 1 }, env, work)
  }
}
