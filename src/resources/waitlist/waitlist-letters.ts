import type { Db } from '../../db/client.ts'
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
export async function promotionLetters(db: Db, news: PromotionNews): Promise<Letter[]> {
  const { eventId, entry, title, organizationName } = news
  const [booking] = await selectStart(db, entry.promoted_booking_id ?? '')
  if (!booking) return []
  const heading = `A place became free: ${title} with ${organizationName}`
  const when = whenLine(formatInstant(booking.start), entry.invitee_timezone)
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
