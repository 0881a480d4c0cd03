import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { preparedQuery } from '../../platform/db/prepared.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { timeOff } from '../../platform/db/schema/hours.ts'
import { emails, sandboxOutbox, supportRequests } from '../../platform/db/schema/mail.ts'
import { payments, refunds } from '../../platform/db/schema/payments.ts'
import { activity, events, idempotencyKeys } from '../../platform/db/schema/records.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'
import { waitlistEntries } from '../../platform/db/schema/waitlist.ts'
import { webhookDeliveries } from '../../platform/db/schema/webhooks.ts'

/*
 * Places where a person's address may be. Each query reads what one organization has in one mode, once: the person may be a
 * guest in one row and the subject of an event in another, and no index covers all of it. `needle` is a part of the address;
 * the caller checks whether a hit is the person's.
 */

type Sought = { readonly tenant: Tenant; readonly needles: string }

type Owned = {
  readonly id: SQLiteColumn
  readonly organizationId: SQLiteColumn
  readonly isTest: SQLiteColumn
}

function isOurs(table: Omit<Owned, 'id'>, { organizationId, isTest }: Tenant) {
  return and(eq(table.organizationId, organizationId), eq(table.isTest, isTest))
}

function tells(needles: string, ...columns: readonly SQLiteColumn[]): SQL | undefined {
  const told = or(...columns.map((column) => sql`instr(lower(${column}), needle.value) > 0`))
  return sql`EXISTS (SELECT 1 FROM json_each(${needles}) needle WHERE ${told})`
}

