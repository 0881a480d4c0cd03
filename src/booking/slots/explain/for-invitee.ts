import type { Reason } from '../../bookable/schema.ts'
import type { Explanation } from './schema.ts'

/** What concerns hosts, their calendars, rooms and other people: a public page shows it as time that is taken. */
const OF_OTHERS: ReadonlySet<Reason['code']> = new Set([
  'booked',
  'busy_calendar',
  'calendar_lost',
  'held',
  'host_limit',
  'no_hosts',
  'no_resources',
  'outside_host_hours',
  'owed_to_waitlist',
  'resource_busy',
  'resource_closed',
  'time_off',
])

const TAKEN: Reason = { code: 'booked', message: 'This time is taken.' }

/** The explanation without what only the organization may know: ids, hosts, and who or what has the time. */
export function forInvitee(explanation: Explanation): Explanation {
  if ('bookable' in explanation) return { ...explanation, reasons: inPublic(explanation.reasons), hosts: [] }
  return { ...explanation, closed: inPublicEach(explanation.closed) }
}

function inPublic(reasons: readonly Reason[]): Reason[] {
  const known = reasons.map(({ code, message }) => (OF_OTHERS.has(code) ? TAKEN : { code, message }))
  return [...new Map(known.map((reason) => [reason.code, reason])).values()]
}

type Closed = Extract<Explanation, { closed: unknown }>['closed']

function inPublicEach(closed: Closed): Closed {
  const joined: Closed = []
  for (const span of closed) {
    const reasons = inPublic(span.reasons)
    const last = joined.at(-1)
    const isSame = last?.end_time === span.start_time && codesOf(last.reasons) === codesOf(reasons)
    if (isSame) last!.end_time = span.end_time
    else joined.push({ ...span, reasons })
  }
  return joined
}

function codesOf(reasons: readonly Reason[]): string {
  return reasons
    .map(({ code }) => code)
    .sort()
    .join()
}
