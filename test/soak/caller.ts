import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE_KEY } from '../support/service.ts'

export type Json = Record<string, any>

export type Answer = { readonly status: number; readonly isReplay: boolean; readonly body: Json }

export type Asked = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The organization that the service's key acts for; without it, the call is anonymous. */
  readonly as?: string
  /** The service's key for what belongs to no organization. */
  readonly isOperator?: boolean
  readonly key?: string | null
  /** As a provider sent it, instead of a body. */
  readonly raw?: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

/** The connection ended before an answer came, or the answer says that nobody knows: what was asked may have been done. */
export class Cut extends Error {}

const MOST_ATTEMPTS = 10
const PAUSE_MS = 2_000

/** Asks the service, wherever it runs at the moment, from a network of its own each time. */
export class Caller {
  url = ''
  #callers = 0

  async send({ method, path, body, as, isOperator, key, raw }: Asked): Promise<Answer> {
    this.#callers += 1
    const caller = this.#callers
    const isOurs = as !== undefined || isOperator === true
    const headers = {
      'CF-Connecting-IP': `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`,
      'Content-Type': 'application/json',
      ...raw?.headers,
      ...(isOurs && { Authorization: `Bearer ${SERVICE_KEY}` }),
      ...(as !== undefined && { 'X-Org-Id': as }),
      ...(key != null && { 'Idempotency-Key': key }),
    }
    const sent = raw?.body ?? (body === undefined ? undefined : JSON.stringify(body))
    const given = { method, headers, ...(sent !== undefined && { body: sent }) }
    let status: number
    let isReplay: boolean
    let text: string
    try {
      const response = await fetch(new URL(path, this.url), given)
      status = response.status
      isReplay = response.headers.get('Idempotent-Replayed') === 'true'
      text = await response.text()
    } catch (error) {
      throw new Cut(error instanceof Error ? String(error.cause ?? error) : 'it ended')
    }
    if (status === 503) throw new Cut('503')
    return { status, isReplay, body: text === '' ? {} : JSON.parse(text) }
  }

  /** For what must succeed, if need be when a busy machine has time for it. */
  async must(given: Asked): Promise<Json> {
    const asked = given.method === 'GET' ? given : { key: randomUUID(), ...given }
    const { status, body } = await this.persist(asked)
    if (status >= 300) throw new Error(`${asked.method} ${asked.path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** Sends again what had no answer: only for what may be sent twice. */
  async persist(asked: Asked): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.send(asked)
        // The attempt before may still be at work.
        const isBusy = answer.status === 409 && attempt > 1
        if (!isBusy || attempt === MOST_ATTEMPTS) return answer
      } catch (error) {
        if (!(error instanceof Cut) || attempt === MOST_ATTEMPTS) throw error
      }
      await sleep(PAUSE_MS)
    }
  }
}
