import { and, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { resourceIdOf } from '../../../core/resource-id.ts'
import { unitIdOf } from '../../../engine/schedule/resources/rooms.ts'
import { MOST_UNITS } from '../../../engine/schedule/resources/unit-numbers.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { inTenantOf } from '../../../platform/db/in-tenant.ts'
import type { PageRequest } from '../../../platform/db/list-page.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { type TimeOffRow, timeOff } from '../../../platform/db/schema/hours.ts'
import { members, organizations } from '../../../platform/db/schema/organizations.ts'
import { resources } from '../../../platform/db/schema/resources.ts'
import { listPage } from '../../../platform/http/page.ts'
import { isOfAll } from './present.ts'

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

/** The member, and the instants. */
type Absence = Pick<
  TimeOffRow,
  'memberId' | 'resourceId' | 'organizationId' | 'isTest' | 'startsAt' | 'endsAt'
>

/** What bookings hold of it. */
function heldOf({ memberId, resourceId, isTest }: Absence): string[] {
  if (resourceId === null) return [resourceIdOf(memberId, isTest)]
  return Array.from({ length: MOST_UNITS }, (_, at) => unitIdOf(resourceId, at + 1))
}

/** Active bookings that overlap time off of any of their hosts, or of everybody if they have none, by start. */
function affectedBy(absences: readonly Absence[]): SQL {
  const ofAll = absences.filter(isOfAll)
  const list = JSON.stringify(
    absences.flatMap((one) => heldOf(one).map((held) => [held, one.startsAt, one.endsAt])),
  )
  const closed = JSON.stringify(
    ofAll.map((one) => [one.organizationId, one.startsAt, one.endsAt, Number(one.isTest)]),
  )
  const held = (resource: string) =>
    sql.raw(`${resource} AND hold.kept_by = ''
      AND hold.starts_at > (json_each.value ->> 1) - ${MAX_HOLD_MS} AND hold.starts_at < json_each.value ->> 2`)
  const standsIn = sql.raw(
    "b.status <> 'cancelled' AND b.start_time < json_each.value ->> 2 AND b.end_time > json_each.value ->> 1",
  )
  const bookingsOf = (holds: SQL) => sql`SELECT b.id AS id, b.start_time AS start_time FROM ${holds}
      CROSS JOIN bookings b ON b.id = hold.holder_id AND b.session_id IS NULL WHERE ${standsIn}
    UNION SELECT b.id, b.start_time FROM ${holds}
      CROSS JOIN bookings b ON b.session_id = hold.holder_id WHERE ${standsIn}`
  const ofHosts = sql`json_each(${list}) CROSS JOIN holds hold ON hold.resource_id = ${held('json_each.value ->> 0')}`
  const hostless = sql`json_each(${closed}) CROSS JOIN event_types e ON e.organization_id = json_each.value ->> 0
      AND e.is_test = json_each.value ->> 3 AND NOT EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = e.id)
    CROSS JOIN holds hold ON hold.resource_id = ${held('e.id')}`
  return ofAll.length === 0
    ? sql`${bookingsOf(ofHosts)} ORDER BY start_time, id`
    : sql`${bookingsOf(ofHosts)} UNION ${bookingsOf(hostless)} ORDER BY start_time, id`
}

const MOST_UPCOMING = 50

/** Time off of members and of everybody that overlaps the range. */
export function listUpcoming(
  db: Db,
  { organizationId, isTest }: Tenant,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<TimeOffRow[]> {
  const theirs = sql`(SELECT id FROM members WHERE organization_id = ${organizationId} UNION ALL SELECT ${organizationId})`
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
    .limit(MOST_UPCOMING)
}

export async function listAffected(db: Db, absences: readonly Absence[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(affectedBy(absences))
  return rows.map(({ id }) => id)
}

/** Refuses the batch if the bookings in the time off are no longer those that were listed. */
export function guardAffected(db: Db, absences: readonly Absence[], named: readonly string[]): Statement {
  const standing = sql`(SELECT json_group_array(id) FROM (${affectedBy(absences)}))`
  return refuseWhen(db, 'STALE', sql`${standing} <> ${JSON.stringify(named)}`)
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

/** All in one statement. A row with a known id is changed. */
export function putTimeOff(db: Db, rows: readonly TimeOffRow[]): Statement {
  const list = JSON.stringify(
    rows.map((row) => [
      row.id,
      row.organizationId,
      Number(row.isTest),
      row.memberId,
      row.resourceId,
      row.startsAt,
      row.endsAt,
      row.startDate,
      row.endDate,
      row.reason,
      row.externalId,
      row.createdAt,
      row.updatedAt,
    ]),
  )
  const values = sql.raw(Array.from({ length: 13 }, (_, at) => `value ->> ${at}`).join(', '))
  const { startsAt, endsAt, startDate, endDate, reason, externalId, updatedAt } = timeOff
  const replaced = { startsAt, endsAt, startDate, endDate, reason, externalId, updatedAt }
  const set = Object.fromEntries(
    Object.entries(replaced).map(([key, column]) => [key, sql.raw(`excluded.${column.name}`)]),
  )
  return (
    db
      .insert(timeOff)
      // Without a condition, `ON` would be parsed as that of a join.
      .select(sql`SELECT ${values} FROM json_each(${list}) WHERE true`)
      .onConflictDoUpdate({ target: timeOff.id, set })
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
