import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Db } from './client.ts'

/** Page size of due work: after a full page, the next one is read. */
export const DUE_A_PAGE = 200

/**
 * Whether its organization stays: nothing is done for one that moves to another deployment, where all that is due goes on.
 * `organizationId` is a column of the query around it.
 */
export function staysHere(organizationId: SQLWrapper): SQL {
  return sql`${organizationId} NOT IN (SELECT organization_id FROM moves)`
}

/**
 * Whether a row of a sandbox is due by its present. Where its clock was set back since that was known, the new one counts: what
 * is made by it is not due yet.
 */
export function isDueInSandbox(dueAt: SQLWrapper, organizationId: string, present: number): SQL {
  return sql`${dueAt} <= (SELECT min(${present}, coalesce(sandbox_now, ${present})) FROM organizations
    WHERE id = ${organizationId})`
}

/** What follows the last row of a page that is ordered by `columns`; all of it when there was none. */
export function comesAfter(
  columns: readonly SQLWrapper[],
  last: readonly (string | number | null)[] | undefined,
): SQL | undefined {
  if (last === undefined) return undefined
  const values = last.map((value) => sql`${value}`)
  return sql`(${sql.join([...columns], sql`, `)}) > (${sql.join(values, sql`, `)})`
}

/**
 * The rows of an organization among the last `many` that became due, as `due`: that many are read, however much is due of
 * others. An index of all that is due costs one row less for each than one by organization besides. The sweep finds the rest.
 */
export function newestDueOf(
  table: 'calendar_writes' | 'meetings',
  columns: string,
  {
    organizationId,
    by,
    many,
  }: { readonly organizationId: SQLWrapper; readonly by: SQLWrapper; readonly many: number },
): SQL {
  const [from, selected, most] = [table, columns, String(many)].map((text) => sql.raw(text))
  return sql`SELECT ${selected} FROM (SELECT rowid AS at, organization_id FROM ${from} WHERE next_attempt_at <= ${by}
    ORDER BY next_attempt_at DESC LIMIT ${most}) newest CROSS JOIN ${from} due ON due.rowid = newest.at
    WHERE newest.organization_id = ${organizationId}`
}

/** Which of these kinds of work are due at all, in one statement: a flag for each. */
export function selectIsDue(db: Db, kinds: readonly { readonly due: SQLWrapper }[]) {
  const flags = kinds.map(({ due }, at) => [`job${at}`, sql<number>`EXISTS ${due}`.as(`job${at}`)] as const)
  return db.select(Object.fromEntries(flags)).from(sql`(SELECT 1)`)
}
