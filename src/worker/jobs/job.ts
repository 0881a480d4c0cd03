import type { Db, Query } from '../../platform/db/client.ts'

type Rows = readonly unknown[]

/** One query of the sweep's batch, and what follows for its rows. */
export type Job = {
  /** What is due, in a stable order: the rows after `last`, or the first ones. */
  readonly page: (last?: unknown) => Query<unknown> & PromiseLike<Rows>
  /** A page with this many rows has a next one. */
  readonly size: number
  /** After so many rows the rest waits for the next sweep. */
  readonly most: number
  readonly follow: (rows: Rows) => Promise<void>
}

/** A query for what is due at an instant, after the last row of the previous page. */
export type SelectDue<Row extends Last, Last, Ms extends number> = (
  db: Db,
  instant: Ms,
  last?: Last,
) => PromiseLike<readonly Row[]>

export function job<Row extends Last, Last, Ms extends number>(
  db: Db,
  select: SelectDue<Row, Last, Ms>,
  instant: Ms,
  size: number,
  follow: (rows: readonly Row[]) => Promise<void>,
  most = Number.POSITIVE_INFINITY,
): Job {
  return {
    page: (last) => select(db, instant, last as Last | undefined) as unknown as ReturnType<Job['page']>,
    size,
    most,
    follow: (rows) => follow(rows as readonly Row[]),
  }
}
