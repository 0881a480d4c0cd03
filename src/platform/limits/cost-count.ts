import { MINUTE_MS } from '../../core/time-units.ts'
import { windowStart } from './window.ts'

/** How many rows the calls of one network may read in a clock minute. */
export const MOST_ROWS = 20_000
/** What a call counts as until it is known what it reads: so 40 calls of one network run at a time. */
const RESERVED_ROWS = 500
/** An isolate reports what it counted in units of this size. `COST_LIMIT` in wrangler.toml allows 20 units. */
const ROWS_A_UNIT = 1_000
/**
 * So many calls of a network are answered in any case. A person who pages through a year makes fewer, and the first month of
 * a large team reads more than all others together.
 */
export const FREE_CALLS = { page: 30, call: 12 } as const
/** Further networks in the same minute are not counted. */
const MAX_NETWORKS = 10_000

export type CallKind = keyof typeof FREE_CALLS

/** What the calls of a network read in one minute, as far as this isolate knows. */
export type Spent = {
  readonly network: string
  readonly calls: Record<CallKind, number>
  rows: number
  running: number
  reported: number
  /** Whether all isolates together are over the limit. */
  isOver: boolean
}

/** Rows read, by network and minute. */
export class CostCount {
  readonly #spent = new Map<string, Spent>()
  #minute = 0

  /** Begins a call, or says how long to wait. `now` is the real time. */
  begin(network: string, kind: CallKind, now: number): Spent | { readonly waitMs: number } {
    const spent = this.#of(network, now)
    spent.calls[kind] += 1
    if (spent.calls[kind] > FREE_CALLS[kind]) {
      if (spent.isOver || spent.rows >= MOST_ROWS) return { waitMs: this.#minute + MINUTE_MS - now }
      const reserved = (spent.running + 1) * RESERVED_ROWS
      if (spent.running > 0 && spent.rows + reserved > MOST_ROWS) return { waitMs: 0 }
    }
    spent.running += 1
    return spent
  }

  #of(network: string, now: number): Spent {
    const minute = windowStart(now, MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#spent.clear()
    }
    const known = this.#spent.get(network)
    if (known) return known
    const fresh = { network, calls: { page: 0, call: 0 }, rows: 0, running: 0, reported: 0, isOver: false }
    if (this.#spent.size < MAX_NETWORKS) this.#spent.set(network, fresh)
    return fresh
  }
}

/** Ends a call that read these rows, and returns how many units its network has to report. */
export function endCall(spent: Spent, rows: number): number {
  spent.running -= 1
  spent.rows += rows
  const units = Math.floor((spent.rows - spent.reported) / ROWS_A_UNIT)
  spent.reported += units * ROWS_A_UNIT
  return units
}
