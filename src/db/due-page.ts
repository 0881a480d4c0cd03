import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** So much of what is due is read at once; whoever reads a whole page asks for the next one. */
export const DUE_A_PAGE = 200

/**
 * Whether its organization stays: nothing is done for one that moves to another deployment, where all that is due goes on.
 * `organizationId` is a column of the query around it.
 */
export function staysHere(organizationId: SQLWrapper): SQL {
  return sql`${organizationId} NOT IN (SELECT organization_id FROM moves)`
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
