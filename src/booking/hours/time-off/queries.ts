import { and, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { inTenantOf } from '../../../platform/db/in-tenant.ts'
import type { PageRequest } from '../../../platform/db/list-page.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { type TimeOffRow, timeOff } from '../../../platform/db/schema/hours.ts'
import { members, organizations } from '../../../platform/db/schema/organizations.ts'
import { listPage } from '../../../platform/http/page.ts'

const inTenant = inTenantOf(timeOff)

type Filters = {
  readonly memberId: string | undefined
  readonly resourceId: string | undefined
  readonly from: number | undefined
  readonly to: number | undefined
}

/** One row more than the page holds, newest first. */
export function listTimeOffInTenant(
  db: Db,
  tenant: Tenant,
  { memberId, resourceId, from, to }: Filters,
  page: PageRequest,
): Promise<TimeOffRow[]> {
  const { organizationId, isTest } = tenant
  const one = memberId ?? resourceId
  const theirs =
    one === undefined
      ? sql`(SELECT id FROM members WHERE organization_id = ${organizationId} UNION ALL SELECT ${organizationId}
          UNION ALL SELECT id FROM resources WHERE organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0})`
      : sql`(${one})`
  const where = and(
    // Time off that has ended is left out by member, who has an index of it; otherwise the newest of all is read.
    from === undefined && one === undefined
      ? inTenant(tenant)
      : and(
          sql`${timeOff.memberId} IN ${theirs}`,
          eq(timeOff.isTest, isTest),
          sql`+${timeOff.organizationId} = ${organizationId}`,
        ),
    memberId !== undefined && resourceId !== undefined ? sql`false` : undefined,
    from === undefined ? undefined : gt(timeOff.endsAt, from),
    to === undefined ? undefined : lt(timeOff.startsAt, to),
  )
  const list = { table: timeOff, all: inTenant(tenant), where, mayDiffer: isTest }
  return listPage(db, db.select().from(timeOff), list, page)
}

export async function getZoneOf(db: Db, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ zone: organizations.timezone })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row!.zone
}

/** More than this are hardly off in a week: their bookings are the first ones, too. */
const MOST_UPCOMING = 1000

/** Time off of members, of everybody and of resources that overlaps the range, soonest first. */
export function listUpcoming(
  db: Db,
  { organizationId, isTest }: Tenant,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<TimeOffRow[]> {
  const theirs = sql`(SELECT id FROM members WHERE organization_id = ${organizationId} UNION ALL SELECT ${organizationId}
    UNION ALL SELECT id FROM resources WHERE organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0})`
  return db
    .select()
    .from(timeOff)
    .where(
      and(
        sql`${timeOff.memberId} IN ${theirs}`,
        eq(timeOff.isTest, isTest),
        sql`+${timeOff.organizationId} = ${organizationId}`,
        gt(timeOff.endsAt, from),
        lt(timeOff.startsAt, until),
      ),
    )
    .orderBy(timeOff.startsAt)
    .limit(MOST_UPCOMING)
}

/** Time off with its member and their zone, and whether other time off of theirs has the external id. */
export async function findTimeOffAndMember(db: Db, tenant: Tenant, id: string, externalId: string | null) {
  const [[found], others] = await db.batch([
    db
      .select({
        row: timeOff,
        userId: members.userId,
        zone: sql<string>`coalesce(members.timezone, organizations.timezone)`.as('zone'),
      })
      .from(timeOff)
      .leftJoin(members, eq(members.id, timeOff.memberId))
      .innerJoin(organizations, eq(organizations.id, timeOff.organizationId))
      .where(and(inTenant(tenant), eq(timeOff.id, id))),
    db.select({ id: timeOff.id }).from(timeOff).where(isOtherOf(id, externalId)),
  ])
  return found ? { ...found, isExternalIdTaken: others.length > 0 } : null
}

/** Other time off of the same member with that external id. */
function isOtherOf(id: string, externalId: string | null) {
  const theirs = sql`(SELECT mine.member_id FROM time_off mine WHERE mine.id = ${id})`
  const mode = sql`(SELECT mine.is_test FROM time_off mine WHERE mine.id = ${id})`
  return and(
    eq(timeOff.memberId, theirs),
    eq(timeOff.isTest, mode),
    eq(timeOff.externalId, externalId ?? ''),
    ne(timeOff.id, id),
  )
}

function guardAsRead(db: Db, { id, updatedAt }: TimeOffRow): Statement {
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM time_off WHERE id = ${id} AND updated_at = ${updatedAt})`
  return refuseWhen(db, 'STALE', isChanged)
}

/** Changes time off if it is still as it was read and nothing else has its external id. */
export function updateTimeOffAsRead(db: Db, read: TimeOffRow, changes: Partial<TimeOffRow>): Statement[] {
  const { externalId } = changes
  const isTaken = sql`EXISTS ${db
    .select({ id: timeOff.id })
    .from(timeOff)
    .where(isOtherOf(read.id, externalId ?? null))}`
  return [
    guardAsRead(db, read),
    ...(externalId == null ? [] : [refuseWhen(db, 'STALE', isTaken)]),
    db.update(timeOff).set(changes).where(eq(timeOff.id, read.id)),
  ]
}

export function deleteTimeOffAsRead(db: Db, read: TimeOffRow): Statement[] {
  return [guardAsRead(db, read), db.delete(timeOff).where(eq(timeOff.id, read.id))]
}
