import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** The member it was made for: it ends with their membership. Null for a key of the organization itself. */
    memberId: text('member_id'),
    /** The role it was made with; a member's later role can only lower it. */
    role: text({ enum: ['owner', 'admin', 'member', 'viewer'] })
      .notNull()
      .default('owner'),
    name: text().notNull(),
    description: text(),
    hash: text().notNull().unique('api_keys_hash'),
    keyPrefix: text('key_prefix').notNull(),
    lastUsedAt: integer('last_used_at'),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('api_keys_organization').on(t.organizationId, t.isTest, t.id),
    index('api_keys_member').on(t.memberId).where(sql`member_id IS NOT NULL`),
    index('api_keys_revoked').on(t.revokedAt).where(sql`revoked_at IS NOT NULL`),
    index('api_keys_active').on(t.organizationId).where(sql`revoked_at IS NULL`),
    index('api_keys_used').on(t.organizationId, t.isTest, t.lastUsedAt).where(sql`last_used_at IS NOT NULL`),
  ],
)
