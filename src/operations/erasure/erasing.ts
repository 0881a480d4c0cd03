import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { refuse } from '../../platform/http/errors.ts'
import type { Person } from './person.ts'
import type { Erased } from './schema.ts'

/** One call that erases somebody. */
export type Erasing = {
  readonly env: Env
  readonly db: Db
  readonly tenant: Tenant
  readonly person: Person
  readonly now: number
  /** When it stops: what is done stays done, and the next call goes on. */
  readonly until: number
  /** What was changed so far. */
  readonly counts: { -readonly [Name in keyof Erased['erased']]: number }
}

/** So many rows are read at once. */
const ROWS_AT_ONCE = 250
/** So many characters go into one statement; D1 takes two megabytes. */
const CHARACTERS_AT_ONCE = 400_000

/** Does `follow` for some of the rows after the other. */
export async function inPages<Row>(
  { until }: Pick<Erasing, 'until'>,
  rows: readonly Row[],
  follow: (page: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    assertTime(until)
    await follow(rows.slice(at, at + ROWS_AT_ONCE))
  }
}

/** Rows as JSON lists that fit into a statement each. */
export function asParameters(rows: readonly object[]): readonly string[] {
  const lists: string[][] = []
  let room = 0
  for (const text of rows.map((row) => JSON.stringify(row))) {
    room -= text.length
    if (room < 0) {
      lists.push([])
      room = CHARACTERS_AT_ONCE - text.length
    }
    lists.at(-1)!.push(text)
  }
  return lists.map((texts) => `[${texts.join(',')}]`)
}

export function assertTime(until: number): void {
  if (Date.now() < until) return
  throw refuse('not_all_erased')
}
