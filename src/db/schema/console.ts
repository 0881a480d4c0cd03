import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Who is signed in to the console, by the hash of what their browser holds. A session stands for whoever can read the
 * mail of its address, wherever that is a member; or, where a link made it, for one member alone.
 */
export const consoleSessions = sqliteTable(
  'console_sessions',
  {
    id: text().primaryKey(),
    tokenHash: text('token_hash').notNull().unique('console_sessions_token'),
    /** As it was proven, small letters of ASCII; empty where only a link says who it is. */
    email: text().notNull(),
    /** The one member that it stands for; null where it stands for its address. */
    memberId: text('member_id'),
    /** Where they work at the moment, and on which side; null until they chose. */
    organizationId: text('organization_id'),
    isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
    /** What it is used with, as its owner would recognize it. */
    device: text().notNull().default(''),
    /** When they proved last who they are. */
    provenAt: integer('proven_at').notNull(),
    usedAt: integer('used_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('console_sessions_email').on(t.email, t.id),
    index('console_sessions_member').on(t.memberId, t.id).where(sql`member_id IS NOT NULL`),
    index('console_sessions_used').on(t.usedAt),
  ],
)

/**
 * Codes that were asked for, of known and unknown addresses alike. Code and link are derived from the id, so that no
 * row holds them.
 */
export const signInCodes = sqliteTable(
  'sign_in_codes',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** The network that asked. */
    network: text().notNull(),
    /** What its reader reads: a tag of a language of ours. */
    locale: text().notNull(),
    /** Where in the console they wanted to go. */
    path: text().notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    usedAt: integer('used_at'),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('sign_in_codes_email').on(t.email, t.createdAt),
    index('sign_in_codes_network').on(t.network, t.createdAt),
    index('sign_in_codes_created').on(t.createdAt),
  ],
)

/** Links that whoever holds the service key gives to people: each signs one member in once, or makes an organization. */
export const consoleLinks = sqliteTable(
  'console_links',
  {
    id: text().primaryKey(),
    tokenHash: text('token_hash').notNull().unique('console_links_token'),
    /** Null where it makes an organization. */
    memberId: text('member_id'),
    usedAt: integer('used_at'),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('console_links_created').on(t.createdAt)],
)
