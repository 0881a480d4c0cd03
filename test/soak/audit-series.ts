import type { Ask } from '../support/storm/sound.ts'
import type { Json } from './caller.ts'
import { type Ledger, type Series, wholeOf } from './ledger.ts'

/** Takes the bookings of series out of those by email, and compares each series with what was acknowledged. */
export async function compareSeries(ask: Ask, byEmail: Map<string, Json[]>, ledger: Ledger): Promise<void> {
  for (const one of ledger.series) {
    const rows = byEmail.get(one.email) ?? []
    byEmail.delete(one.email)
    compareOne(one, rows, ledger)
  }
  const unlike = await ask(UNLIKE_EVENTS)
  if (unlike.length > 0) ledger.find('events unlike series', unlike.length, ...unlike.slice(0, 3))
}

function compareOne(series: Series, rows: readonly Json[], ledger: Ledger): void {
  if (rows.length === 0) {
    if (series.wholes?.length) ledger.find('an acknowledged series is gone', series)
    series.wholes = []
    return
  }
  if (series.wholes?.length === 0) ledger.find('a series is booked, though it was refused', series, rows)
  const ids = new Set(rows.map(({ series_id }) => series_id))
  const [id] = ids
  const isOne = ids.size === 1 && id !== null && (series.id === null || series.id === id)
  const isTheirs = rows.every((row) => row.event_type_id === series.eventTypeId)
  const whole = wholeOf(rows)
  const starts = whole.map((place) => place.split('=')[0]!)
  const areAsked =
    new Set(starts).size === starts.length && starts.every((start) => series.starts.includes(start))
  if (!isOne || !isTheirs || !areAsked) ledger.find('not the series that was asked for', series, rows)
  const isHalf = !series.mayMiss && starts.length !== series.starts.length
  const isUneven = series.wholes === null && new Set(whole.map((place) => place.split('=')[1])).size > 1
  if (isHalf || isUneven) ledger.find('a series is half made', series, rows)
  const isKnown = series.wholes === null || series.wholes.some((one) => one.join() === whole.join())
  if (!isKnown) ledger.find('a series is not as it was acknowledged', series, rows)
  series.wholes = [whole]
}

/** Each series has one event of its own with all its bookings, before theirs, and each of its bookings names it. */
const UNLIKE_EVENTS = `SELECT s.id, e.made, e.bookings, b.bookings AS really FROM series s
  LEFT JOIN (SELECT data ->> 'id' AS id, count(*) AS made, max(json_array_length(data -> 'bookings')) AS bookings, max(sequence) AS sequence
    FROM events WHERE kind = 'series.created' GROUP BY 1) e ON e.id = s.id
  LEFT JOIN (SELECT b.series_id AS id, count(DISTINCT b.id) AS bookings, min(made.sequence) AS sequence FROM bookings b
    JOIN events made ON made.data ->> 'id' = b.id AND made.kind IN ('booking.created', 'booking.requested') WHERE b.series_id IS NOT NULL GROUP BY 1) b
    ON b.id = s.id
  WHERE e.made IS NOT 1 OR e.bookings IS NOT b.bookings OR e.sequence >= b.sequence`
