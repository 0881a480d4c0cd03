import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../failure.ts'
import { advice } from './advice.ts'
import type { SmokeSettings } from './settings.ts'

export type Headers = Readonly<Record<string, string>>
type Asked = {
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Headers
  /** It is not stopped halfway: what it makes must be known, to be deleted. */
  readonly isWhole?: true
}
export const UNSTOPPED = new AbortController().signal
export type Say = (line: string) => void

const PAUSE_MS = 1_000
const ANSWER_MS = 30_000
const NAME_WIDTH = 26
const TIME_WIDTH = 9

/** What the steps share: the deployment, and what they have made there. */
export class Run {
  readonly #settings: SmokeSettings
  readonly url: string
  readonly #stop: AbortSignal
  readonly #say: Say
  organizationId: string | null = null

  constructor(settings: SmokeSettings, stop: AbortSignal, say: Say) {
    this.#settings = settings
    this.url = settings.url
    this.#stop = stop
    this.#say = say
  }

  get asOperator() {
    return { Authorization: `Bearer ${this.#settings.serviceKey}` }
  }

  /** Shows how a step ended and how long it took. */
  async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const show = (how: string) => {
      const took = `${Math.round(performance.now() - began)} ms`
      this.#say(`${how.padEnd(5)} ${name.padEnd(NAME_WIDTH)} ${took.padStart(TIME_WIDTH)}`)
    }
    try {
      const result = await work()
      show('ok')
      return result
    } catch (error) {
      show(this.#stop.aborted ? 'stop' : 'FAIL')
      throw error
    }
  }

  /** The body of an answer that says yes. */
  async must<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
    const { status, text } = await ask(this.url + path, method, asked, asked.isWhole ? UNSTOPPED : this.#stop)
    if (status < 300) return JSON.parse(text)
    throw new Failure(advice(method, path, status, text))
  }

  /** Asks again until there is an answer, null after the time that queues and the cron may take. */
  async waitFor<T>(find: () => Promise<T | null>): Promise<T | null> {
    const until = performance.now() + this.#settings.waitMs
    for (;;) {
      const found = await find()
      if (found !== null) return found
      if (performance.now() > until) return null
      await sleep(PAUSE_MS, undefined, { signal: this.#stop })
    }
  }
}

export async function ask(url: string, method: string, { body, headers }: Asked, stop: AbortSignal) {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json', ...headers },
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]),
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const { message, cause } = error as Error
    throw new Failure(
      `${method} ${url} had no answer: ${cause instanceof Error ? cause.message : message}.\nCheck the address, its DNS record and its route in wrangler.toml.`,
    )
  }
}
