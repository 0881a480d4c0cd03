import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { organizationWide, recordActivities } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { calendarFeeds } from '../../platform/db/schema/calendars.ts'

type Leaving = { readonly id: string; readonly organizationId: string }

function isMadeBy(memberId: string) {
  return and(sql`created_by_type = 'member'`, eq(calendarFeeds.createdById, memberId))
}

/** In the batch that removes a member: what is theirs ends, and what they made. */
export function endFeedsOfLeaving(db: Db, member: Leaving, origin: Origin): Promise<Statement[]> {
  return endFeeds(db, member, origin, or(eq(calendarFeeds.memberId, member.id), isMadeBy(member.id))!)
}

/** In the batch that makes an admin a member or a viewer: of what they made, their own bookings are theirs to read still. */
export function endFeedsOfAdmin(db: Db, member: Leaving, origin: Origin): Promise<Statement[]> {
  const isOfOthers = sql`${calendarFeeds.memberId} IS NOT ${member.id}`
  return endFeeds(db, member, origin, and(isMadeBy(member.id), isOfOthers)!)
}

async function endFeeds(db: Db, member: Leaving, origin: Origin, where: SQL): Promise<Statement[]> {
  const feeds = await db
    .select({ id: calendarFeeds.id, memberId: calendarFeeds.memberId })
    .from(calendarFeeds)
    .where(where)
  const entries = feeds.map(({ id, memberId }) => ({
    action: 'calendar_feed.revoked',
    resourceType: 'calendar_feed' as const,
    resourceId: id,
    changes: { member_id: memberId },
  }))
  return [
    // Also those that were made in the meantime.
    db.delete(calendarFeeds).where(where),
    ...(entries.length === 0
      ? []
      : [recordActivities(db, organizationWide({ ...member, isTest: false }), origin, entries)]),
  ]
}
