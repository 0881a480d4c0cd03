import { env } from 'cloudflare:workers'
import { openStartsOf, seatsAt } from '../../src/booking/slots/open-slots.ts'
import { servedButClaimed } from '../../src/booking/waitlist/serve-waitlist.ts'
import { isMonthFull } from '../../src/engine/schedule/full-month.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { nowIn } from '../../src/engine/schedule/schedule.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { type AskedMs, realNow } from '../../src/platform/limits/clock.ts'
import { iso } from './factories.ts'

type Range = { readonly start: number; readonly end: number }

/** What a search must answer: each event type is read alone, for the whole range, and nothing is remembered. */
export async function searchWhole(ids: readonly string[], range: Range, limit: number) {
  const db = openDb(env, 'decide')
  const now = realNow() as AskedMs
  const found = await Promise.all(
    ids.map(async (event_type_id) => {
      const { schedule } = await loadSchedule(db, event_type_id, { range, seatsAt: null }, now)
      const known = await servedButClaimed(db, schedule!, now)
      if (isMonthFull(known)) return []
      const { durationMinutes } = known.eventType
      const open = openStartsOf(known, { range, durationMinutes, now: nowIn(known, now) })
      return open.starts.map((start) => {
        const spots = seatsAt(open, start)
        const times = { start_time: iso(start), end_time: iso(start + open.durationMs) }
        return { event_type_id, ...times, ...(spots !== null && { spots_remaining: spots }) }
      })
    }),
  )
  return found
    .flat()
    .sort((one, other) => Date.parse(one.start_time) - Date.parse(other.start_time))
    .slice(0, limit)
}