function among(column: SQLiteColumn, ids: readonly string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

export function findBookings(db: Db, { tenant, needles }: Sought) {
  const { id, inviteeEmail, attendees, guests, notes, metadata, answers, cancelReason } = bookings
  const told = tells(needles, id, inviteeEmail, attendees, guests, notes, metadata, cancelReason)
  // Sealed answers of others may name them; so few bookings of guests have any that all are looked at.
  const mayTell = and(
    sql`${answers} IS NOT NULL`,
    sql`(json_array_length(${attendees}) > 1 OR ${guests} IS NOT NULL)`,
  )
  return db
    .select({ id })
    .from(bookings)
    .where(and(isOurs(bookings, tenant), or(told, mayTell)))
}

export function selectBookings(db: Db, ids: readonly string[]) {
  return db.select().from(bookings).where(among(bookings.id, ids)).orderBy(asc(bookings.id))
}

export function findEntries(db: Db, { tenant, needles }: Sought) {
  const { id, inviteeEmail, notes } = waitlistEntries
  return db
    .select({ id })
    .from(waitlistEntries)
    .where(and(isOurs(waitlistEntries, tenant), tells(needles, id, inviteeEmail, notes)))
}

export function selectEntries(db: Db, ids: readonly string[]) {
  return db
    .select()
    .from(waitlistEntries)
    .where(among(waitlistEntries.id, ids))
    .orderBy(asc(waitlistEntries.id))
}

export function findEvents(db: Db, { tenant, needles }: Sought) {
  return db
    .select({ id: events.id })
    .from(events)
    .where(and(isOurs(events, tenant), tells(needles, events.data, events.previous)))
}

export function selectEvents(db: Db, ids: readonly string[]) {
  const { id, data, previous, handledAt } = events
  return db.select({ id, data, previous, handledAt }).from(events).where(among(id, ids))
}

/** Of endpoints that are gone as well: from one endpoint to the next, each is asked whose it was. */
export function findDeliveries(db: Db, { tenant, needles }: Sought) {
  return deliveriesThatTell(db, tenant.organizationId, Number(tenant.isTest), needles)
}

const deliveriesThatTell = preparedQuery<
  { readonly id: string },
  readonly [organizationId: string, isTest: number, needles: string]
>(`WITH RECURSIVE met(id) AS (
    SELECT min(endpoint_id) FROM webhook_deliveries
    UNION ALL SELECT (SELECT min(endpoint_id) FROM webhook_deliveries WHERE endpoint_id > met.id)
    FROM met WHERE met.id IS NOT NULL)
  SELECT d.id FROM met CROSS JOIN webhook_deliveries d ON d.endpoint_id = met.id
  WHERE (SELECT one.organization_id FROM webhook_deliveries one WHERE one.endpoint_id = met.id LIMIT 1) = ?1
    AND d.is_test = ?2 AND EXISTS (SELECT 1 FROM json_each(?3) needle
      WHERE instr(lower(d.payload), needle.value) > 0 OR instr(lower(d.response_body), needle.value) > 0)`)

export function selectDeliveries(db: Db, ids: readonly string[]) {
  const { id, payload, responseBody } = webhookDeliveries
  return db.select({ id, payload, responseBody }).from(webhookDeliveries).where(among(id, ids))
}

export function findActivity(db: Db, { tenant, needles }: Sought) {
  const { id, changes } = activity
  return db
    .select({ id, changes })
    .from(activity)
    .where(and(isOurs(activity, tenant), tells(needles, changes)))
}

export function findSlotHolds(db: Db, { tenant, needles }: Sought) {
  const { id, metadata } = slotHolds
  return db
    .select({ id, metadata })
    .from(slotHolds)
    .where(and(isOurs(slotHolds, tenant), tells(needles, metadata)))
}

/** What members asked the operator. */
export function findSupportRequests(db: Db, { tenant, needles }: Sought) {
  const { id, subject, message, createdAt } = supportRequests
  return db
    .select({ id, subject, message, createdAt })
    .from(supportRequests)
    .where(and(isOurs(supportRequests, tenant), tells(needles, subject, message)))
    .orderBy(asc(id))
}

/** Why members are off, and what other programs call that. */
export function findTimeOff(db: Db, { tenant, needles }: Sought) {
  const { id, memberId, reason, externalId } = timeOff
  return db
    .select({ id, memberId, reason, externalId })
    .from(timeOff)
    .where(and(isOurs(timeOff, tenant), tells(needles, reason, externalId)))
    .orderBy(asc(id))
}

/** Why the payments of others were refunded, and under which key that was asked for. */
export function findRefunds(db: Db, { tenant, needles }: Sought) {
  const { id, reason, claim } = refunds
  return db
    .select({ id, reason, claim })
    .from(payments)
    .innerJoin(refunds, eq(refunds.paymentId, payments.id))
    .where(and(isOurs(payments, tenant), tells(needles, reason, claim)))
}

/** The keys whose answers are still to be completed. */
export function findPaymentKeys(db: Db, { tenant, needles }: Sought) {
  const { id, keptKey } = payments
  return db
    .select({ id, keptKey })
    .from(payments)
    .where(and(isOurs(payments, tenant), tells(needles, keptKey)))
}

/** The sealed numbers of an organization's bookings and entries in one mode, a page of them. */
export function selectPhones(
  db: Db,
  table: typeof bookings | typeof waitlistEntries,
  tenant: Tenant,
  afterId: string,
  limit: number,
) {
  return db
    .select({ id: table.id, inviteePhone: sql<string>`${table.inviteePhone}` })
    .from(table)
    .where(and(isOurs(table, tenant), sql`${table.inviteePhone} IS NOT NULL`, sql`${table.id} > ${afterId}`))
    .orderBy(asc(table.id))
    .limit(limit)
}

/** All queued and undeliverable emails of an organization: there are few. */
export function selectEmails(db: Db, organizationId: string) {
  return db.select().from(emails).where(eq(emails.organizationId, organizationId)).orderBy(asc(emails.id))
}

/** What the sandbox would have sent, a page of it. */
export function selectOutbox(db: Db, organizationId: string, afterId: string, limit: number) {
  const { id, onceKey, recipient, subject, body } = sandboxOutbox
  return db
    .select({ id, onceKey, recipient, subject, body })
    .from(sandboxOutbox)
    .where(and(eq(sandboxOutbox.organizationId, organizationId), sql`${id} > ${afterId}`))
    .orderBy(asc(id))
    .limit(limit)
}

export function selectEventTypeIds(db: Db, tenant: Tenant) {
  return db.select({ id: eventTypes.id }).from(eventTypes).where(isOurs(eventTypes, tenant))
}

/** The callers of stored responses: a range of scopes, or some of them. */
export type Scopes = { readonly from: string; readonly below: string } | readonly string[]

/** Stored responses, one page. */
export function selectStoredResponses(
  db: Db,
  scopes: Scopes,
  after: { readonly scope: string; readonly key: string },
  limit: number,
) {
  const { scope, key, answer } = idempotencyKeys
  const isTheirs =
    'from' in scopes
      ? and(sql`${scope} >= ${scopes.from}`, sql`${scope} < ${scopes.below}`)
      : inArray(scope, sql`(SELECT value FROM json_each(${JSON.stringify(scopes)}))`)
  return db
    .select({ scope, key, answer })
    .from(idempotencyKeys)
    .where(and(isTheirs, sql`(${scope}, ${key}) > (${after.scope}, ${after.key})`))
    .orderBy(asc(scope), asc(key))
    .limit(limit)
}

/** Texts of `from` that may name the address, as a list. */
function textsOf(text: string, from: string): string {
  return `(SELECT json_group_array(text) FROM (SELECT ${text} AS text FROM ${from} WHERE organization_id = ?1)
    WHERE instr(lower(text), ?3) > 0)`
}

/** The same of what live and test have apart. */
function textsInMode(columns: readonly string[], from: string): string {
  const text = columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ")
  return textsOf(text, `(SELECT * FROM ${from} WHERE is_test = ?2)`)
}

const EVENT_TYPE_TEXTS =
  'title description location custom_meeting_url redirect_url group_name questions'.split(' ')

/** What an organization wrote for itself, or has of its members, where that may name the address: lists as JSON, by what it is. */
export const selectRetainedTexts = preparedQuery<
  Readonly<Record<string, string>>,
  readonly [organizationId: string, isTest: number, needle: string]
>(`SELECT ${textsOf('user_email', 'members')} AS members, ${textsOf('email', 'invitations')} AS invitations,
  ${textsInMode(['account_email', 'name'], 'calendar_connections')} AS calendars,
  ${textsOf('account_email', 'conferencing_connections')} AS conferencing,
  ${textsInMode(EVENT_TYPE_TEXTS, 'event_types')} AS event_types,
  ${textsInMode(['name'], 'schedules')} AS schedules,
  ${textsInMode(['name', 'description'], 'api_keys')} AS api_keys,
  ${textsInMode(['url', 'description'], 'webhook_endpoints')} AS webhook_endpoints`)
