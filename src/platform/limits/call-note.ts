/**
 * An answered call of a key: ids, patterns, numbers and our own words, and nothing that a person sent. So erasing a person
 * leaves it alone.
 */
export type CallNote = {
  /** The `X-Request-Id`, which says when it came and sorts by that. */
  readonly id: string
  readonly method: string
  /** The pattern of the path, such as `/v1/bookings/:id`. */
  readonly route: string
  readonly status: number
  /** How long it took. */
  readonly ms: number
  /** Why it was refused, or null. */
  readonly refusal: RefusalNote | null
}

export type RefusalNote = {
  readonly code: string
  /** Our own sentence; null where it could hold words of somebody else. */
  readonly message: string | null
  /** The fields that were wrong, by the endpoint's names for them. `*` is one that it does not know. */
  readonly fields: readonly string[]
  /** Which limit, or which kind of conflict. */
  readonly reason: string | null
}

/** Which calls are looked for: by the first digit of their status. */
export type StatusClass = '2xx' | '4xx' | '5xx'

export type CallQuery = {
  readonly statusClass: StatusClass | null
  /** Older ones than this id. */
  readonly before: string | null
  readonly limit: number
}

/** No call is kept longer, however long the service keeps other things. */
export const CALL_LOG_DAYS = 7
