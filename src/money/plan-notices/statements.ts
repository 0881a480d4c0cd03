import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { NOTICE_PERCENTS } from '../../platform/limits/plans.ts'

/** The greatest share of the quota that is reached and that the owner gets an email about, in percent; 0 where none is. */
export function percentUsed(bookings: SQLWrapper, quota: SQLWrapper | number): SQL {
  const cases = NOTICE_PERCENTS.map((percent) => {
    const [most, share] = [sql.raw('100'), sql.raw(String(percent))]
    return sql`WHEN ${bookings} * ${most} >= ${quota} * ${share} THEN ${share}`
  })
  return sql`CASE ${sql.join(cases, sql` `)} ELSE 0 END`
}

/** The share of that quota which the owner got an email about already. */
export function percentNoticed(noticed: SQLWrapper, quota: SQLWrapper | number): SQL {
  return sql`coalesce(${noticed} ->> ('$."' || CAST(${quota} AS INTEGER) || '"'), 0)`
}
