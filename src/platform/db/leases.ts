import { and, getTableColumns, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import type { Db } from './client.ts'
import { staysHere } from './due-page.ts'

/*
 * Work outside the service is done by one process at a time. A process takes a lease; it may die during the work, so when the
 * lease ends, the next process takes it.
 */

/** How long each is leased: longer than an attempt can take. */
export const LEASE_MS = {
  email: MINUTE_MS,
  // The provider answers within ten seconds.
  text: 30 * SECOND_MS,
  // Several calls of ten seconds each.
  calendarWrite: 2 * MINUTE_MS,
  meeting: 90 * SECOND_MS,
  // The provider answers within half of it.
  payment: 30 * SECOND_MS,
  refund: 30 * SECOND_MS,
  delivery: 30 * SECOND_MS,
  sync: MINUTE_MS,
} as const

export type Lease<Ms extends number = number> = { readonly now: Ms; readonly until: number }

export function leaseAt<Ms extends number>(what: keyof typeof LEASE_MS, now: Ms): Lease<Ms> {
  return { now, until: now + LEASE_MS[what] }
}

/** The database's clock, which says when some work is due, may be a little ahead of ours. */
export const CLOCKS_DIFFER_MS = 5 * SECOND_MS

/**
 * What is worked on. Where a change may make it due again while somebody is at it, `claimedUntil` says who has it;
 * elsewhere the next attempt is due when the lease ends.
 */
type Leased = SQLiteTable & {
  readonly attempts: SQLiteColumn
  readonly nextAttemptAt: SQLiteColumn
  readonly claimedUntil?: SQLiteColumn
  readonly organizationId: SQLiteColumn
}

/** Whether no process has an active lease. */
export function isFree(claimedUntil: SQLiteColumn, now: number): SQL | undefined {
  return or(isNull(claimedUntil), lte(claimedUntil, now))
}

/**
 * Takes what `isMeant` names and counts the attempt; no row where it is not due, or where somebody else has it. `more` is read
 * with it.
 */
export function takeLease<
  Table extends Leased,
  More extends Record<string, SQL<unknown> | SQL.Aliased> = Record<never, never>,
>(db: Db, table: Table, isMeant: SQL | undefined, { now, until }: Lease, more: More = {} as More) {
  const { attempts, nextAttemptAt, claimedUntil, organizationId } = table
  const isDue = claimedUntil
    ? and(lte(nextAttemptAt, now + CLOCKS_DIFFER_MS), isFree(claimedUntil, now))
    : lte(nextAttemptAt, now)
  const taken = {
    attempts: sql`${attempts} + 1`,
    ...(claimedUntil ? { claimedUntil: until } : { nextAttemptAt: until }),
  }
  return db
    .update(table)
    .set(taken as never)
    .where(and(isMeant, isDue, staysHere(organizationId)))
    .returning({ ...getTableColumns(table), ...more })
}
