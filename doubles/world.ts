/** One call of a double, below the path of its world. */
export type Call = {
  readonly method: string
  /** As the provider has it, such as `/calendar/v3/users/me/calendarList`; still percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Where the world is, without a slash at the end. */
  readonly base: string
  /** When it came in, by the clock of the world, in milliseconds. */
  readonly now: number
}

export type Reply = {
  readonly status: number
  readonly json?: unknown
  /** Instead of `json`. */
  readonly html?: string
  /** Instead of both, as it is; its Content-Type is among the headers. */
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export type Json = Record<string, any>

/** What goes wrong with the next calls whose «METHOD path » has `about` in it; it ends with a space. */
export type Trouble = {
  readonly about: string
  /** Only calls in whose path, query, headers or body this stands, so that tests of one world do not disturb each other. */
  readonly of?: string
  /** How often; once by default, `null` forever. */
  readonly times?: number | null
  /** `answers` what is said below instead of the real answer; `hangs` never answers; `drops` ends the connection. */
  readonly does?: 'answers' | 'hangs' | 'drops'
  /** Whether the call is carried out before its answer is lost. */
  readonly isCarriedOut?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly delayMs?: number
  /** Between the work and its answer, which is old by then. */
  readonly heldMs?: number
}

/** A provider of its own: its app registration, its accounts and what is in them. Nothing is shared with another. */
export type World = {
  /** What the provider's public API answers. Called one after the other. */
  answer(call: Call): Reply | Promise<Reply>
  /** What a test does there as an owner or as the provider; `path` is what stands behind `/control`. */
  control(call: Call): Reply | Promise<Reply>
}

/** What a world may ask of the frame. */
export type Frame = {
  readonly base: string
  /** By the clock of the world, in milliseconds. */
  now(): number
  /**
   * Posts a notification to a subscriber, if it is on this machine, and keeps it for `GET /control` either way. Nobody
   * has to wait for what comes back: the status, `unreachable`, or null where nothing was sent.
   */
  notify(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<number | 'unreachable' | null>
}

export type OpenWorld = (frame: Frame) => World
