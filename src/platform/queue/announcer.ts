import type { Env } from '../../env.ts'
import { type Message, wakeQueue } from './messages.ts'

/**
 * Tells the queue of what one object commits: what is announced while it is still being told of something goes
 * together, for it costs as much to tell it of one thing as of many.
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
