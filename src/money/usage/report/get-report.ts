import { parseDate } from '../../../core/local-time.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { isPermitted } from '../../../platform/auth/policy.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import type { Context } from '../../../platform/http/context.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { problem } from '../../../platform/reasons/reason.ts'
import { type Group, groupCounts } from './group-counts.ts'
import { presentGroups } from './present-groups.ts'
import { loadCounts, loadLabels } from './queries.ts'
import { type GroupBy, MOST_DAYS, type ReportQuery, type UsageReport } from './schema.ts'

export async function getReport(
  { caller, env }: Context<TenantCaller>,
  { from, to, group_by }: ReportQuery,
): Promise<UsageReport> {
  const [first, last] = [parseDate(from)! / DAY_MS, parseDate(to)! / DAY_MS]
  if (last < first) throw invalid({ to: problem('before_start') })
  if (last - first >= MOST_DAYS) throw invalid({ to: problem('too_many_days', { most: MOST_DAYS - 1 }) })

  const db = openDb(env, 'decide')
  const { timezone, days } = await loadCounts(db, caller, { first, last })
  const groups = groupCounts(days, { timezone, first, last }, group_by)
  const labels = await labelsOf(db, group_by, groups)
  const hasRevenue = isPermitted(caller, 'administer')
  const data = presentGroups(groups, { groupBy: group_by, labels, hasRevenue })
  return { from, to, group_by, timezone, data }
}

async function labelsOf(
  db: Db,
  groupBy: GroupBy,
  groups: readonly Group[],
): Promise<ReadonlyMap<string, string>> {
  const ids = groups.flatMap(({ key }) => (typeof key === 'string' ? [key] : []))
  const hasNames = groupBy === 'event_type' || groupBy === 'member'
  return hasNames && ids.length > 0 ? loadLabels(db, groupBy, ids) : new Map()
}
