import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Sessions of the console, by the hash of the browser's token. A session represents the owner of an address, wherever that is a
 * member; or, if a link made it, one member alone.
 */
export const consoleSessions = sqliteTable(
  'console_sessions',
  {
    id: text().primaryKey(),
    tokenHash: text('token_hash').notNull().unique('console_sessions_token'),
    /** As it was proven, small letters of ASCII; empty where only a link says who it is. */
    email: text().notNull(),
    /** The one member that it represents; null when it represents its address. */
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
    /** What the address is counted by. */
    mailbox: text().notNull(),
    /** The network that asked. */
    network: text().notNull(),
    /** The browser that requested the code, if the address signed in with it before; null for anonymous callers. */
    browser: text(),
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
    index('sign_in_codes_mailbox').on(t.mailbox, t.createdAt),
    index('sign_in_codes_network').on(t.network, t.createdAt),
    index('sign_in_codes_browser').on(t.browser, t.createdAt).where(sql`browser IS NOT NULL`),
    index('sign_in_codes_created').on(t.createdAt),
  ],
)

/** Links that the holder of the service key gives to people: each signs one member in once, or creates an organization. */
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

/**
 * Passkeys that people sign in with (WebAuthn). A passkey represents whom the session that added it represented: everybody with
 * an address, or one member. All of them are in the directory, because a browser with a passkey says nothing else.
 */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text().primaryKey(),
    /** As the authenticator calls it, base64url. */
    credentialId: text('credential_id').notNull().unique('passkeys_credential'),
    email: text().notNull(),
    memberId: text('member_id'),
    /** The name of the person as given to the authenticator. */
    userHandle: text('user_handle').notNull(),
    /** Its algorithm as COSE numbers it, and the key (SPKI, base64url): `-7.MFkw…`. */
    publicKey: text('public_key').notNull(),
    /** How often it was used, as the authenticator counts; 0 for ever where it does not. */
    counter: integer().notNull(),
    /** As its owner calls it. */
    name: text().notNull(),
    usedAt: integer('used_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('passkeys_email').on(t.email, t.id),
    index('passkeys_member').on(t.memberId, t.id).where(sql`member_id IS NOT NULL`),
  ],
)

/** Challenges that were answered, and what somebody came back from a provider with, by their hash: each is good once. */
export const spentChallenges = sqliteTable(
  'spent_challenges',
  { hash: text().primaryKey(), expiresAt: integer('expires_at').notNull() },
  (t) => [index('spent_challenges_expires').on(t.expiresAt)],
)

/**
 * OpenID Connect accounts that people sign in with. An account represents whom it was linked to: everybody with an address, or
 * one member. A person has one account per provider, so that a later owner of an address does not sign in as the former one.
 * All of them are in the directory, because a person who comes back from a provider brings nothing else.
 */
export const openidAccounts = sqliteTable(
  'openid_accounts',
  {
    id: text().primaryKey(),
    /** The provider that vouches for it. */
    issuer: text().notNull(),
    /** The hash of the issuer and of what it calls the person. */
    subjectHash: text('subject_hash').notNull().unique('openid_accounts_subject'),
    email: text().notNull(),
    memberId: text('member_id'),
    usedAt: integer('used_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('openid_accounts_email').on(t.email, t.issuer).where(sql`member_id IS NULL`),
    uniqueIndex('openid_accounts_member').on(t.memberId, t.issuer).where(sql`member_id IS NOT NULL`),
  ],
)
