import { and, eq, type SQL, sql } from 'drizzle-orm'
import { insertFreedByGoing } from '../booking/waitlist/statements.ts'
import { MAX_HOLD_MS } from '../core/longest-hold.ts'
import type { Tenant } from '../platform/auth/caller.ts'
import type { Db, Statement } from '../platform/db/client.ts'
import { inTenantOf } from '../platform/db/in-tenant.ts'
import { refuseWhen } from '../platform/db/refusals.ts'
import { bookings, sessions } from '../platform/db/schema/bookings.ts'
import {
  calendarAccounts,
  calendarBusyTimes,
  calendarChannels,
  calendarConnections,
  calendarEvents,
  calendarWrites,
} from '../platform/db/schema/calendars.ts'
import { organizations } from '../platform/db/schema/organizations.ts'
import { slotHolds } from '../platform/db/schema/slot-holds.ts'
import { passOnHoldsOfDefault } from './sharing/statements.ts'

export const inTenant = inTenantOf(calendarConnections)

/** Everything of the connections that `where` names, but the bookings that were written to them. */
function deleteConnections(db: Db, where: ReturnType<typeof sql>): Statement[] {
  const theirs = sql`(SELECT id FROM calendar_connections WHERE ${where})`
  return [
    ...insertFreedByGoing(db, theirs),
    passOnHoldsOfDefault(db, theirs),
    db
      .update(organizations)
      .set({ defaultCalendarConnectionId: null })
      .where(
        sql`${organizations.id} IN (SELECT organization_id FROM calendar_connections WHERE ${where})
          AND ${organizations.defaultCalendarConnectionId} IN ${theirs}`,
      ),
    ...letGo(db, theirs),
    db.delete(calendarBusyTimes).where(sql`${calendarBusyTimes.connectionId} IN ${theirs}`),
    db.delete(calendarEvents).where(sql`${calendarEvents.connectionId} IN ${theirs}`),
    db.delete(calendarWrites).where(sql`${calendarWrites.connectionId} IN ${theirs}`),
    db.delete(calendarChannels).where(sql`${calendarChannels.connectionId} IN ${theirs}`),
    db.delete(calendarAccounts).where(
      sql`${calendarAccounts.id} IN (SELECT account_id FROM calendar_connections WHERE ${where})
          AND NOT EXISTS (SELECT 1 FROM calendar_connections other
            WHERE other.account_id = ${calendarAccounts.id} AND other.id NOT IN ${theirs})`,
    ),
    db.delete(calendarConnections).where(where),
  ]
}

/** New attendees of a session, waiting and held bookings are no longer written to any calendar; their host gets them by email. */
function letGo(db: Db, connections: SQL): Statement[] {
  const eventTypesOf = sql`calendar_connections c
    JOIN event_types e ON e.organization_id = c.organization_id AND e.is_test = c.is_test`
  const joinable = sql`(SELECT s.id FROM ${eventTypesOf}
    JOIN sessions s ON s.event_type_id = e.id AND s.calendar_connection_id = c.id
      AND s.start_time > CASE WHEN e.is_test THEN 0 ELSE ${Date.now() - MAX_HOLD_MS} END
    WHERE c.id IN ${connections})`
  const held = (id: 'id' | 'booking_id') => sql`(SELECT w.${sql.raw(id)} FROM ${eventTypesOf}
    JOIN slot_holds w ON w.event_type_id = e.id AND w.calendar_connection_id = c.id AND w.status = 'held'
    WHERE c.id IN ${connections})`
  return [
    db.update(sessions).set({ calendarConnectionId: null }).where(sql`${sessions.id} IN ${joinable}`),
    db
      .update(bookings)
      .set({ calendarConnectionId: null, revision: sql`${bookings.revision} + 1` })
      .where(sql`${bookings.id} IN ${held('booking_id')}`),
    db
      .update(slotHolds)
      .set({ calendarConnectionId: null })
      .where(sql`${slotHolds.id} IN ${held('id')}`),
  ]
}

export function deleteConnection(db: Db, id: string): Statement[] {
  return deleteConnections(db, sql`id = ${id}`)
}

/** Feeds of a member that close everybody's times; their address is not the member's own, as an account is. */
function isClosingFeedOf(memberId: string): SQL {
  return sql`member_id = ${memberId} AND provider = 'ics' AND everybody`
}

