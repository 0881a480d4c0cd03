import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { isAddress } from '../../../platform/db/email-spellings.ts'
import { inTenantOf } from '../../../platform/db/in-tenant.ts'
import { cursorOf } from '../../../platform/db/list-page.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { type ClientRow, clientBookings, clients, clientWords } from '../../../platform/db/schema/clients.ts'
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

/** If each word has more clients, the page is found along its sort instead. */
const FEW = 1_000

function hasBeginning(tenant: Tenant, begin: string): SQL | undefined {
  return and(
    inTenantOf(clientWords)(tenant),
    sql`${clientWords.word} >= ${begin} AND ${clientWords.word} < ${`${begin}\u{10ffff}`}`,
  )
}

/** How many clients have a word with this beginning, up to one more than a few. */
export function countWith(db: Db, tenant: Tenant, begin: string) {
  const some = db
    .select({ contact: clientWords.contact })
    .from(clientWords)
    .where(hasBeginning(tenant, begin))
    .limit(FEW + 1)
  return db.select({ n: sql<number>`count(*)`.as('n') }).from(some.as('counted'))
}

export function selectCursor(db: Db, tenant: Tenant, query: ClientQuery) {
  return db
    .select({ id })
    .from(clients)
    .where(and(eq(id, cursorOf(query)), inTenant(tenant)))
}

/** The words that a search wants, with how many clients have each. */
export type Wanted = readonly { readonly word: string; readonly n: number }[]

/** A page in its order, or backwards from its end, with one row more than it holds. */
export function selectPage(db: Db, tenant: Tenant, query: ClientQuery, wanted: Wanted): Promise<ClientRow[]> {
  const { starting_after: after, ending_before: before, limit } = query
  const [column, isFalling] = SORTS[query.sort]
  const isUpwards = isFalling === (before !== undefined)
  const isPaged = after !== undefined || before !== undefined
  const cursor = sql`(SELECT ${column}, ${id} FROM ${clients} WHERE ${id} = ${cursorOf(query)})`
  const rarest = wanted.filter(({ n }) => n <= FEW).sort((a, b) => a.n - b.n)[0]
  const sorted = rarest ? sql`+${column}` : sql`${column}`
  const direction = sql.raw(isUpwards ? 'ASC' : 'DESC')
  const words = wanted.map(({ word }) => sql`instr(${clients.words}, ${` ${word}`}) > 0`)
  const few =
    rarest &&
    sql`${contact} IN (SELECT ${clientWords.contact} FROM ${clientWords} WHERE ${hasBeginning(tenant, rarest.word)})`
  return db
    .select()
    .from(clients)
    .where(
      and(
        inTenant(tenant),
        few,
        ...words,
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
