import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { isAddress } from '../../../platform/db/email-spellings.ts'
import { inTenantOf } from '../../../platform/db/in-tenant.ts'
import { cursorOf } from '../../../platform/db/list-page.ts'
import { preparedQuery } from '../../../platform/db/prepared.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { type ClientRow, clientBookings, clients } from '../../../platform/db/schema/clients.ts'
import type { ClientQuery } from './schema.ts'

const { id, contact } = clients
const inTenant = inTenantOf(clients)

/** The column of each sort, whose index ends with the id, and whether it begins with the largest. */
const SORTS = {
  name: [clients.sortName, false],
  last: [clients.lastAt, true],
  next: [clients.nextAt, false],
  bookings: [clients.bookings, true],
} as const

/** The contacts of bookings, and of clients who have none left, of whom something was noted. */
export const selectContacts = (
  db: Db,
  { organizationId, isTest }: Tenant,
  bookingIds: readonly string[],
  limit: number,
) => contactsOf(db, organizationId, Number(isTest), JSON.stringify(bookingIds), limit)

const contactsOf = preparedQuery<
  { readonly contact: string },
  readonly [organizationId: string, isTest: number, bookingIds: string, limit: number]
>(
  `SELECT c.contact FROM json_each(?3) one CROSS JOIN client_bookings c ON c.booking_id = one.value
   WHERE c.organization_id = ?1 AND c.is_test = ?2
   UNION SELECT contact FROM clients INDEXED BY clients_unbooked WHERE organization_id = ?1 AND is_test = ?2 AND bookings + cancelled <= 0 LIMIT ?4`,
)

export function selectCursor(db: Db, tenant: Tenant, query: ClientQuery) {
  return db
    .select({ id })
    .from(clients)
    .where(and(eq(id, cursorOf(query)), inTenant(tenant)))
}

/**
 * A page in its order, or backwards from its end, with one row more than it holds: of those with all words, who are among
 * `contacts` unless that is null.
 */
export function selectPage(
  db: Db,
  tenant: Tenant,
  query: ClientQuery,
  words: readonly string[],
  contacts: readonly string[] | null,
): Promise<ClientRow[]> {
  const { starting_after: after, ending_before: before, limit } = query
  const [column, isFalling] = SORTS[query.sort]
  const isUpwards = isFalling === (before !== undefined)
  const isPaged = after !== undefined || before !== undefined
  const cursor = sql`(SELECT ${column}, ${id} FROM ${clients} WHERE ${id} = ${cursorOf(query)})`
  const sorted = contacts ? sql`+${column}` : sql`${column}`
  const direction = sql.raw(isUpwards ? 'ASC' : 'DESC')
  const wanted = words.map((word) => sql`instr(${clients.words}, ${` ${word}`}) > 0`)
  const few = contacts
    ? sql`${contact} IN (SELECT value FROM json_each(${JSON.stringify(contacts)}))`
    : undefined
  return db
    .select()
    .from(clients)
    .where(
      and(
        inTenant(tenant),
        few,
        ...wanted,
        isPaged ? sql`(${sorted}, ${id}) ${sql.raw(isUpwards ? '>' : '<')} ${cursor}` : undefined,
      ),
    )
    .orderBy(sql`${sorted} ${direction}`, sql`${id} ${direction}`)
    .limit(limit + 1)
}

/** The pluses make the database look for the number. */
export function hasNumber({ organizationId, isTest }: Tenant, phoneMark: string): SQL | undefined {
  return and(
    eq(clients.phoneMark, phoneMark),
    sql`+${clients.organizationId} = ${organizationId} AND +${clients.isTest} = ${Number(isTest)}`,
  )
}

/** By the address, or by the number: then first who has no address. */
export function selectClient(db: Db, tenant: Tenant, named: string) {
  return db
    .select()
    .from(clients)
    .where(named.includes('@') ? and(inTenant(tenant), eq(contact, named)) : hasNumber(tenant, named))
    .orderBy(sql`${contact} <> ${named}`, sql`${clients.lastAt} DESC`)
    .limit(1)
}

export function selectCounted(db: Db, bookingIds: readonly string[]) {
  const ids = JSON.stringify(bookingIds)
  return db
    .select()
    .from(clientBookings)
    .where(sql`${clientBookings.bookingId} IN (SELECT value FROM json_each(${ids}))`)
}

/** For each client one of their other bookings: if possible one that is not cancelled, with the last start. */
export function selectRemaining(
  db: Db,
  { organizationId, isTest }: Tenant,
  contacts: readonly string[],
  exceptIds: readonly string[],
) {
  const last = (isCancelled: 0 | 1) => sql`(SELECT c.booking_id FROM client_bookings c
    WHERE c.organization_id = ${organizationId} AND c.is_test = ${Number(isTest)} AND c.contact = one.value
      AND c.is_cancelled = ${sql.raw(String(isCancelled))}
      AND c.booking_id NOT IN (SELECT value FROM json_each(${JSON.stringify(exceptIds)}))
    ORDER BY c.start_time DESC LIMIT 1)`
  return db
    .select()
    .from(bookings)
    .where(
      sql`${bookings.id} IN (SELECT coalesce(${last(0)}, ${last(1)}) FROM json_each(${JSON.stringify(contacts)}) one)`,
    )
}

/** The bookings of an address that were not counted yet. */
export function selectUncounted(db: Db, tenant: Tenant, address: string, limit: number) {
  const email = sql`lower(${bookings.inviteeEmail})`
  return db
    .select()
    .from(bookings)
    .where(
      and(
        inTenantOf(bookings)(tenant),
        isAddress(email, address),
        sql`NOT EXISTS (SELECT 1 FROM client_bookings c WHERE c.booking_id = ${bookings.id})`,
      ),
    )
    .orderBy(asc(bookings.id))
    .limit(limit)
}
