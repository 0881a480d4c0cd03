import { MINUTE_MS } from '../../../core/time-units.ts'
import { TAG_LENGTH } from './read-times.ts'

/** Where taken times are looked for, and the instant from which they count. */
export type Around = {
  readonly from: string
  readonly until: string
  readonly present: string
  readonly base: string
}

const UNIT = `CASE WHEN starts_at % ${MINUTE_MS} = 0 AND ends_at % ${MINUTE_MS} = 0 THEN ${MINUTE_MS} ELSE 1 END`
const UNIT_OF_HOLD = `CASE WHEN starts_at % ${MINUTE_MS} = 0 AND ends_at % ${MINUTE_MS} = 0
  AND coalesce(meets_at, starts_at) % ${MINUTE_MS} = 0 THEN ${MINUTE_MS} ELSE 1 END`

function timeFrom(base: string): string {
  return `iif(unit = 1, '!', '') || ((starts_at - CAST(${base} AS INTEGER)) / unit) || ',' || ((ends_at - starts_at) / unit)`
}

/** Packs the times of `rows`, the rest of a query after its FROM. Null without rows. */
function packedTimes(rows: string, base: string): string {
  return `(SELECT group_concat(${timeFrom(base)}, ';') FROM (SELECT starts_at, ends_at, ${UNIT} AS unit FROM ${rows}))`
}

/** The same for holds. */
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

/** The busy times of the calendar `c` that start between two instants, packed. */
export function busyOf({ from, until, base }: Omit<Around, 'present'>): string {
  const rows = `calendar_busy_times WHERE connection_id = c.id AND c.checks_busy AND starts_at > ${from}
    AND starts_at < ${until}`
  return packedTimes(rows, base)
}

/** The expired holds of a resource that still exist; null without any, which is read in an index. */
export function expiredOf(resource: string, present: string): string {
  return `(SELECT nullif(json_group_array(json_array(holder_id, starts_at, ends_at, meets_at)), '[]') FROM holds
    WHERE resource_id = ${resource} AND expires_at <= ${present} AND kept_by = '')`
}
