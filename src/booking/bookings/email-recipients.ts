import { PROVIDER_FAILED } from '../../money/payments/reasons.ts'
import { mailboxOf } from '../../outbox/mail/mailbox.ts'
import { notificationsOf } from '../../outbox/mail/notifications.ts'
import type { Person } from '../../outbox/mail/sender.ts'
import type { Notifications } from '../../platform/db/schema/organizations.ts'
import type { Booking } from './schema.ts'

export const EMAILED_KINDS = [
  'booking.created',
  'booking.requested',
  'booking.confirmed',
  'booking.rescheduled',
  'booking.reassigned',
  'booking.updated',
  'booking.cancelled',
] as const
export type EmailedKind = (typeof EMAILED_KINDS)[number]

/** Those whose emails contain the current link. A change may email nobody. */
export const LINKING_KINDS = EMAILED_KINDS.filter((kind) => kind !== 'booking.updated')

export function isEmailedKind(kind: string): kind is EmailedKind {
  return EMAILED_KINDS.some((told) => told === kind)
}

/** Without an address it is empty. */
export type Attendee = Booking['attendees'][number] & { readonly email: string }

/** The attendees, and the guests as if they were. */
export function everybodyIn({
  attendees,
  guests,
}: Pick<Booking, 'attendees' | 'guests'>): readonly Attendee[] {
  const others = guests.map(({ id, name, email, timezone }) => {
    return { id, name: name ?? email, email, timezone, is_primary: false, no_show: false }
  })
  return [...attendees.map(addressed), ...others]
}

export function addressed(attendee: Booking['attendees'][number]): Attendee {
  return { ...attendee, email: attendee.email ?? '' }
}

/** An unpaid booking is not announced, and a failure that the caller has seen needs no email. */
export function isUnannounced({
  status,
  cancel_reason,
  payment,
}: Pick<Booking, 'status' | 'cancel_reason' | 'payment'>): boolean {
  const isFailed = payment?.status === 'cancelled' && cancel_reason === PROVIDER_FAILED
  return status === 'pending_payment' || isFailed
}

/** The attendees and guests who get an email. If it ended as a request (`wasRequest`), its guests never got one. */
export function attendeesToEmail(
  { status, cancel_reason, payment, ...people }: Booking,
  wasRequest = false,
): readonly Attendee[] {
  const isGivenUp = payment?.status === 'cancelled'
  if (isUnannounced({ status, cancel_reason, payment })) return []
  // An erased attendee has a seat and no address.
  const present = everybodyIn(people).filter(({ email }) => email !== '')
  // Only the invitee knows about a request, and only the payer about an unpaid booking.
  const isAlone = wasRequest || status === 'pending_approval' || isGivenUp
  return isAlone ? present.filter(({ is_primary }) => is_primary) : present
}

/** What happened to a booking, for its hosts. */
export type Topic = Exclude<keyof Notifications, 'daily_agenda'> | 'handed_over'

type Happened = {
  readonly kind: EmailedKind
  readonly booking: Booking
  /** The hosts before a rescheduling; undefined if they were not recorded. */
  readonly previousHostIds: readonly string[] | undefined
  /** The host who took a booking over. */
  readonly takerId?: string | undefined
  /** The member who did it, and gets no email about it. */
  readonly actorId: string | null
  readonly people: readonly Person[]
}

/** The members who get an email, one per mailbox, and its topic: hosts and the owner. */
export function membersToEmail(
  news: Happened,
): readonly { readonly person: Person; readonly topic: Topic }[] {
  const { booking, people } = news
  // Calendars show members what was corrected.
  if (news.kind === 'booking.updated') return []
  if (booking.status === 'pending_payment' || booking.payment?.status === 'cancelled') return []
  const told = new Set<string>()
  return people
    .flatMap((person) => {
      const topic = person.id === news.actorId ? null : topicFor(person, news)
      return topic === null ? [] : [{ person, topic }]
    })
    .filter(({ person: { email, notifications }, topic }) => {
      const setting = topic === 'handed_over' ? 'moved' : topic
      if (email === '' || !notificationsOf(notifications)[setting] || told.has(mailboxOf(email))) return false
      told.add(mailboxOf(email))
      return true
    })
}

const TOPICS: Readonly<Record<EmailedKind, Topic>> = {
  'booking.created': 'new',
  'booking.requested': 'requested',
  'booking.confirmed': 'new',
  'booking.rescheduled': 'moved',
  'booking.reassigned': 'new',
  'booking.updated': 'moved',
  'booking.cancelled': 'cancelled',
}

/**
 * Rescheduling may change the host: the booking is new for one of them, and ends for the other. If only the host changes,
 * nobody else gets an email.
 */
function topicFor(
  { id, isOwner }: Person,
  { kind, booking, previousHostIds, takerId }: Happened,
): Topic | null {
  if (kind === 'booking.reassigned') {
    if (id === takerId) return booking.status === 'pending_approval' ? 'requested' : 'new'
    return previousHostIds?.includes(id) ? 'handed_over' : null
  }
  const isRequest = booking.status === 'pending_approval'
  const isRecorded = kind === 'booking.rescheduled' && !isOwner && previousHostIds !== undefined
  const [wasHost, isHost] = [
    previousHostIds?.includes(id),
    hostsIn(booking).some((host) => host.member_id === id),
  ]
  if (!isRecorded || wasHost === isHost) return isRequest ? 'requested' : TOPICS[kind]
  if (wasHost) return 'handed_over'
  return isRequest ? 'requested' : 'new'
}

/** Everybody who hosts a booking. Events of earlier releases say the assigned host only. */
export function hostsIn({
  assigned_host,
  hosts,
}: Pick<Booking, 'assigned_host'> & Partial<Pick<Booking, 'hosts'>>) {
  return hosts ?? (assigned_host ? [assigned_host] : [])
}
