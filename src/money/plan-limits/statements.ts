import { type SQL, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { PLAN_LIMITS, type PlanLimit } from '../../platform/limits/plan-limits.ts'

/** What the organization is allowed at that moment. */
export function limitNow(limit: PlanLimit, organizationId: string): SQL {
  const { free, starter, grow, scale } = PLAN_LIMITS[limit]
  return sql`(SELECT coalesce(plan_limits ->> ${`$.${limit}`}, CASE tier
    WHEN 'starter' THEN ${starter} WHEN 'grow' THEN ${grow} WHEN 'scale' THEN ${scale} ELSE ${free} END)
    FROM organizations WHERE id = ${organizationId})`
}

/** For the batch that adds event types, before them: refuses it unless the plan has room for `added`. */
export function guardEventTypes(db: Db, { organizationId, isTest }: Tenant, added = 1): Statement {
  const there = sql`(SELECT count(*) FROM event_types
    WHERE organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0} AND deleted_at IS NULL)`
  return refuseWhen(db, 'PLAN_LIMIT', sql`${there} + ${added} > ${limitNow('event_types', organizationId)}`)
}

/** The same for a room or equipment. */
export function guardResources(db: Db, { organizationId, isTest }: Tenant): Statement {
  const there = sql`(SELECT count(*) FROM resources WHERE organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0})`
  return refuseWhen(db, 'PLAN_LIMIT', sql`${there} >= ${limitNow('resources', organizationId)}`)
}

/** The same for a feed. */
export function guardFeeds(db: Db, organizationId: string): Statement {
  const there = sql`(SELECT count(*) FROM calendar_feeds WHERE organization_id = ${organizationId})`
  return refuseWhen(db, 'PLAN_LIMIT', sql`${there} >= ${limitNow('calendar_feeds', organizationId)}`)
}

/** The same for a member. */
export function guardMembers(db: Db, organizationId: string): Statement {
  const there = sql`(SELECT count(*) FROM members WHERE organization_id = ${organizationId})`
  return refuseWhen(db, 'PLAN_LIMIT', sql`${there} >= ${limitNow('members', organizationId)}`)
}

/** The same for a calendar of a member, whether or not it works. */
export function guardCalendars(db: Db, { organizationId, isTest }: Tenant, memberId: string): Statement {
  const there = sql`(SELECT count(*) FROM calendar_connections
    WHERE member_id = ${memberId} AND is_test = ${isTest ? 1 : 0})`
  return refuseWhen(db, 'PLAN_LIMIT', sql`${there} >= ${limitNow('calendars_per_member', organizationId)}`)
}
