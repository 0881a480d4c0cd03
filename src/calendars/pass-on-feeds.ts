import { recordActivities } from '../outbox/activity/statements.ts'
import type { Origin } from '../platform/auth/caller.ts'
import type { Db, Statement } from '../platform/db/client.ts'
import { passOnClosingFeeds, selectClosingFeedsOf } from './statements.ts'

type Leaving = { readonly id: string; readonly organizationId: string }

/** In the batch that removes a member, before their calendars are dropped: feeds that close everybody's times become the owner's. */
export async function passOnFeeds(
  db: Db,
  { id: memberId, organizationId }: Leaving,
  origin: Origin,
): Promise<Statement[]> {
  const feeds = await selectClosingFeedsOf(db, memberId)
  const sides = [false, true].map((isTest) => ({
    isTest,
    entries: feeds
      .filter((feed) => feed.isTest === isTest)
      .map(({ id, ownerId }) => ({
        action: 'calendar.updated',
        resourceType: 'calendar_connection' as const,
        resourceId: id,
        changes: { member_id: [memberId, ownerId] },
      })),
  }))
  return [
    // Also those that were connected in the meantime.
    ...passOnClosingFeeds(db, memberId),
    ...sides
      .filter(({ entries }) => entries.length > 0)
      .map(({ isTest, entries }) => recordActivities(db, { organizationId, isTest }, origin, entries)),
  ]
}
