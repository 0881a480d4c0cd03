import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { apiKeys } from '../db/schema/api-keys.ts'

export async function listKeyHashes(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)))
  return rows.map((row) => row.hash)
}

/** The hashes of every key that was ever made for these members, revoked ones too. */
export async function listMemberKeyHashes(db: Db, memberIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(inArray(apiKeys.memberId, [...memberIds]))
  return rows.map((row) => row.hash)
}
