import type { Env } from '../../env.ts'
import type { Tally } from './tally.ts'

/** What was done: ids, patterns and numbers only, never a name, an address or a token. */
type Done = {
  /** `request`, `page`, `turn`, `queue`, `work` or `sweep`. */
  readonly event: string
  readonly request_id?: string | undefined
  /** The pattern of the path, such as `/v1/bookings/:id`. */
  readonly route?: string | null
  readonly status?: number
  /** Further ids and numbers. */
  readonly [about: string]: string | number | null | undefined
}

/** One line of JSON per request and job, with its duration and its database work. */
export function writeLine(
  env: Pick<Env, 'LOG_LINES'>,
  tally: Tally,
  since: number,
  { event, request_id, ...about }: Done,
): void {
  if (env.LOG_LINES === 'off') return
  console.log(
    JSON.stringify({
      event,
      request_id,
      organization_id: tally.organizationId,
      ...about,
      ms: Date.now() - since,
      round_trips: tally.roundTrips,
      statements: tally.statements,
      rows_read: tally.rowsRead,
      rows_written: tally.rowsWritten,
    }),
  )
}
