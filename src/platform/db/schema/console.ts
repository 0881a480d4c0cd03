import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

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
    /** What the address is counted by. */
    mailbox: text().notNull(),
    /** The network that asked. */
    network: text().notNull(),
    /** The browser that asked, if the address signed in with it before; null for strangers. */
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

/**
 * Passkeys that people sign in with (WebAuthn). One stands for whom the session stood for that added it: everybody with an
 * address, or one member. All of them are in the directory, since a browser that brings one says nothing else.
 */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text().primaryKey(),
    /** As the authenticator calls it, base64url. */
    credentialId: text('credential_id').notNull().unique('passkeys_credential'),
    email: text().notNull(),
    memberId: text('member_id'),
    /** What the authenticator was told to call the person. */
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
 * Accounts at the provider of OpenID Connect that people sign in with. One stands for whom it was linked to: everybody with
 * an address, or one member. Each has one at a provider, so that who gets an address later does not come in as who had it
 * before. All of them are in the directory, for who comes back from a provider says no more.
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
