import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { apiKeys } from '../db/schema/api-keys.ts'
import { organizations } from '../db/schema/organizations.ts'
import type { Tier } from './plans.ts'

export type KeyRecord = {
  readonly id: string
  readonly organizationId: string
  readonly isTest: boolean
  readonly tier: Tier
  readonly sandboxNow: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

export async function findKeyRecord(db: Db, hash: string): Promise<KeyRecord | null> {
  const [record] = await db
    .select({
      id: apiKeys.id,
      organizationId: apiKeys.organizationId,
      isTest: apiKeys.isTest,
      tier: organizations.tier,
      sandboxNow: organizations.sandboxNow,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(eq(apiKeys.hash, hash))
  return record ?? null
}

export async function touchKey(db: Db, id: string, lastUsedAt: number): Promise<void> {
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, id))
}
