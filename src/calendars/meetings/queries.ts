import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { HOLDER } from '../../platform/db/held-bookings.ts'
import { isFree, leaseAt, takeLease } from '../../platform/db/leases.ts'
import { IS_ITS_MEETING, IS_ITS_WRITE, LINK_COLUMNS } from '../../platform/db/meeting-links.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { calendarConnections, calendarWrites } from '../../platform/db/schema/calendars.ts'
import { meetings } from '../../platform/db/schema/conferencing.ts'
import { events } from '../../platform/db/schema/records.ts'

export type MeetingRow = typeof meetings.$inferSelect

/** The calendars of the suites that make meetings of their own, the best of each suite first. */
export function selectSuites(db: Db, { organizationId, isTest }: Tenant) {
  return db
    .select({
      provider: calendarConnections.provider,
      memberId: calendarConnections.memberId,
      accountEmail: calendarConnections.accountEmail,
      status: calendarConnections.status,
      syncError: calendarConnections.syncError,
      connectedAt: calendarConnections.connectedAt,
    })
    .from(calendarConnections)
    .where(
      and(
        eq(calendarConnections.organizationId, organizationId),
        eq(calendarConnections.isTest, isTest),
        inArray(calendarConnections.provider, ['calendar_a', 'calendar_b']),
      ),
    )
    .orderBy(sql`${calendarConnections.status} = 'active' DESC`, asc(calendarConnections.id))
}

/** What could not be made is tried again, now that an account was connected or works again. */
export function retryMeetingsOf(db: Db, organizationId: string, now: number): Statement {
  return db
    .update(meetings)
    .set({ nextAttemptAt: now, attempts: 0, status: 'pending', updatedAt: now })
    .where(
      sql`is_test = 0 AND rowid IN (
        SELECT rowid FROM meetings WHERE organization_id = ${organizationId} AND status = 'failed'
        UNION ALL SELECT rowid FROM meetings
        WHERE next_attempt_at >= 0 AND status = 'pending' AND +organization_id = ${organizationId})`,
    )
}

export function selectDueMeetings(
  db: Db,
  now: number,
  last?: { readonly nextAttemptAt: number | null; readonly holderId: string },
) {
  const { holderId, nextAttemptAt } = meetings
  const isNext = comesAfter([nextAttemptAt, holderId], last && [last.nextAttemptAt, last.holderId])
  return db
    .select({ holderId, nextAttemptAt })
    .from(meetings)
    .where(
      and(
        lte(nextAttemptAt, now),
        isFree(meetings.claimedUntil, now),
        staysHere(meetings.organizationId),
        isNext,
      ),
    )
    .orderBy(asc(nextAttemptAt), asc(holderId))
    .limit(DUE_A_PAGE)
}

/** Claims a meeting that is due, for the length of a lease; null when it is not due or somebody else has it. */
export async function claimMeeting(db: Db, holderId: string, now: number): Promise<MeetingRow | null> {
  const [row] = await takeLease(db, meetings, eq(meetings.holderId, holderId), leaseAt('meeting', now))
  return row ?? null
}

/** Stores what the provider has now, before the attempt ends. */
export async function keepMeeting(
  db: Db,
  { holderId, claimedUntil }: MeetingRow,
  made: Pick<MeetingRow, 'connectionId' | 'meetingId' | 'joinUrl' | 'writtenStart' | 'writtenEnd'>,
): Promise<void> {
  const { connectionId, meetingId, joinUrl, writtenStart, writtenEnd } = made
  await db
    .update(meetings)
    .set({ connectionId, meetingId, joinUrl, writtenStart, writtenEnd })
    .where(and(eq(meetings.holderId, holderId), eq(meetings.claimedUntil, claimedUntil!)))
}

/** Ends a claim. A change since it was taken stays due. */
export function endMeeting(db: Db, claimed: MeetingRow, found: Partial<MeetingRow>, now: number): Statement {
  const isAsClaimed = sql`${meetings.wantedRevision} = ${claimed.wantedRevision}`
  const { status = 'pending', nextAttemptAt = null, ...rest } = found
  return db
    .update(meetings)
    .set({
      ...rest,
      claimedUntil: null,
      status: sql`CASE WHEN ${isAsClaimed} THEN ${status} ELSE 'pending' END`,
      nextAttemptAt: sql`CASE WHEN ${isAsClaimed} THEN ${nextAttemptAt} ELSE ${meetings.nextAttemptAt} END`,
      updatedAt: now,
    })
    .where(and(eq(meetings.holderId, claimed.holderId), eq(meetings.claimedUntil, claimed.claimedUntil!)))
}

export type LinkRow = Awaited<ReturnType<typeof selectLink>>[number]

/** The link of an event's booking, and what must make one for it. */
export function selectLink(db: Db, eventId: string) {
  const told = sql`(SELECT json_extract(data, '$.id') FROM ${events}
    WHERE ${events.id} = ${eventId} AND ${events.handledAt} IS NULL)`
  return db
    .select({
      holderId: HOLDER.as('holder'),
      url: sql<string | null>`${bookings.conferencingUrl}`.as('url'),
      ...LINK_COLUMNS,
    })
    .from(bookings)
    .leftJoin(meetings, IS_ITS_MEETING)
    .leftJoin(calendarWrites, IS_ITS_WRITE)
    .where(eq(bookings.id, told))
}

/** Refuses the batch where the booking of an event has a link by now. */
export function guardUnlinked(db: Db, eventId: string): Statement {
  const told = sql`(SELECT coalesce(data ->> '$.promoted_booking_id', data ->> '$.id') FROM events WHERE id = ${eventId})`
  const isLinked = sql`EXISTS (SELECT 1 FROM bookings WHERE id = ${told} AND conferencing_url IS NOT NULL)`
  return refuseWhen(db, 'STALE', isLinked)
}
