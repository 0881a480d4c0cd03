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
  'booking.cancelled',
] as const
export type EmailedKind = (typeof EMAILED_KINDS)[number]

export function isEmailedKind(kind: string): kind is EmailedKind {
  return EMAILED_KINDS.some((told) => told === kind)
}

export type Attendee = Booking['attendees'][number]

/** The attendees who get a letter; of one that `wasRequest` to its end, its guests never heard. */
export function attendeesToEmail(
  { attendees, status, cancel_reason, payment }: Booking,
  wasRequest = false,
): readonly Attendee[] {
  // Nothing is certain before it is paid, and a failure that the caller has already seen needs no letter.
  const isGivenUp = payment?.status === 'cancelled'
  if (status === 'pending_payment' || (isGivenUp && cancel_reason === PROVIDER_FAILED)) return []
  // Who was erased has a seat and no address.
  const present = attendees.filter(({ email }) => email !== '')
  // Only who asked for it knows of a request, and only the person who should pay of an unpaid booking.
  const isAlone = wasRequest || status === 'pending_approval' || isGivenUp
  return isAlone ? present.filter(({ is_primary }) => is_primary) : present
}

/** What became of a booking, for those who host it. */
export type Topic = Exclude<keyof Notifications, 'daily_agenda'> | 'handed_over'

type Happened = {
  readonly kind: EmailedKind
  readonly booking: Booking
  /** Who was to host it before it moved; undefined where that was not written down. */
  readonly previousHostId: string | null | undefined
  readonly people: readonly Person[]
}

/** The members who get a letter, each mailbox one, and of what: whoever hosts it and the owner. */
export function membersToEmail(
  news: Happened,
): readonly { readonly person: Person; readonly topic: Topic }[] {
  const { booking, people } = news
  if (booking.status === 'pending_payment' || booking.payment?.status === 'cancelled') return []
  const told = new Set<string>()
  return people
    .map((person) => ({ person, topic: topicFor(person, news) }))
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
  'booking.cancelled': 'cancelled',
}

/** A booking that moves may change its host: it is new to one of them, and over for the other. */
function topicFor({ id, isOwner }: Person, { kind, booking, previousHostId }: Happened): Topic {
  const isRequest = booking.status === 'pending_approval'
  const hostId = booking.assigned_host?.member_id ?? null
  if (
    kind !== 'booking.rescheduled' ||
    isOwner ||
    previousHostId === undefined ||
    previousHostId === hostId
  ) {
    return isRequest ? 'requested' : TOPICS[kind]
  }
  if (id === previousHostId) return 'handed_over'
  if (isRequest) return 'requested'
  return id === hostId ? 'new' : 'moved'
}
