import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../../platform/db/client.ts'
import { apiKeys } from '../../../platform/db/schema/api-keys.ts'
import { calendarAccounts, calendarChannels } from '../../../platform/db/schema/calendars.ts'
import { conferencingConnections } from '../../../platform/db/schema/conferencing.ts'
import { images } from '../../../platform/db/schema/images.ts'
import { members } from '../../../platform/db/schema/organizations.ts'

function among(column: SQLiteColumn, ids: readonly string[]) {
  return inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

/** By which the objects of these keys are found. */
export function selectHashes(db: Db, keyIds: readonly string[]) {
  return db.select({ hash: apiKeys.hash }).from(apiKeys).where(among(apiKeys.id, keyIds))
}

/** The addresses of these members. */
export function selectAddresses(db: Db, memberIds: readonly string[]) {
  const email = sql<string>`lower(${members.userEmail})`.as('email')
  return db.selectDistinct({ email }).from(members).where(among(members.id, memberIds))
}

/** The connections that these channels are of. */
export function selectConnections(db: Db, channelIds: readonly string[]) {
  return db
    .selectDistinct({ id: calendarChannels.connectionId })
    .from(calendarChannels)
    .where(among(calendarChannels.id, channelIds))
}

export function selectCalendarAccounts(db: Db, ids: readonly string[]) {
  return db.select().from(calendarAccounts).where(among(calendarAccounts.id, ids))
}

export function selectMeetingAccounts(db: Db, ids: readonly string[]) {
  return db.select().from(conferencingConnections).where(among(conferencingConnections.id, ids))
}

/** What of these images the bucket has. */
export function selectKept(db: Db, ids: readonly string[]) {
  return db
    .select({ organizationId: images.organizationId, use: images.use })
    .from(images)
    .where(and(among(images.id, ids), isNull(images.content)))
}
