import { startOfDateIn } from '../../../core/local-time.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { isId } from '../../../platform/db/ids.ts'
import type { Context } from '../../../platform/http/context.ts'
import { invalid, notFound } from '../../../platform/http/errors.ts'
import { cutPage } from '../../../platform/http/page.ts'
import { problem } from '../../../platform/reasons/reason.ts'
import { presentTimeOff } from './present.ts'
import { getZoneOf, listTimeOffInTenant } from './queries.ts'
import type { TimeOffQuery } from './schema.ts'

/** Time off that overlaps `from` to `to`, newest first. */
export async function listTimeOff({ env, caller }: Context<TenantCaller>, query: TimeOffQuery) {
  const db = openDb(env, 'decide')
  const { from, to, member_id: memberId, resource_id: resourceId } = query
  if (memberId !== undefined && !isId(memberId)) throw notFound('member')
  if (resourceId !== undefined && !isId(resourceId)) throw notFound('resource')
  const isDated = [from, to].some((moment) => moment && 'midnight' in moment)
  const zone = isDated ? await getZoneOf(db, caller.organizationId) : 'UTC'
  const filters = {
    memberId,
    resourceId,
    from: from && ('midnight' in from ? startOfDateIn(zone, from.midnight) : from.instant),
    to: to && ('midnight' in to ? startOfDateIn(zone, to.midnight + DAY_MS) : to.instant),
  }
  if (isReversed(query, filters)) throw invalid({ to: problem('not_after_start') })
  const { data, has_more } = cutPage(await listTimeOffInTenant(db, caller, filters, query), query)
  return { data: data.map(presentTimeOff), has_more }
}

/** Calculated with dates, because a zone may have skipped one. */
function isReversed(
  { from, to }: TimeOffQuery,
  instants: { from?: number | undefined; to?: number | undefined },
): boolean {
  if (from && to && 'midnight' in from && 'midnight' in to) return to.midnight < from.midnight
  return instants.from !== undefined && instants.to !== undefined && instants.to <= instants.from
}
