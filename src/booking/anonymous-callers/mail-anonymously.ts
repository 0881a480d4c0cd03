import type { Db, Statement } from '../../platform/db/client.ts'
import { type Refusal, tooOften } from '../../platform/http/errors.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { AnonymousCaller } from './anonymous-caller.ts'
import { countMails, selectMailCounts } from './queries.ts'

/** Limit of codes that one organization sends to an address per hour, however the address is spelled. */
const MAILS_AN_HOUR = 3

type Chosen = Parameters<typeof publicLimitsOf>[0]

export function mailCounts(db: Db, eventTypeId: string, anonymous: AnonymousCaller) {
  return selectMailCounts(db, eventTypeId, anonymous)
}

/** Why no code is sent at the moment: neither can an address be flooded, nor can a network flood many. */
export function refuseToMail(
  organization: Chosen,
  { hourEndsAt }: AnonymousCaller,
  counts: { readonly toAddress: number; readonly byNetwork: number },
  realNow: AskedMs,
): Refusal | null {
  const waitMs = hourEndsAt - realNow
  if (counts.toAddress >= MAILS_AN_HOUR) {
    return tooOften('verifications_per_email_hour', waitMs, { most: MAILS_AN_HOUR })
  }
  const { bookings_per_network_hour: most } = publicLimitsOf(organization)
  return counts.byNetwork < most ? null : tooOften('verifications_per_network_hour', waitMs, { most })
}

/** Counts a code in the batch that sends it, which fails if a limit was reached in the meantime. */
export function countMail(
  db: Db,
  eventType: { readonly id: string; readonly organizationId: string; readonly isTest: boolean },
  organization: Chosen,
  anonymous: AnonymousCaller,
): Statement[] {
  const known = { ...eventType, eventTypeId: eventType.id }
  const byNetwork = publicLimitsOf(organization).bookings_per_network_hour
  return countMails(db, known, anonymous, { toAddress: MAILS_AN_HOUR, byNetwork })
}
