import type { Json } from '../world.ts'
import type { Account, State } from './state.ts'

/**
 * Which emails Google sends: `sendUpdates` of all, of those without a Google calendar, or none, the default
 * (…/v3/reference/events/insert#sendUpdates); `sendNotifications` is its predecessor.
 */
export function sendMails(
  state: State,
  account: Account,
  query: URLSearchParams,
  before: Json | null,
  after: Json,
): void {
  const asked = query.get('sendUpdates') ?? (query.get('sendNotifications') === 'true' ? 'all' : 'none')
  if (asked === 'none') return
  const people = new Map<string, string>()
  const isCancelled = after.status === 'cancelled'
  for (const { email } of after.attendees ?? []) people.set(email, isCancelled ? 'cancellation' : 'update')
  const earlier: string[] = (before?.attendees ?? []).map((one: Json) => one.email)
  for (const email of earlier) if (!people.has(email)) people.set(email, 'cancellation')
  for (const email of people.keys()) {
    if (!earlier.includes(email) && !isCancelled) people.set(email, 'invitation')
  }
  for (const [to, kind] of people) {
    const isOwn = to.toLowerCase() === after.organizer?.email?.toLowerCase() || to === account.mail
    if (isOwn || (asked === 'externalOnly' && state.accounts.has(to))) continue
    account.mails.push({ kind, to, event_id: after.id, summary: after.summary, at: state.frame.now() })
  }
}
