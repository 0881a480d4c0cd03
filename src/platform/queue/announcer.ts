import type { Env } from '../../env.ts'
import { type Message, wakeQueue } from './messages.ts'

/**
 * Enqueues what one object commits: commits announced during a send go together in the next one, because one message costs as
 * much as many.
 */
export class Announcer {
  readonly #env: Env
  readonly #inBackground: (work: Promise<void>) => void
  #waiting: Message[] = []
  #isTelling = false

  constructor(env: Env, inBackground: (work: Promise<void>) => void) {
    this.#env = env
    this.#inBackground = inBackground
  }

  announce(message: Message): void {
    this.#waiting.push(message)
    if (!this.#isTelling) this.#inBackground(this.#tell())
  }

  async #tell(): Promise<void> {
    this.#isTelling = true
    try {
      while (this.#waiting.length > 0) await wakeQueue(this.#env, ...this.#waiting.splice(0))
    } finally {
      this.#isTelling = false
    }
  }
}
