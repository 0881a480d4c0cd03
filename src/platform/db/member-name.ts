import { sql } from 'drizzle-orm'
import { members } from './schema/organizations.ts'

/** What a member is called: by name, or else by address. */
export function memberName() {
  const { name, userEmail, userId } = members
  return sql<string>`coalesce(${name}, nullif(${userEmail}, ''), ${userId})`
}
