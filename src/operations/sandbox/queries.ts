import { and, count, eq, gte, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { dropClients } from '../../booking/bookings/clients/statements.ts'
import { dropWords, readAnew } from '../../booking/bookings/search/statements.ts'
import { dayOf } from '../../outbox/mail/daily-limit.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, staysHere } from '../../platform/db/due-page.ts'
import type { PageRequest } from '../../platform/db/list-page.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { calendarConnections } from '../../platform/db/schema/calendars.ts'
import { conferencingConnections } from '../../platform/db/schema/conferencing.ts'
import { availabilityOverrides, availabilityRules, eventTypes } from '../../platform/db/schema/event-types.ts'
import { eventTypeHosts, formerHosts } from '../../platform/db/schema/hosts.ts'
import { schedules, timeOff } from '../../platform/db/schema/hours.ts'
import { letterCounts, sandboxFiles, sandboxOutbox, supportRequests } from '../../platform/db/schema/mail.ts'
import { organizations, reportDays, usageDays } from '../../platform/db/schema/organizations.ts'
import { payments } from '../../platform/db/schema/payments.ts'
import { events, idempotencyKeys } from '../../platform/db/schema/records.ts'
import { resources } from '../../platform/db/schema/resources.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'
import { textMessages } from '../../platform/db/schema/text-messages.ts'
import { freedTimes, waitlistEntries } from '../../platform/db/schema/waitlist.ts'
import { webhookDeliveries, webhookEndpoints } from '../../platform/db/schema/webhooks.ts'
import { publicScope } from '../../platform/http/idempotency-claim.ts'
import { listPage } from '../../platform/http/page.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

export type OutboxRow = typeof sandboxOutbox.$inferSelect

/** One row more than the page holds, newest first. */
export function listOutbox(db: Db, organizationId: string, page: PageRequest): Promise<OutboxRow[]> {
  const all = eq(sandboxOutbox.organizationId, organizationId)
  return listPage(db, db.select().from(sandboxOutbox), { table: sandboxOutbox, all, mayDiffer: true }, page)
}

/** The attachments that several emails of the outbox share. */
export function selectFiles(db: Db, organizationId: string, ids: readonly string[]) {
  const isWanted = sql`${sandboxFiles.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  return db
    .select({ id: sandboxFiles.id, content: sandboxFiles.content })
    .from(sandboxFiles)
    .where(and(eq(sandboxFiles.organizationId, organizationId), isWanted))
}

export function setSandboxClock(db: Db, organizationId: string, sandboxNow: number | null): Statement {
  return db.update(organizations).set({ sandboxNow }).where(eq(organizations.id, organizationId))
}

export const SANDBOXES_A_PAGE = 5
/**
 * In all databases together: one takes six to nine queries if little is due, more if much is, and a sweep may make a thousand,
 * those for live work included.
 */
export const SANDBOXES_A_SWEEP = 60

/** Organizations with something due in their sandbox, where that follows the real clock; those first that wait longest. */
export function selectDueSandboxes(
  db: Db,
  now: RealMs,
  last?: Pick<typeof organizations.$inferSelect, 'id' | 'sandboxDueAt'>,
) {
  const order = [organizations.sandboxDueAt, organizations.id]
  const isNext = comesAfter(order, last && [last.sandboxDueAt, last.id])
  return db
    .select({ id: organizations.id, sandboxDueAt: organizations.sandboxDueAt })
    .from(organizations)
    .where(and(lte(organizations.sandboxDueAt, now), staysHere(organizations.id), isNext))
    .orderBy(...order)
    .limit(SANDBOXES_A_PAGE)
}

/** Writes down when something is due there next. What is due still is so behind all the others, to the next sweep. */
export function moveOnDue(db: Db, organizationId: string, now: RealMs): Statement {
  const first = (column: SQLiteColumn, isLeft: string) =>
    sql`(SELECT min(${sql.identifier(column.name)}) FROM ${column.table}
      WHERE organization_id = ${organizationId} AND is_test = 1 AND ${sql.raw(isLeft)})`
  const kinds = [
    first(bookings.nextReminderAt, 'next_reminder_at IS NOT NULL'),
    first(textMessages.nextAttemptAt, "status = 'pending'"),
    first(waitlistEntries.expiresAt, "status = 'waiting'"),
    first(slotHolds.expiresAt, "purpose = 'approval' AND status IN ('held', 'expired')"),
    first(slotHolds.expiresAt, "purpose = 'hold' AND status = 'held'"),
    first(payments.expiresAt, "status IN ('pending', 'failed')"),
  ]
  // D1 refuses a compound of more than five.
  const next = sql`(SELECT max(min(value), ${now + 1}) FROM json_each(json_array(${sql.join(kinds, sql`, `)})))`
  return db
    .update(organizations)
    .set({ sandboxDueAt: next })
    .where(and(eq(organizations.id, organizationId), isNull(organizations.sandboxNow)))
}

type Made = SQLiteTable & {
  readonly id: SQLiteColumn
  readonly organizationId: SQLiteColumn
  readonly isTest: SQLiteColumn
}

/** The ids of so many are far less than the two megabytes that a value of the database takes. */
const A_PIECE = 10_000

/**
 * What the sandbox holds besides event types and their rows, for the batch that begins to empty it: the ids of each kind, as
 * JSON. No clock decides what existed: the clocks of two processes differ, and an id is older than its row.
 */
export function selectMade(db: Db, organizationId: string) {
  const idsOf = (made: Made) =>
    sql<string>`(SELECT json_group_array(${made.id}) FROM ${made} WHERE ${isOfSandbox(made, organizationId)})`
  return db
    .select({
      webhookEndpoints: idsOf(webhookEndpoints).as('endpoints'),
      calendarConnections: idsOf(calendarConnections).as('calendars'),
      conferencingConnections: idsOf(conferencingConnections).as('conferencing'),
    })
    .from(sql`(SELECT 1)`)
}

/** The same of what no plan limits: its ids in pieces, each JSON. Written out, for a number that is bound divides into fractions. */
function selectMany(db: Db, organizationId: string, made: Made) {
  const numbered = sql`(SELECT ${made.id} AS id, (row_number() OVER (ORDER BY ${made.id}) - 1) / ${sql.raw(String(A_PIECE))} AS piece
    FROM ${made} WHERE ${isOfSandbox(made, organizationId)})`
  return db
    .select({ ids: sql<string>`json_group_array(id)`.as('ids') })
    .from(numbered)
    .groupBy(sql`piece`)
}

export function selectMadeRequests(db: Db, organizationId: string) {
  return selectMany(db, organizationId, supportRequests)
}

export function selectMadeSchedules(db: Db, organizationId: string) {
  return selectMany(db, organizationId, schedules)
}

export function selectMadeResources(db: Db, organizationId: string) {
  return selectMany(db, organizationId, resources)
}

export function selectMadeTimeOff(db: Db, organizationId: string) {
  return selectMany(db, organizationId, timeOff)
}

function isOfSandbox(made: Made, organizationId: string) {
  return and(eq(made.organizationId, organizationId), eq(made.isTest, true))
}

function isIn(id: SQLiteColumn, ids: string) {
  return sql`${id} IN (SELECT value FROM json_each(${ids}))`
}

function isTestEventTypeOf(organizationId: string) {
  return and(eq(eventTypes.organizationId, organizationId), eq(eventTypes.isTest, true))
}

/** What else there is to delete. Of event types those that are hidden, also since long: they may have bookings. */
export async function findTestData(db: Db, organizationId: string) {
  const [types, [booked], [paid], [outbox]] = await db.batch([
    db
      .select({ id: eventTypes.id })
      .from(eventTypes)
      .where(and(isTestEventTypeOf(organizationId), isNotNull(eventTypes.deletedAt))),
    db
      .select({ n: count() })
      .from(bookings)
      .where(and(eq(bookings.organizationId, organizationId), eq(bookings.isTest, true))),
    db
      .select({ n: count() })
      .from(payments)
      .where(and(eq(payments.organizationId, organizationId), eq(payments.isTest, true))),
    db.select({ n: count() }).from(sandboxOutbox).where(eq(sandboxOutbox.organizationId, organizationId)),
  ])
  return {
    eventTypes: types,
    bookings: booked!.n,
    payments: paid!.n,
    outboxItems: outbox!.n,
  }
}

/** Hides the existing event types, and returns them. */
export function hideTestEventTypes(db: Db, organizationId: string, deletedAt: number) {
  const updatedAt = sql`max(${deletedAt}, ${eventTypes.updatedAt} + 1)`
  return db
    .update(eventTypes)
    .set({ deletedAt, updatedAt })
    .where(and(isTestEventTypeOf(organizationId), isNull(eventTypes.deletedAt)))
    .returning({ id: eventTypes.id })
}

/** Forgets what its callers were answered. */
export function deleteStoredResponses(db: Db, organizationId: string): Statement {
  const { scope } = idempotencyKeys
  // `u` follows `t`.
  return db
    .delete(idempotencyKeys)
    .where(and(gte(scope, `${organizationId}/test`), lt(scope, `${organizationId}/tesu`)))
}

type MadeIds = {
  /** JSON: the event types whose bookings are deleted already. One hidden in the meantime still has its bookings. */
  readonly eventTypes: string
  /** JSON. */
  readonly webhookEndpoints: string
  /** Each JSON. */
  readonly supportRequests: readonly string[]
}

/**
 * Everything in the sandbox except bookings, whose time only the objects of their event types may release, and what other rooms
 * delete. Of what can be created in the meantime, only these rows.
 */
export function deleteTestData(db: Db, organizationId: string, made: MadeIds): Statement[] {
  const ofOurs = (table: { readonly eventTypeId: SQLiteColumn }) => isIn(table.eventTypeId, made.eventTypes)
  return [
    // What callers without a key were answered.
    db
      .delete(idempotencyKeys)
      .where(
        sql`${idempotencyKeys.scope} IN (SELECT ${publicScope('')} || value FROM json_each(${made.eventTypes}))`,
      ),
    db.delete(availabilityRules).where(ofOurs(availabilityRules)),
    db.delete(availabilityOverrides).where(ofOurs(availabilityOverrides)),
    db.delete(eventTypeHosts).where(ofOurs(eventTypeHosts)),
    db.delete(formerHosts).where(ofOurs(formerHosts)),
    db.delete(waitlistEntries).where(ofOurs(waitlistEntries)),
    db.delete(freedTimes).where(ofOurs(freedTimes)),
    db.delete(eventTypes).where(isIn(eventTypes.id, made.eventTypes)),
    dropWords(db, { organizationId, isTest: true }),
    ...dropClients(db, { organizationId, isTest: true }),
    readAnew(db, { organizationId, isTest: true }),
    db.delete(events).where(and(eq(events.organizationId, organizationId), eq(events.isTest, true))),
    db.delete(sandboxOutbox).where(eq(sandboxOutbox.organizationId, organizationId)),
    db.delete(sandboxFiles).where(eq(sandboxFiles.organizationId, organizationId)),
    // An emptied sandbox counts the day's emails from zero.
    db
      .delete(letterCounts)
      .where(
        and(
          eq(letterCounts.day, dayOf(Date.now())),
          eq(letterCounts.organizationId, organizationId),
          eq(letterCounts.isTest, true),
        ),
      ),
    ...made.supportRequests.map((ids) => db.delete(supportRequests).where(isIn(supportRequests.id, ids))),
    db
      .delete(webhookDeliveries)
      // Written out, so that the index of the sandboxes is found.
      .where(and(eq(webhookDeliveries.organizationId, organizationId), sql`is_test = 1`)),
    db
      .update(usageDays)
      .set({ deliveries: 0, arrived: 0, givenUp: 0 })
      .where(and(eq(usageDays.organizationId, organizationId), eq(usageDays.isTest, true))),
    // Triggers never take bookings out of reports.
    db
      .delete(reportDays)
      .where(
        and(eq(reportDays.organizationId, organizationId), eq(reportDays.isTest, true), ofOurs(reportDays)),
      ),
    db.delete(webhookEndpoints).where(isIn(webhookEndpoints.id, made.webhookEndpoints)),
  ]
}
