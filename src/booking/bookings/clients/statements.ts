import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { inTenantOf } from '../../../platform/db/in-tenant.ts'
import { preparedStatement } from '../../../platform/db/prepared.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import {
  type ClientBookingRow,
  clientBookings,
  clients,
  clientWords,
  NEVER,
} from '../../../platform/db/schema/clients.ts'
import { realNow } from '../../../platform/limits/clock.ts'
import { hasNumber } from './queries.ts'

type Counted = Omit<ClientBookingRow, 'organizationId' | 'isTest'>

/** What changes for a client: sums are added to theirs, and the newest booking names them. */
export type ClientChange = {
  readonly id: string
  readonly contact: string
  bookings: number
  cancelled: number
  noShows: number
  name: string
  sortName: string
  words: string
  phone: string | null
  phoneMark: string | null
  namedBy: string
}

const inTenant = inTenantOf(clients)

const keep = preparedStatement<readonly [organizationId: string, isTest: number, counted: string]>(
  `INSERT INTO client_bookings (booking_id, organization_id, is_test, contact, is_cancelled, start_time, no_show)
  SELECT one.value ->> 'bookingId', ?1, ?2, one.value ->> 'contact', one.value ->> 'isCancelled', one.value ->> 'startTime',
    one.value ->> 'noShow'
  FROM json_each(?3) one WHERE true
  ON CONFLICT DO UPDATE SET contact = excluded.contact, is_cancelled = excluded.is_cancelled,
    start_time = excluded.start_time, no_show = excluded.no_show`,
)

export function keepCounted(db: Db, { organizationId, isTest }: Tenant, counted: readonly Counted[]) {
  return keep(db, organizationId, Number(isTest), JSON.stringify(counted))
}

export function leaveOut(db: Db, bookingIds: readonly string[]): Statement {
  const ids = JSON.stringify(bookingIds)
  return db
    .delete(clientBookings)
    .where(sql`${clientBookings.bookingId} IN (SELECT value FROM json_each(${ids}))`)
}

/** Refuses the batch if another process counted one of them in the meantime. */
export function guardCounted(
  db: Db,
  rows: readonly { readonly id: string }[],
  before: ReadonlyMap<string, Counted>,
): Statement {
  const stateOf = (one: Counted | undefined) =>
    one && `${one.contact}/${Number(one.isCancelled)}/${one.startTime}/${Number(one.noShow)}`
  const read = JSON.stringify(rows.map(({ id }) => [id, stateOf(before.get(id)) ?? null]))
  return refuseWhen(
    db,
    'STALE',
    sql`EXISTS (SELECT 1 FROM json_each(${read}) one LEFT JOIN client_bookings c ON c.booking_id = one.value ->> 0
      WHERE (c.contact || '/' || c.is_cancelled || '/' || c.start_time || '/' || c.no_show) IS NOT one.value ->> 1)`,
  )
}

/** The starts next to an instant of a client's bookings that are not cancelled. */
const startsOf = (contact: string, now: string) => {
  const theirs = `FROM client_bookings c WHERE c.organization_id = ?1 AND c.is_test = ?2 AND c.contact = ${contact}
    AND c.is_cancelled = 0 AND c.start_time`
  return {
    last: `coalesce((SELECT max(c.start_time) ${theirs} <= ${now}), 0)`,
    next: `coalesce((SELECT min(c.start_time) ${theirs} > ${now}), ${NEVER})`,
  }
}

const ofChange = startsOf("one.value ->> 'contact'", '?4')
const isNewer = 'excluded.named_by >= named_by'

/** Whether a change `one` names the known client `c`: by a newer booking, or because the one that did is no longer theirs. */
const names = `(one.value ->> 'namedBy' >= c.named_by OR NOT EXISTS (
  SELECT 1 FROM client_bookings b WHERE b.booking_id = c.named_by AND b.contact = c.contact))`

