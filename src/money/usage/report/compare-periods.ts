import { DAY_MS } from '../../../core/time-units.ts'
import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { type Group, groupCounts } from './group-counts.ts'
import { type CountedDay, loadCounts } from './queries.ts'
import { takenMinutes } from './taken-minutes.ts'

/** What is counted of a period as a whole. */
export type Totals = Omit<Group, 'key' | 'wall'> & {
  /** For how long somebody is taken: attendees of one session share its time. */
  readonly taken: number
}

type Dates = { readonly first: number; readonly last: number }

/** A period beside as many days before it, and how its bookings are distributed; dates are days since 1970. */
export type Comparison = {
  readonly present: Dates
  readonly former: Dates
  readonly totals: Totals
  readonly before: Totals
  readonly days: readonly Group[]
  readonly hours: readonly Group[]
}

/** The days until `today` in the zone, and as many before them, from one read of the counters. */
export async function comparePeriods(
  env: Env,
  tenant: Tenant,
  { timezone, today, days }: { readonly timezone: string; readonly today: number; readonly days: number },
): Promise<Comparison> {
  const last = today / DAY_MS
  const present = { first: last - days + 1, last }
  const former = { first: present.first - days, last: present.first - 1 }
  const db = openDb(env, 'decide')
  const { days: counted } = await loadCounts(db, tenant, { first: former.first, last })
  return {
    present,
    former,
    totals: totalsOf(counted, { timezone, ...present }),
    before: totalsOf(counted, { timezone, ...former }),
    days: groupCounts(counted, { timezone, ...present }, 'day'),
    hours: groupCounts(counted, { timezone, ...present }, 'hour_of_week'),
  }
}

function totalsOf(counted: readonly CountedDay[], period: Dates & { readonly timezone: string }): Totals {
  const totals = { bookings: 0, cancelled: 0, no_shows: 0, minutes: 0, revenue: {} as Record<string, number> }
  for (const group of groupCounts(counted, period, 'day')) {
    for (const name of ['bookings', 'cancelled', 'no_shows', 'minutes'] as const) totals[name] += group[name]
    for (const [currency, amount] of Object.entries(group.revenue)) {
      totals.revenue[currency] = (totals.revenue[currency] ?? 0) + amount
    }
  }
  return { ...totals, taken: takenMinutes(counted, period) }
}
