import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import { homeOf } from '../../platform/db/shards.ts'
import type { EventTypeKeeper } from './event-type-keeper.ts'

/**
 * One object per event type: every change of its bookings happens here, one at a time. It holds nothing that it could
 * not lose.
 */
export class EventTypeObject extends DurableObject<Env> {
  #keeper: Promise<EventTypeKeeper> | null = null

  async forget(): Promise<void> {
    this.#keeper = null
  }

  /** Answers `askEventType`. `leftMs` is how long the caller still waits. */
  async run(name: string, input: unknown, leftMs?: number): Promise<unknown> {
    return (await this.#opened()).run(name, input, leftMs)
  }

  /** What decides is evaluated for the first command: most isolates only read. */
  #opened(): Promise<EventTypeKeeper> {
    this.#keeper ??= import('./event-type-keeper.ts').then(({ EventTypeKeeper }) => {
      // Commands reach it by the id of their event type, which is its name.
      const home = homeOf(this.env, this.ctx.id.name!)
      return new EventTypeKeeper(this.env, home, (work) => this.ctx.waitUntil(work))
    })
    return this.#keeper
  }
}