function ownerOf(table: 'calendar_accounts' | 'calendar_connections'): SQL<string> {
  return sql`(SELECT m.id FROM organizations o JOIN members m ON m.organization_id = o.id
    AND m.user_id = o.owner_user_id WHERE o.id = ${sql.raw(table)}.organization_id)`
}

/** Closing feeds of a member, with the owner of the organization. */
export function selectClosingFeedsOf(db: Db, memberId: string) {
  const { id, isTest } = calendarConnections
  const ownerId = ownerOf('calendar_connections').as('owner_id')
  return db.select({ id, isTest, ownerId }).from(calendarConnections).where(isClosingFeedOf(memberId))
}

/**
 * Before the calendars of a member are dropped: their closing feeds become the owner's, so that no holiday opens. Owners who
 * connected the same address themselves keep that, too, so the account then gets a key of its own.
 */
export function passOnClosingFeeds(db: Db, memberId: string): Statement[] {
  const { accountKey, isTest } = calendarAccounts
  const ownerId = ownerOf('calendar_accounts')
  const isThere = sql`EXISTS (SELECT 1 FROM calendar_accounts own WHERE own.member_id = ${ownerId}
    AND own.is_test = ${isTest} AND own.account_key = ${accountKey})`
  return [
    db
      .update(calendarAccounts)
      .set({
        memberId: ownerId,
        accountKey: sql`iif(${isThere}, ${accountKey} || ' of ' || ${memberId}, ${accountKey})`,
      })
      .where(
        sql`${calendarAccounts.id} IN (SELECT account_id FROM calendar_connections WHERE ${isClosingFeedOf(memberId)})`,
      ),
    db
      .update(calendarConnections)
      .set({ memberId: ownerOf('calendar_connections') })
      .where(isClosingFeedOf(memberId)),
  ]
}

/** Drops the calendars of a member who leaves, in the batch that removes the member. */
export function dropConnectionsOf(db: Db, memberId: string): Statement[] {
  return deleteConnections(db, sql`member_id = ${memberId}`)
}

/** For the batch that empties the sandbox of these, a JSON list. */
export function dropConnections(db: Db, ids: string): Statement[] {
  return deleteConnections(db, sql`id IN (SELECT value FROM json_each(${ids}))`)
}

export async function hasConnection(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  return (await db.$count(calendarConnections, and(inTenant(tenant), eq(calendarConnections.id, id)))) > 0
}

/** Refuses the batch if the connection was deleted since. */
export function guardConnected(db: Db, id: string): Statement {
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM calendar_connections WHERE id = ${id})`)
}

/** Before another calendar becomes the default: what this one keeps from being booked may be free then. */
export function freeTimeOfDefault(db: Db, organizationId: string): readonly Statement[] {
  const theirs = sql`(SELECT default_calendar_connection_id FROM organizations WHERE id = ${organizationId})`
  return insertFreedByGoing(db, theirs)
}

/** The same for the calendars of the owner, before somebody else is. */
export function freeTimeOfOwner(db: Db, organizationId: string): readonly Statement[] {
  const theirs = sql`(SELECT calendar.id FROM calendar_connections calendar JOIN members ON members.id = calendar.member_id
    WHERE members.organization_id = ${organizationId} AND members.role = 'owner')`
  return insertFreedByGoing(db, theirs)
}

/** Bookings are written to this calendar from now on, and to no other one of its member; where it can be written to. */
export function receiveBookings(db: Db, id: string): readonly Statement[] {
  const canReceive = sql`FROM calendar_connections chosen WHERE chosen.id = ${id} AND chosen.can_write`
  return [
    db
      .update(calendarConnections)
      .set({ receivesBookings: false })
      .where(
        sql`receives_bookings AND ${calendarConnections.id} <> ${id} AND EXISTS (SELECT 1 ${canReceive}
          AND chosen.member_id = ${calendarConnections.memberId} AND chosen.is_test = ${calendarConnections.isTest})
          AND ${calendarConnections.memberId} IN (SELECT chosen.member_id ${canReceive})`,
      ),
    db
      .update(calendarConnections)
      .set({ receivesBookings: true })
      .where(and(eq(calendarConnections.id, id), sql`can_write AND NOT receives_bookings`)),
  ]
}
