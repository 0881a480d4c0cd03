import {
  type BookingEmail,
  findHistory,
  type OtherBooking,
} from '../../booking/bookings/history/find-history.ts'
import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { activityRoutes } from '../../outbox/activity/routes.ts'
import type { ActivityEntry } from '../../outbox/activity/schema.ts'
import { apiKeyRoutes } from '../../people/api-keys/routes.ts'
import { activityTexts } from '../../platform/i18n/console/activity.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need, sharedEnv } from '../ask.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { actorOf, type People } from '../team/actors.ts'
import { Changes } from '../team/changes.tsx'
import { actionText } from '../team/done-things.ts'

export type History = {
  readonly entries: readonly ActivityEntry[]
  /** Whether later entries are only in the activity log. */
  readonly hasMore: boolean
  readonly people: People
  readonly emails: readonly BookingEmail[]
  /** Other bookings of the same person. */
  readonly others: readonly OtherBooking[]
}

/** What was done to a booking and which emails went, oldest first, up to a bound. */
export async function loadHistory(request: MemberRequest, id: string): Promise<History> {
  const query = { resource_id: id, order: 'asc', limit: '50' }
  const [{ data, has_more }, members, keys, { emails, others }] = await Promise.all([
    need(request, activityRoutes.listActivity, { query }),
    loadMembers(request),
    listAll(request, apiKeyRoutes.listApiKeys),
    findHistory(sharedEnv(request), request, id),
  ])
  return { entries: data, hasMore: has_more, people: { members, keys }, emails, others }
}

type Props = {
  readonly request: MemberRequest
  readonly booking: Pick<BookingDetail, 'id' | 'attendees' | 'guests'>
  readonly history: History
}

export function HistoryPart({ request, booking, history }: Props) {
  const { locale } = request.page
  const { entries, hasMore, people, emails } = history
  const texts = textsOf(locale, bookingChangeTexts)
  if (entries.length === 0) return null
  const done = entries.map((entry) => ({
    at: Date.parse(entry.created_at),
    shown: <Entry key={entry.id} request={request} entry={entry} people={people} />,
  }))
  const sent = emails.map((email) => ({
    at: email.sentAt,
    shown: <Sent key={email.onceKey} request={request} email={email} booking={booking} people={people} />,
  }))
  return (
    <section class="panel">
      <h2>{texts.history}</h2>
      <ul class="rows">
        {[...done, ...sent].toSorted((one, other) => one.at - other.at).map(({ shown }) => shown)}
      </ul>
      {hasMore && (
        <p>
          <a href={`/console/team/activity?about=${booking.id}`}>{texts.wholeHistory}</a>
        </p>
      )}
    </section>
  )
}

type EntryProps = { readonly request: MemberRequest; readonly entry: ActivityEntry; readonly people: People }

function Entry({ request: { page, zone }, entry, people }: EntryProps) {
  const { locale } = page
  const texts = textsOf(locale, activityTexts)
  const what = actionText(locale, entry.action)
  return (
    <li>
      <div>
        <p>
          <strong>{what}</strong>
        </p>
        <p class="soft">
          <bdi>{actorOf(locale, entry, people)}</bdi>
        </p>
      </div>
      <time class="soft" dateTime={entry.created_at}>
        {ownShortMomentText(locale, Date.parse(entry.created_at), zone)}
      </time>
      {entry.changes && (
        <details class="folded">
          <summary aria-label={fill(texts.details_of, { what })}>{texts.details}</summary>
          <Changes locale={locale} changes={entry.changes} />
        </details>
      )}
    </li>
  )
}

type SentProps = Pick<Props, 'request' | 'booking'> & {
  readonly email: BookingEmail
  readonly people: People
}

/** An email that went, and to whom. */
function Sent({ request: { page, zone }, booking, email, people }: SentProps) {
  const { locale } = page
  const texts = textsOf(locale, bookingChangeTexts)
  const { about, recipientIds, sentAt } = email
  const names = new Map([
    ...people.members.map((member) => [member.id, nameOf(member)] as const),
    ...booking.guests.map(({ id, name, email }) => [id, name ?? email] as const),
    ...booking.attendees.map(({ id, name }) => [id, name] as const),
  ])
  const to = recipientIds.map((id) => names.get(id) ?? texts.somebody)
  const what = OTHER_EMAILS.find((one) => one === about)
  return (
    <li>
      <div>
        <p>{fill(texts.emailSent, { what: what ? texts[`email_${what}`] : actionText(locale, about) })}</p>
        <p class="soft">
          <bdi>{to.join(', ')}</bdi>
        </p>
      </div>
      <time class="soft" dateTime={new Date(sentAt).toISOString()}>
        {ownShortMomentText(locale, sentAt, zone)}
      </time>
    </li>
  )
}

/** Emails that do not follow from an event. */
const OTHER_EMAILS = ['reminder', 'follow_up', 'payable', 'link', 'resent', 'booking.out_of_sync'] as const
