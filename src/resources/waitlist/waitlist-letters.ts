import { tokenFor } from '../../auth/secret.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { formatInstant } from '../../http/fields.ts'
import { whenLine } from '../bookings/meeting-lines.ts'
import { letterBody } from '../mail/letter-body.ts'
import type { Letter } from '../mail/post-letter.ts'
import type { WaitlistEntry } from './schema.ts'
import { selectStart } from './store.ts'

export type PromotionNews = {
  readonly eventId: string
  readonly entry: WaitlistEntry
  readonly title: string
  readonly organizationName: string
}

/** Tells somebody who waited that they are booked. The booking's own letter carries the invitation and the link. */
export async function promotionLetters(env: Env, db: Db, news: PromotionNews): Promise<Letter[]> {
  const { eventId, entry, title, organizationName } = news
  const [booking] = await selectStart(db, entry.promoted_booking_id ?? '')
  if (!booking) return []
  const heading = `A place became free: ${title} with ${organizationName}`
  const when = whenLine(formatInstant(booking.start), entry.invitee_timezone)
  if (booking.status === 'pending_payment') return [paymentLetter(await manageUrl(env, entry), news, when)]
  const lines = [
    `You were on the waitlist and are booked now, for ${when}.`,
    'The confirmation comes in a letter of its own; its link cancels or reschedules the booking.',
  ]
  return [
    {
      onceKey: `event/${eventId}/${entry.id}`,
      to: entry.invitee_email,
      subject: heading,
      ...letterBody({ heading, lines }),
    },
  ]
}

async function manageUrl(env: Env, { promoted_booking_id: id }: WaitlistEntry): Promise<string> {
  return `${env.PUBLIC_URL}/bookings/${id}?token=${await tokenFor(env.ENCRYPTION_KEY, id ?? '')}`
}

/** The place is kept for somebody who has still to pay for it. */
function paymentLetter(
  url: string,
  { eventId, entry, title, organizationName }: PromotionNews,
  when: string,
): Letter {
  const heading = `A place became free: ${title} with ${organizationName}`
  const lines = [
    `You were on the waitlist, and a place is kept for you for ${when}.`,
    'It is yours once you have paid for it, within 30 minutes; after that it goes to the next in line.',
  ]
  return {
    onceKey: `event/${eventId}/${entry.id}`,
    to: entry.invitee_email,
    subject: heading,
    ...letterBody({ heading, lines, action: { label: 'Pay or cancel', url } }),
  }
}
