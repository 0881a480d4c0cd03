import type { Db, Query } from '../../platform/db/client.ts'
import type { deleteOld } from '../../platform/db/delete-old.ts'

type Rows = readonly unknown[]
type Due = ReturnType<typeof deleteOld>['old']

/** One kind of due work: how it is found, and what follows for its rows. */
export type Job = {
  /** A query that has rows if anything is due. */
  readonly due: Due
  /** What is due, in a stable order: the rows after `last`, or the first ones. */
  readonly page: (last?: unknown) => Query<unknown> & PromiseLike<Rows>
  readonly limits: Limits
  readonly follow: (rows: Rows) => Promise<void>
}

type Limits = {
  /** A page with this many rows has a next one. */
  readonly size: number
  /** The most queries that `follow` makes for a row. Those that an object makes are not the sweep's. */
  readonly perRow: number
  /** After so many rows the rest waits for the next sweep. */
  readonly most?: number
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
  limits: Limits,
  follow: (rows: readonly Row[]) => Promise<void>,
): Job {
  const page = (last?: unknown) => select(db, instant, last as Last | undefined)
  return {
    due: page() as unknown as Due,
    page: page as unknown as Job['page'],
    limits,
    follow: (rows) => follow(rows as readonly Row[]),
  }
}

/** One statement deletes this many rows. */
const PRUNED_A_PAGE = 500

/** A job that is a single statement, repeated while it finds a full page. */
export function pruning(
  db: Db,
  statement: (db: Db, before: number, limit: number) => ReturnType<typeof deleteOld>,
  before: number,
): Job {
  const page = () => statement(db, before, PRUNED_A_PAGE)
  return {
    due: page().old,
    page: page as unknown as Job['page'],
    limits: { size: PRUNED_A_PAGE, perRow: 0 },
    follow: async () => {},
  }
}

/** Those of the jobs for which the answer of `selectIsDue` has a flag. */
export function dueOf(jobs: readonly Job[], [flags]: readonly Readonly<Record<string, unknown>>[]): Job[] {
  return jobs.filter((_, at) => flags![`job${at}`] === 1)
}
