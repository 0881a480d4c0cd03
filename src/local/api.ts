import { Failure } from './failure.ts'

export type Json = Record<string, unknown>
type Answer<T> = { readonly status: number; readonly body: T }

/** Calls the running service as any other client would. */
export class Api {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url
    this.#headers = headers
  }

  async call<T>(method: string, path: string, body?: Json): Promise<Answer<T>> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { ...this.#headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }

  /** The body of an answer that must be a success. */
  async need<T>(method: string, path: string, body?: Json): Promise<T> {
    const answer = await this.call<T>(method, path, body)
    if (answer.status < 300) return answer.body
    throw new Failure(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
}
