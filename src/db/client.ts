import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { Env } from '../env.ts'

export type Db = DrizzleD1Database
export type Statement = BatchItem<'sqlite'>
/** A statement that answers with rows. */
export type Query<Row> = Statement & { readonly _: { readonly result: Row[] } }

/**
 * The one door to the database. `decide` reads what was last committed, wherever that is; `read` takes the
 * nearest replica and suits public pages. Organizations can later be spread over several databases here.
 */
export function openDb(env: Env, purpose: 'decide' | 'read'): Db {
  const session = env.DB.withSession(purpose === 'decide' ? 'first-primary' : 'first-unconstrained')
  return drizzle(session as unknown as D1Database)
}

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await db.run(sql`SELECT 1`)
}

/*
 * A batch answers each row as an object by column name, so a query in a batch must not select two columns of
 * one name (`id` of two joined tables): the later one would silently stand for both and shift the rest.
 */

/** Commits all statements or none, in one round trip. */
export async function commitBatch(db: Db, statements: readonly Statement[]): Promise<void> {
  await db.batch(statements as unknown as [Statement, ...Statement[]])
}
