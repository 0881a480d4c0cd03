import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { apiKeys } from '../../platform/db/schema/api-keys.ts'

/** The calls of so many keys are looked through: those that were used last. */
const MOST_KEYS = 50

/** Those that were ever used, the last ones first. */
export function selectCallingKeys(db: Db, { organizationId, isTest }: Tenant) {
  return db
    .select({ hash: apiKeys.hash, name: apiKeys.name, prefix: apiKeys.keyPrefix })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        eq(apiKeys.isTest, isTest),
        isNotNull(apiKeys.lastUsedAt),
      ),
    )
    .orderBy(desc(apiKeys.lastUsedAt))
    .limit(MOST_KEYS)
}

export type CallingKey = Awaited<ReturnType<typeof selectCallingKeys>>[number]