// An upsert of those who are known, because an update would look through all clients.
const rename = preparedStatement<readonly [organizationId: string, isTest: number, changes: string]>(
  `INSERT INTO clients (organization_id, is_test, contact, id, name, sort_name, words, named_by)
  SELECT ?1, ?2, c.contact, one.value ->> 'id', one.value ->> 'name', one.value ->> 'sortName', one.value ->> 'words',
    one.value ->> 'namedBy'
  FROM json_each(?3) one CROSS JOIN clients c ON c.organization_id = ?1 AND c.is_test = ?2 AND c.contact = one.value ->> 'contact'
  WHERE ${names} AND (one.value ->> 'name' <> c.name OR one.value ->> 'words' <> c.words
    OR one.value ->> 'sortName' <> c.sort_name)
  ON CONFLICT (organization_id, is_test, contact) DO UPDATE SET name = excluded.name, sort_name = excluded.sort_name,
    words = excluded.words, named_by = excluded.named_by`,
)

/** Names known clients anew, before their bookings are counted. Named with them, each would write the index by name again. */
export function renameClients(db: Db, { organizationId, isTest }: Tenant, named: readonly ClientChange[]) {
  return rename(db, organizationId, Number(isTest), JSON.stringify(named))
}

const upsert = preparedStatement<
  readonly [organizationId: string, isTest: number, changes: string, now: number]
>(
  `INSERT INTO clients (organization_id, is_test, contact, id, name, sort_name, words, phone, phone_mark, named_by, bookings,
    cancelled, no_shows, last_at, next_at)
  SELECT ?1, ?2, one.value ->> 'contact', one.value ->> 'id', one.value ->> 'name', one.value ->> 'sortName',
    one.value ->> 'words', one.value ->> 'phone', one.value ->> 'phoneMark', one.value ->> 'namedBy', one.value ->> 'bookings',
    one.value ->> 'cancelled', one.value ->> 'noShows', ${ofChange.last}, ${ofChange.next}
  FROM json_each(?3) one WHERE true
  ON CONFLICT (organization_id, is_test, contact) DO UPDATE SET
    bookings = bookings + excluded.bookings, cancelled = cancelled + excluded.cancelled,
    no_shows = no_shows + excluded.no_shows, last_at = excluded.last_at, next_at = excluded.next_at,
    phone = iif(${isNewer}, coalesce(excluded.phone, phone), coalesce(phone, excluded.phone)),
    phone_mark = iif(${isNewer}, coalesce(excluded.phone_mark, phone_mark), coalesce(phone_mark, excluded.phone_mark)),
    named_by = max(named_by, excluded.named_by)
  WHERE excluded.bookings <> 0 OR excluded.cancelled <> 0 OR excluded.no_shows <> 0 OR excluded.last_at <> last_at
    OR excluded.next_at <> next_at OR (excluded.phone_mark IS NOT NULL AND excluded.phone_mark IS NOT phone_mark)`,
)

export function upsertClients(db: Db, { organizationId, isTest }: Tenant, changes: readonly ClientChange[]) {
  return upsert(db, organizationId, Number(isTest), JSON.stringify(changes), realNow())
}

/** The words of clients, as rows of `client_words`. */
const wordsOfClients = `SELECT c.organization_id, c.is_test, piece.value, c.contact
  FROM json_each(?3) one CROSS JOIN clients c ON c.organization_id = ?1 AND c.is_test = ?2 AND c.contact = one.value ->> 'contact'
  CROSS JOIN json_each('["' || replace(trim(c.words), ' ', '","') || '"]') piece`
const wordIn = '(organization_id, is_test, word, contact) IN'

const dropRenamed = preparedStatement<readonly [organizationId: string, isTest: number, named: string]>(
  `DELETE FROM client_words WHERE ${wordIn} (${wordsOfClients}
    WHERE ${names} AND one.value ->> 'words' <> c.words)`,
)

/** Deletes the words of clients who get another name; before they get it. */
export function dropOldWords(db: Db, { organizationId, isTest }: Tenant, named: readonly ClientChange[]) {
  return dropRenamed(db, organizationId, Number(isTest), JSON.stringify(named))
}

type Named = Pick<ClientChange, 'contact'>

