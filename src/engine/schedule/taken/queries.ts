import { MINUTE_MS } from '../../../core/time-units.ts'
import { OWN_MARK } from '../own-uids.ts'
import { FORTNIGHT_MS, MOST_PACKED, TAG_LENGTH } from './read-times.ts'

/** Where taken times are looked for, and the instant from which they count. */
export type Around = {
  readonly from: string
  readonly until: string
  readonly present: string
  readonly base: string
}

const UNIT_OF_HOLD = `CASE WHEN starts_at % ${MINUTE_MS} = 0 AND ends_at % ${MINUTE_MS} = 0
  AND coalesce(meets_at, starts_at) % ${MINUTE_MS} = 0 THEN ${MINUTE_MS} ELSE 1 END`

function timeFrom(base: string): string {
  return `iif(unit = 1, '!', '') || ((starts_at - CAST(${base} AS INTEGER)) / unit) || ',' || ((ends_at - starts_at) / unit)`
}

/** Packs holds; `rows` is the rest of a query after its FROM. Null without rows. */
function packedHolds(rows: string, base: string): string {
  const rest = `iif(meets_at = starts_at AND expires_at IS NULL, '',
      ',' || ((meets_at - starts_at) / unit) || coalesce(',' || expires_at, ''))`
  return `(SELECT group_concat(${timeFrom(base)} || ',' || substr(holder_id, -${TAG_LENGTH}) || ${rest}, ';')
    FROM (SELECT starts_at, ends_at, holder_id, coalesce(meets_at, starts_at) AS meets_at, expires_at, ${UNIT_OF_HOLD} AS unit
      FROM ${rows}))`
}

/** The holds of a resource that start between two instants and have not expired, packed. */
export function heldOf(resource: string, { from, until, present, base }: Around): string {
  const rows = `holds WHERE resource_id = ${resource} AND kept_by = '' AND starts_at > ${from} AND starts_at < ${until}
    AND (expires_at IS NULL OR expires_at > ${present})`
  return packedHolds(rows, base)
}

/** The holds without a deadline in a fortnight of a resource, as its row of `packed_holds` has them. */
export function packedFortnight(resource: string, fortnight: string): string {
  const rows = `holds WHERE resource_id = ${resource} AND kept_by = '' AND expires_at IS NULL
    AND starts_at >= ${fortnight} * ${FORTNIGHT_MS} AND starts_at < (${fortnight} + 1) * ${FORTNIGHT_MS}`
  return packedHolds(rows, `${fortnight} * ${FORTNIGHT_MS}`)
}

/** The fortnight of an instant. */
export function fortnightOf(instant: string): string {
  return `CAST((${instant}) / ${FORTNIGHT_MS} AS INTEGER)`
}

/** Counted by no row that is read, as those of a table or of JSON are. */
const PIECES = Array.from({ length: MOST_PACKED + 1 }, (_, at) => `(${at})`).join(',')

/**
 * The same as `heldOf`, from packed fortnights where there are some, which may reach further than `from` and `until`. What is
 * after the first fortnights is one piece. A hold with a deadline is in no packed fortnight, and comes last.
 */
export function heldOrPackedOf(resource: string, { from, until, present, base }: Around): string {
  const begin = `(first + column1) * ${FORTNIGHT_MS}`
  const end = `iif(column1 = ${MOST_PACKED}, till, min(till, ${begin} + ${FORTNIGHT_MS}))`
  const packed = `(SELECT fortnight || ':' || times FROM packed_holds
      WHERE column1 < ${MOST_PACKED} AND fortnight = first + column1 AND resource_id = ${resource})`
  const held = heldOf(resource, { from: `max(since, ${begin} - 1)`, until: end, present, base })
  const withDeadline = packedHolds(
    `holds INDEXED BY holds_expiry WHERE resource_id = ${resource} AND kept_by = '' AND expires_at > ${present}
      AND starts_at > since AND starts_at < till`,
    base,
  )
  return `(SELECT pieces || iif(instr(pieces, ':'), coalesce('|' || ${withDeadline}, ''), '')
    FROM (SELECT since, till, (SELECT group_concat(coalesce(${packed}, ${held}), '|')
        FROM (VALUES ${PIECES}) WHERE ${begin} < till) AS pieces
      FROM (SELECT since, till, ${fortnightOf('since')} AS first FROM (SELECT ${from} AS since, ${until} AS till)) LIMIT 1))`
}

const BUSY_TIME = `CASE WHEN starts_at % ${MINUTE_MS} = 0 AND ends_at % ${MINUTE_MS} = 0
  THEN (starts_at % ${FORTNIGHT_MS} / ${MINUTE_MS}) || ',' || ((ends_at - starts_at) / ${MINUTE_MS})
  ELSE '!' || (starts_at % ${FORTNIGHT_MS}) || ',' || (ends_at - starts_at) END`

/** The busy times of a row of `packed_busy_times`, as they are. */
export const PACKED_NOW = `(SELECT group_concat(${BUSY_TIME}, ';') FROM calendar_busy_times b
  WHERE b.connection_id = packed_busy_times.connection_id AND b.starts_at >= fortnight * ${FORTNIGHT_MS}
    AND b.starts_at < (fortnight + 1) * ${FORTNIGHT_MS})`

/** The busy times of the calendar `c` in the fortnights between two instants, packed. */
export function busyOf({ from, until }: Pick<Around, 'from' | 'until'>): string {
  return `(SELECT group_concat(fortnight || ':' || coalesce(times, ${PACKED_NOW}), '|') FROM packed_busy_times
    WHERE connection_id = c.id AND c.checks_busy AND fortnight BETWEEN ${fortnightOf(from)} AND ${fortnightOf(until)})`
}

/** The same of a calendar of everybody, without events of bookings, which close nothing wherever they are. */
export function foreignBusyOf({ from, until }: Pick<Around, 'from' | 'until'>): string {
  return `(SELECT group_concat(fortnight || ':' || times, '|') FROM (
    SELECT starts_at / ${FORTNIGHT_MS} AS fortnight, group_concat(${BUSY_TIME}, ';') AS times FROM (
      SELECT b.starts_at, b.ends_at FROM calendar_busy_times b
      CROSS JOIN calendar_events e ON e.connection_id = b.connection_id AND e.event_id = b.event_id
      WHERE b.connection_id = c.id AND c.checks_busy AND b.starts_at > ${from} AND b.starts_at < ${until}
        AND e.uid NOT LIKE '%${OWN_MARK}') GROUP BY 1))`
}

/** The expired holds of a resource that still exist; null without any, which is read in an index. */
export function expiredOf(resource: string, present: string): string {
  return `(SELECT nullif(json_group_array(json_array(holder_id, starts_at, ends_at, meets_at)), '[]') FROM holds
    WHERE resource_id = ${resource} AND expires_at <= ${present} AND kept_by = '')`
}
