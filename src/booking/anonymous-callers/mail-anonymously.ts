import type { Db, Statement } from '../../platform/db/client.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { AnonymousCaller } from './anonymous-caller.ts'
import { brake } from './over-limit.ts'
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
    const message = `At most ${MAILS_AN_HOUR} codes an hour are mailed to one address.`
    return brake('verifications_per_email_hour', message, waitMs)
  }
  const { bookings_per_network_hour: limit } = publicLimitsOf(organization)
  if (counts.byNetwork < limit) return null
  return brake('verifications_per_network_hour', `A network may ask for ${limit} codes an hour here.`, waitMs)
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
