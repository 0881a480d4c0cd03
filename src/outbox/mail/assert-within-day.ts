import { DAY_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { Refused, tooOften } from '../../platform/http/errors.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { DAILY_LIMIT } from './daily-limit.ts'
import { mailboxOf } from './mailbox.ts'
import { selectLetterCounts } from './statements.ts'

/** Refuses an email that somebody asks for, where it would be left out for the daily limit of its address. */
export async function assertWithinDay(db: Db, tenant: Tenant, email: string, now: RealMs): Promise<void> {
  const [today] = await selectLetterCounts(db, tenant, [mailboxOf(email)], now)
  if (today && today.letters >= DAILY_LIMIT) {
    throw new Refused(tooOften('emails_per_address_day', DAY_MS - (now % DAY_MS), { most: DAILY_LIMIT }))
  }
}
