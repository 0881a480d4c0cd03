import { type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Env } from '../../env.ts'
import { askTogether } from './batch.ts'
import { Connection } from './connection.ts'
import { pauseABit } from './once-more.ts'
import { isBlip } from './passing-failure.ts'
import { patienceWith } from './patience.ts'
import type { TextStatement } from './text-statement.ts'

export type Statement = BatchItem<'sqlite'> | TextStatement<unknown>
/** A statement that answers with rows. */
export type Query<Row> = RunnableQuery<Row[], 'sqlite'> | TextStatement<Row>

type AnswerOf<One> =
  One extends TextStatement<infer Row>
    ? Row[]
    : One extends RunnableQuery<infer Result, 'sqlite'>
      ? Result
      : never
export type Answers<All extends readonly Statement[]> = { -readonly [At in keyof All]: AnswerOf<All[At]> }

/** Drizzle on a connection. Its batches take statements of known text, too. */
export type Db = Omit<DrizzleD1Database, 'batch'> & {
  readonly connection: Connection
  batch<const All extends readonly Statement[]>(statements: All): Promise<Answers<All>>
}

/**
 * Opens the database. `decide` reads what was last committed, wherever that is; `read` takes the
 * nearest replica and suits public pages. Of several databases, `env.DB` is the one that was chosen where the request began.
 */
export function openDb(env: Env, purpose: 'decide' | 'read'): Db {
  return open(env, purpose === 'decide' ? 'first-primary' : 'first-unconstrained', false)
}

/** The same to decide on several things that have nothing to do with each other, at the same time. */
export function openSharedDb(env: Env): Db {
  return open(env, 'first-primary', true)
}

function open(env: Env, start: D1SessionConstraint, isShared: boolean): Db {
  const { tally, deadline } = env
  const options = { tally, deadline, patience: patienceWith(env.DB), isShared }
  const db = dbBehind(new Connection(env.DB.withSession(start), options))
  homes.set(db, env)
  return db
}

export function dbBehind(connection: Connection): Db {
  const batch = (statements: readonly Statement[]) => askTogether(connection, statements)
  return Object.assign(drizzle(connection as unknown as D1Database), { connection, batch }) as Db
}

/** Where each was opened. */
const homes = new WeakMap<Db, Env>()

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await db.run(sql`SELECT 1`)
}

/** A row that only one batch can have written, because its id was made for it. */
type Witness = {
  readonly table: SQLiteTable & { readonly id: SQLiteColumn }
  readonly isThis: () => SQL | undefined
}

const witnesses = new WeakMap<Statement, Witness>()

/**
 * Marks a statement that always inserts the row `isThis`, so that a committed batch can be distinguished from one that never
 * happened.
 */
export function asWitness<S extends Statement>(
  statement: S,
  table: Witness['table'],
  isThis: Witness['isThis'],
): S {
  witnesses.set(statement, { table, isThis })
  return statement
}

/**
 * Commits all statements or none, in one round trip, and returns what each answered; null when the answers were lost. After a
 * short outage it is retried once if a witness makes that safe: a batch that was committed fails on its own witness, whose row
 * shows it.
 */
export async function commitBatch(
  db: Db,
  statements: readonly Statement[],
): Promise<readonly unknown[] | null> {
  const commit = (): Promise<readonly unknown[]> => db.batch(statements)
  const witness = statements.map((one) => witnesses.get(one)).find((found) => found !== undefined)
  try {
    return await commit()
  } catch (error) {
    if (!witness || !isBlip(error)) throw error
    await pauseABit()
    return await commit().catch(async (secondError) => {
      if (await isThere(db, witness)) return null
      throw secondError
    })
  }
}

/** Asks in a session of its own: the one in which an answer was lost does not know how far it is. */
async function isThere(db: Db, { table, isThis }: Witness): Promise<boolean> {
  const env = homes.get(db)
  if (!env) return false
  const found = await openDb(env, 'decide').select({ id: table.id }).from(table).where(isThis())
  return found.length > 0
}
