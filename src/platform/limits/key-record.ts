import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { memberName } from '../db/member-name.ts'
import { apiKeys } from '../db/schema/api-keys.ts'
import { members, organizations } from '../db/schema/organizations.ts'
import type { Tier } from './plans.ts'

type Role = (typeof members.$inferSelect)['role']

export type KeyRecord = {
  readonly id: string
  readonly name: string
  readonly organizationId: string
  readonly isTest: boolean
  /** The role it was made with. */
  readonly role: Role
  /** The member that it was made for, as they are now; null for a key of the organization itself. */
  readonly member: {
    readonly id: string
    readonly userId: string
    readonly role: Role
    readonly name: string
  } | null
  readonly tier: Tier
  readonly sandboxNow: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** Null also for a key whose member left: it ended with the membership, whether or not that was stored. */
export async function findKeyRecord(db: Db, hash: string): Promise<KeyRecord | null> {
  const [found] = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      organizationId: apiKeys.organizationId,
      isTest: apiKeys.isTest,
      memberId: apiKeys.memberId,
      role: apiKeys.role,
      member: {
        id: members.id,
        userId: members.userId,
        role: members.role,
        name: memberName().as('member_name'),
      },
      tier: organizations.tier,
      sandboxNow: organizations.sandboxNow,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .leftJoin(members, eq(members.id, apiKeys.memberId))
    .where(eq(apiKeys.hash, hash))
  if (!found) return null
  const { memberId, ...record } = found
  return memberId !== null && record.member === null ? null : record
}

export async function isKeyStored(db: Db, hash: string): Promise<boolean> {
  return (await db.$count(apiKeys, eq(apiKeys.hash, hash))) > 0
}

export async function touchKey(db: Db, id: string, lastUsedAt: number): Promise<void> {
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, id))
}
