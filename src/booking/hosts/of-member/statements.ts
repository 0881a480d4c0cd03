import { type SQL, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { resourceIdOf } from '../../../core/resource-id.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { coHostsWithout, isCoHost } from '../../../platform/db/co-hosts.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import type { AssignedHost } from '../../../platform/db/schema/assigned-host.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import type { AskedMs, PresentMs, RealMs } from '../../../platform/limits/clock.ts'

/** The ids of active bookings that take time of a resource and are not over: found by that time. */
function upcomingOf(resource: SQL, now: SQL): SQL {
  const isTheirs = sql`held.resource_id = ${resource} AND held.kept_by = '' AND held.starts_at > ${now} - ${MAX_HOLD_MS}
    AND b.status <> 'cancelled' AND b.end_time > ${now}`
  return sql`SELECT b.id FROM holds held CROSS JOIN bookings b ON b.id = held.holder_id AND b.session_id IS NULL WHERE ${isTheirs}
    UNION SELECT b.id FROM holds held CROSS JOIN bookings b ON b.session_id = held.holder_id WHERE ${isTheirs}`
}

type Whose = Pick<Tenant, 'isTest'> & { readonly memberId: string; readonly now: AskedMs }
type Page = { readonly limit: number; readonly starting_after?: string | undefined }

/** A member's active bookings that are not over, with one row more than the page holds, soonest first. */
export function selectUpcomingOf(db: Db, { memberId, isTest, now }: Whose, { limit, starting_after }: Page) {
  const upcoming = upcomingOf(sql`${resourceIdOf(memberId, isTest)}`, sql`${now}`)
  const follows = sql`(${bookings.startTime}, ${bookings.id}) >
    (SELECT cursor.start_time, cursor.id FROM bookings cursor WHERE cursor.id = ${starting_after})`
  return db
    .select()
    .from(bookings)
    .where(
      sql`${bookings.id} IN (${upcoming})
        ${starting_after === undefined ? sql`` : sql`AND ${follows}`}`,
    )
    .orderBy(bookings.startTime, bookings.id)
    .limit(limit + 1)
}

/** The booking at which a page begins. */
export function selectCursor(db: Db, { organizationId, isTest }: Tenant, { starting_after = '' }: Page) {
  return db
    .select({ id: bookings.id })
    .from(bookings)
    .where(
      sql`${bookings.id} = ${starting_after} AND ${bookings.organizationId} = ${organizationId}
        AND ${bookings.isTest} = ${isTest ? 1 : 0}`,
    )
}

/** A booking of a member who leaves, and somebody who hosts it with them and takes their place. */
export type GivenUp = {
  readonly id: string
  readonly is_test: 0 | 1
  readonly revision: number
  /** Whether they are its assigned host. */
  readonly is_assigned: 0 | 1
  readonly heir: AssignedHost | null
  readonly start_time: number
  readonly title: string
  readonly invitee_name: string
  readonly event_type_id: string
  readonly session_id: string | null
  /** The present of its mode. */
  readonly present: PresentMs
}

type Leaving = { readonly id: string; readonly organizationId: string }

/**
 * The upcoming bookings that a member hosts, in both modes, soonest first. The heir hosts it too: anybody in a collective
 * meeting, otherwise somebody with the same part.
 */
function givenUpBy({ id, organizationId }: Leaving, now: RealMs): SQL {
  const sandboxNow = sql`(SELECT coalesce(sandbox_now, ${now}) FROM organizations WHERE id = ${organizationId})`
  const heir = sql`(SELECT json_object('member_id', m.id, 'user_id', m.user_id, 'email', m.user_email, 'name', m.name)
    FROM holds taken CROSS JOIN event_type_hosts h ON h.event_type_id = b.event_type_id AND h.resource_id = taken.resource_id
    CROSS JOIN members m ON m.id = h.member_id
    WHERE taken.holder_id = coalesce(b.session_id, b.id) AND taken.kept_by = '' AND m.id <> ${id}
      AND (e.assignment_strategy = 'none' OR h.part = coalesce((SELECT part FROM event_type_hosts
        WHERE event_type_id = b.event_type_id AND member_id = ${id}), 'pool'))
    ORDER BY h.priority, h.created_at, h.id LIMIT 1)`
  return sql`SELECT b.id, b.is_test, b.revision, b.assigned_host_id IS ${id} AS is_assigned, ${heir} AS heir, b.start_time, e.title, b.invitee_name,
      b.event_type_id, b.session_id, CASE WHEN b.is_test THEN ${sandboxNow} ELSE ${now} END AS present
    FROM bookings b CROSS JOIN event_types e ON e.id = b.event_type_id
    WHERE b.id IN (${upcomingOf(sql`${id}`, sql`${now}`)} UNION ${upcomingOf(sql`${resourceIdOf(id, true)}`, sandboxNow)})
      AND (+b.assigned_host_id = ${id} OR ${isCoHost(sql`b.co_hosts`, sql`${id}`)}) ORDER BY b.start_time, b.id`
}

export async function listGivenUp(db: Db, leaving: Leaving, now: RealMs): Promise<GivenUp[]> {
  const rows = await db.all<GivenUp & { readonly heir: string | null }>(givenUpBy(leaving, now))
  return rows.map((row) => ({ ...row, heir: row.heir === null ? null : JSON.parse(row.heir) }))
}

function passOn(db: Db, memberId: string, given: string, now: RealMs): Statement {
  const one = sql`(SELECT value FROM json_each(${given}) WHERE value ->> 'id' = bookings.id)`
  const isTheirs = sql`assigned_host_id IS ${memberId}`
  const heirId = sql`${one} -> 'heir' ->> 'member_id'`
  return db
    .update(bookings)
    .set({
      assignedHostId: sql`CASE WHEN ${isTheirs} THEN ${heirId} ELSE assigned_host_id END`,
      assignedHost: sql`CASE WHEN ${isTheirs} THEN CASE WHEN ${one} ->> 'heir' IS NOT NULL THEN ${one} -> 'heir' END
        ELSE assigned_host END`,
      coHosts: coHostsWithout(sql`co_hosts`, sql`${memberId}`, sql`CASE WHEN ${isTheirs} THEN ${heirId} END`),
      needsHost: sql`CASE WHEN ${isTheirs} THEN ${one} ->> 'heir' IS NULL ELSE needs_host END`,
      revision: sql`${bookings.revision} + 1`,
      updatedAt: sql`max(${bookings.updatedAt} + 1, ${now})`,
    })
    .where(sql`${bookings.id} IN (SELECT value ->> 'id' FROM json_each(${given}))`)
}

/**
 * For the batch that removes a member: those who host a booking with them have it, and others need a host. Refuses the batch
 * if other bookings are theirs than were read.
 */
export function passOnBookings(
  db: Db,
  leaving: Leaving,
  given: readonly GivenUp[],
  now: RealMs,
): Statement[] {
  const theirs = sql`(SELECT json_group_array(id || ' ' || revision) FROM (${givenUpBy(leaving, now)}))`
  const read = JSON.stringify(given.map(({ id, revision }) => `${id} ${revision}`))
  const list = JSON.stringify(given.map(({ id, heir }) => ({ id, heir })))
  return [refuseWhen(db, 'STALE', sql`${theirs} <> ${read}`), passOn(db, leaving.id, list, now)]
}
