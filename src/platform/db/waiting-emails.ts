import { sql } from 'drizzle-orm'

/** The stored reasons of a used up quota, and no others: see `platform/email/email-failure.ts`. */
const QUOTA_ERRORS = 'E_*_LIMIT_EXCEEDED*'

/** Whether other emails than reminders wait for the quota of the account. Only this database is asked. */
export const OTHERS_WAIT =
  sql.raw(`EXISTS (SELECT 1 FROM emails WHERE status = 'pending' AND kind <> 'reminder'
    AND last_error IS NOT NULL AND next_attempt_at > 0 AND last_error GLOB '${QUOTA_ERRORS}')`)

export function othersWaitColumn() {
  return sql`${OTHERS_WAIT}`.mapWith(Boolean).as('others_wait')
}
