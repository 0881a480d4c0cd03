import { type SQL, sql } from 'drizzle-orm'

/** The hosts of a row besides the assigned one, without these members; null if nobody is left. */
export function coHostsWithout(coHosts: SQL, ...memberIds: readonly SQL[]): SQL {
  return sql`(SELECT nullif(json_group_array(json(value)), '[]') FROM json_each(${coHosts})
    WHERE value ->> 'member_id' NOT IN (SELECT coalesce(value, '') FROM json_each(json_array(${sql.join([...memberIds], sql`, `)}))))`
}

/** Whether a member is among them. */
export function isCoHost(coHosts: SQL, memberId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${coHosts}) WHERE value ->> 'member_id' = ${memberId})`
}
