import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Uploaded logos and portraits. Each use has a row of its own, also of the same bytes. */
export const images = sqliteTable(
  'images',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    /** `logo`, `logo-dark`, or the id of the member. */
    use: text().notNull(),
    /** Of its bytes: SHA-256, in hexadecimal. */
    hash: text().notNull(),
    format: text({ enum: ['png', 'jpeg', 'webp'] }).notNull(),
    /** Its bytes in Base64; null if they are in the bucket. */
    content: text(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('images_use').on(t.organizationId, t.use), index('images_hash').on(t.hash)],
)

export type ImageRow = typeof images.$inferSelect
