import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { datesIn, openTimes, schedulesIn, withOwnRules } from './open-times.ts'
import { selectOwnHours, selectSchedules } from './queries.ts'
import { loadScope } from './scope.ts'

type Dates = { readonly from: { readonly midnight: number }; readonly to: { readonly midnight: number } }

/** For how many minutes everybody and every event type without hosts has hours on these dates, before time off. */
export async function sumOpenHours(env: Env, tenant: Tenant, dates: Dates): Promise<number> {
  const db = openDb(env, 'decide')
  const scope = await loadScope(db, tenant, dates)
  const { first, last } = datesIn(scope.range)
  const [schedules, ownHours] = await db.batch([
    selectSchedules(db, JSON.stringify(schedulesIn(scope))),
    selectOwnHours(db, JSON.stringify(withOwnRules(scope)), first, last),
  ])
  return openTimes(scope, schedules, ownHours).reduce(
    (sum, { start, end }) => sum + (end - start) / MINUTE_MS,
    0,
  )
}
