import { type SQL, sql } from 'drizzle-orm'
import { LEASE_MS } from '../../../platform/db/leases.ts'

/** Whether no attempt of a due delivery runs. */
export function isUnclaimed(now: number): SQL {
  return sql`(last_attempt_at IS NULL OR last_attempt_at < next_retry_at OR last_attempt_at <= ${now - LEASE_MS.delivery})`
}