const isEmpty = 'bookings + cancelled <= 0 AND notes IS NULL'
const dropEmptyWords = preparedStatement<readonly [organizationId: string, isTest: number, named: string]>(
  `DELETE FROM client_words WHERE ${wordIn} (${wordsOfClients} WHERE ${isEmpty})`,
)

/** Those without a booking go, unless something was noted about them. */
export function dropEmptied(db: Db, tenant: Tenant, changes: readonly Named[]): Statement[] {
  const contacts = JSON.stringify(changes.map(({ contact }) => contact))
  const named = JSON.stringify(changes.map(({ contact }) => ({ contact })))
  return [
    dropEmptyWords(db, tenant.organizationId, Number(tenant.isTest), named),
    db
      .delete(clients)
      .where(
        and(
          inTenant(tenant),
          sql`${clients.contact} IN (SELECT value FROM json_each(${contacts}))`,
          sql.raw(isEmpty),
        ),
      ),
  ]
}

const dropWordsOf = preparedStatement<readonly [organizationId: string, isTest: number, named: string]>(
  `DELETE FROM client_words WHERE ${wordIn} (${wordsOfClients})`,
)

/** Deletes a client with all that was counted of them; the last statement returns them. */
export function dropClient(db: Db, tenant: Tenant, contact: string) {
  return [
    dropWordsOf(db, tenant.organizationId, Number(tenant.isTest), JSON.stringify([{ contact }])),
    db
      .delete(clientBookings)
      .where(and(inTenantOf(clientBookings)(tenant), eq(clientBookings.contact, contact))),
    db
      .delete(clients)
      .where(and(inTenant(tenant), eq(clients.contact, contact)))
      .returning({ id: clients.id }),
  ] as const
}

/** Takes a number out of clients who have an address. */
export function forgetPhone(db: Db, tenant: Tenant, phoneMark: string): Statement {
  return db.update(clients).set({ phone: null, phoneMark: null }).where(hasNumber(tenant, phoneMark))
}

/** Notes that are still as they were read: a JSON list of ids with the `notes` and what they become. */
export function rewriteNotes(db: Db, rows: string) {
  return db
    .update(clients)
    .set({ notes: sql`one.value ->> 'cleared'` })
    .from(sql`json_each(${rows}) one`)
    .where(sql`${clients.id} = one.value ->> 'id' AND ${clients.notes} = one.value ->> 'notes'`)
    .returning({ id: clients.id })
}

const starts = startsOf('clients.contact', '?3')
const correct = (passed: string) =>
  preparedStatement<readonly [organizationId: string, isTest: number, now: number]>(
    `UPDATE clients SET last_at = ${starts.last}, next_at = ${starts.next}
    WHERE organization_id = ?1 AND is_test = ?2 AND ${passed}`,
  )
const correctBegun = correct('next_at <= ?3')
const correctUpcoming = correct('last_at > ?3')

/** Corrects the last and next booking of those whose bookings began since, also if a sandbox's clock went back. */
export function correctStarts(db: Db, { organizationId, isTest }: Tenant, now: number): Statement[] {
  return [correctBegun, correctUpcoming].map((one) => one(db, organizationId, Number(isTest), now))
}

/** Refuses to note something about a client who is gone. */
export function noteAbout(db: Db, { id }: { readonly id: string }, notes: string | null): Statement[] {
  return [
    refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM clients WHERE id = ${id})`),
    db.update(clients).set({ notes }).where(eq(clients.id, id)),
  ]
}

/** All of a tenant: their bookings are counted again from the first one on. */
export function dropClients(db: Db, { organizationId, isTest }: Tenant): Statement[] {
  return [clients, clientBookings, clientWords].map((table) =>
    db.delete(table).where(and(eq(table.organizationId, organizationId), eq(table.isTest, isTest))),
  )
}

/** Those about whom something was noted, a page of them. */
export function selectNoted(db: Db, tenant: Tenant, after: string, limit: number) {
  return db
    .select({ id: clients.id, contact: clients.contact, notes: clients.notes })
    .from(clients)
    .where(and(inTenant(tenant), isNotNull(clients.notes), sql`${clients.contact} > ${after}`))
    .orderBy(asc(clients.contact))
    .limit(limit)
}
