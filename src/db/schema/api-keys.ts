import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    name: text().notNull(),
    description: text(),
    hash: text().notNull().unique('api_keys_hash'),
    keyPrefix: text('key_prefix').notNull(),
    lastUsedAt: integer('last_used_at'),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('api_keys_organization').on(t.organizationId, t.isTest, t.id)],
)
