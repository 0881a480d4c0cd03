import { and, eq, sql } from 'drizzle-orm'
import type { Tenant } from '../../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../../platform/db/client.ts'
import { refuseWhen } from '../../../../platform/db/refusals.ts'
import { type TimeOffRow, timeOff } from '../../../../platform/db/schema/hours.ts'
import { members, organizations } from '../../../../platform/db/schema/organizations.ts'
import { resources } from '../../../../platform/db/schema/resources.ts'

/** A member, everybody or a resource, and `known`: their time off with the same external id. */
export type Target = {
  readonly memberId: string
  readonly userId: string | null
  readonly zone: string
  readonly known: TimeOffRow | null
  /** Set if it is a resource, whose id is the member's too. */
  readonly resourceId?: string
}

/** The members with these ids, or all of the organization, oldest first. */
export async function listTargets(
  db: Db,
  { organizationId, isTest }: Tenant,
  memberIds: readonly string[] | null,
  externalId: string | null,
): Promise<Target[]> {
  const isMeant =
    memberIds === null
      ? eq(members.organizationId, organizationId)
      : sql`members.id IN (SELECT value FROM json_each(${JSON.stringify(memberIds)})) AND +members.organization_id = ${organizationId}`
  return db
    .select({
      memberId: members.id,
      userId: members.userId,
      zone: sql<string>`coalesce(members.timezone, organizations.timezone)`,
      known: timeOff,
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .leftJoin(
      timeOff,
      and(
        eq(timeOff.memberId, members.id),
        eq(timeOff.isTest, isTest),
        eq(timeOff.externalId, externalId ?? ''),
      ),
    )
    .where(isMeant)
    .orderBy(members.createdAt, members.id)
}

/** The resources with these ids, whose dates are in the organization's zone. */
export async function listResourceTargets(
  db: Db,
  { organizationId, isTest }: Tenant,
  resourceIds: readonly string[],
  externalId: string | null,
): Promise<Target[]> {
  const isKnown = and(
    eq(timeOff.memberId, resources.id),
    eq(timeOff.isTest, isTest),
    eq(timeOff.externalId, externalId ?? ''),
  )
  const isMeant = sql`${resources.id} IN (SELECT value FROM json_each(${JSON.stringify(resourceIds)}))
    AND +${resources.organizationId} = ${organizationId} AND ${resources.isTest} = ${isTest ? 1 : 0}`
  const rows = await db
    .select({ id: resources.id, zone: organizations.timezone, known: timeOff })
    .from(resources)
    .innerJoin(organizations, eq(organizations.id, resources.organizationId))
    .leftJoin(timeOff, isKnown)
    .where(isMeant)
  return rows.map(({ id, ...rest }) => ({ memberId: id, resourceId: id, userId: null, ...rest }))
}

/** Everybody, as the organization in place of a member. */
export async function findEverybody(
  db: Db,
  { organizationId, isTest }: Tenant,
  externalId: string | null,
): Promise<Target> {
  const isKnown = and(
    eq(timeOff.memberId, organizationId),
    eq(timeOff.isTest, isTest),
    eq(timeOff.externalId, externalId ?? ''),
  )
  const [found] = await db
    .select({ zone: organizations.timezone, known: timeOff })
    .from(organizations)
    .leftJoin(timeOff, isKnown)
    .where(eq(organizations.id, organizationId))
  return { memberId: organizationId, userId: null, zone: found!.zone, known: found!.known }
}

type Seen = Pick<Target, 'memberId' | 'zone' | 'resourceId'>

/** Refuses the batch if a member has left or has another zone, or if a resource was deleted. */
export function guardZones(db: Db, seen: readonly Seen[]): Statement {
  const list = JSON.stringify(
    seen.map(({ memberId, zone, resourceId }) => [memberId, zone, resourceId !== undefined]),
  )
  const isOther = sql`EXISTS (SELECT 1 FROM json_each(${list})
    LEFT JOIN members m ON m.id = json_each.value ->> 0
    LEFT JOIN resources r ON r.id = json_each.value ->> 0 AND json_each.value ->> 2
    LEFT JOIN organizations o ON o.id = coalesce(m.organization_id, r.organization_id, json_each.value ->> 0)
    WHERE coalesce(m.timezone, o.timezone) IS NOT json_each.value ->> 1)`
  return refuseWhen(db, 'STALE', isOther)
}

/** Refuses the batch if a member joined in the meantime. */
export function guardNumber(db: Db, organizationId: string, number: number): Statement {
  const isOther = sql`(SELECT count(*) FROM members WHERE organization_id = ${organizationId}) <> ${number}`
  return refuseWhen(db, 'STALE', isOther)
}

/** Refuses the batch if the members' time off with the external id is no longer what was read. */
export function guardKnown(
  db: Db,
  { isTest }: Tenant,
  targets: readonly Target[],
  externalId: string,
): Statement {
  const ids = JSON.stringify(targets.map(({ memberId }) => memberId))
  const known = targets.flatMap(({ known }) => (known ? [known.id] : [])).sort()
  const found = sql`(SELECT json_group_array(id) FROM (
    SELECT t.id AS id FROM json_each(${ids}) CROSS JOIN time_off t ON t.member_id = json_each.value
      AND t.is_test = ${isTest ? 1 : 0} AND t.external_id = ${externalId} ORDER BY t.id))`
  return refuseWhen(db, 'STALE', sql`${found} <> ${JSON.stringify(known)}`)
}
