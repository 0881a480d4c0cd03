import type { BatchItem } from 'drizzle-orm/batch'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { Asked, Connection } from './connection.ts'
import { TextStatement } from './text-statement.ts'

type Item = BatchItem<'sqlite'> | TextStatement<unknown>

/*
 * A batch answers each row as an object by column name, so a query in a batch must not select two columns of
 * one name (`id` of two joined tables): the later one would silently replace the other.
 */

/** Asks all statements in one round trip, in their order. */
export async function askTogether(connection: Connection, statements: readonly Item[]): Promise<unknown[]> {
  const texts = statements.filter((one) => one instanceof TextStatement)
  if (texts.length < statements.length) return askMixed(connection, statements)
  const results = await connection.batch(texts.map(({ asked }) => asked))
  return results.map((result, at) => texts[at]!.rowsOf(result))
}

/** Drizzle asks and reads what it built; the statements of known text join on the way. */
async function askMixed(connection: Connection, statements: readonly Item[]): Promise<unknown[]> {
  let results: D1Result[] = []
  const client = {
    prepare: (text: string) => connection.prepare(text),
    batch: async (built: readonly Asked[]) => {
      let next = 0
      results = await connection.batch(statements.map((one) => (isText(one) ? one.asked : built[next++]!)))
      return results.filter((_, at) => !isText(statements[at]!))
    },
  }
  const drizzled: DrizzleD1Database = drizzle(client as unknown as D1Database)
  const built = statements.filter((one) => !isText(one))
  const answers: unknown[] = await drizzled.batch(built as unknown as [BatchItem<'sqlite'>])
  let next = 0
  return statements.map((one, at) => (isText(one) ? one.rowsOf(results[at]!) : answers[next++]))
}

function isText(item: Item): item is TextStatement<unknown> {
  return item instanceof TextStatement
}
