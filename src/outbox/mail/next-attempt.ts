import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import type { EmailFailure } from '../../platform/email/email-failure.ts'
import { retrySeconds } from '../../platform/queue/retry-schedules.ts'
import type { EmailRow } from './queries.ts'

/** The usual attempts take almost a day. While a quota is used up, another day is added. */
const QUOTA_FOR_MS = 2 * DAY_MS
/** While a quota is used up, confirmations and codes try more often than reminders, which wait while others are refused. */
export const QUOTA_PAUSE_SECONDS = (10 * MINUTE_MS) / SECOND_MS
const QUOTA_PAUSE_OF_REMINDERS_SECONDS = HOUR_MS / SECOND_MS

type Tried = Pick<EmailRow, 'kind' | 'attempts' | 'createdAt'>

/** Seconds until the next attempt; null to give up. */
export function secondsToNextAttempt(
  { kind, attempts, createdAt }: Tried,
  failure: EmailFailure,
  now: number,
): number | null {
  if (failure === 'final') return null
  if (failure !== 'quota') return retrySeconds('email', attempts)
  if (now - createdAt > QUOTA_FOR_MS) return null
  return kind === 'reminder' ? QUOTA_PAUSE_OF_REMINDERS_SECONDS : QUOTA_PAUSE_SECONDS
}
