import type { Env } from '../../env.ts'
import { formatInstant } from '../../http/instants.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { manageUrl } from '../bookings/manage-url.ts'
import { whenLine } from '../bookings/meeting-lines.ts'
import { letterBody } from '../mail/letter-body.ts'
import type { WaitlistEntry } from './schema.ts'

export type PromotionNews = {
  readonly entry: WaitlistEntry
  /** `payBy` is null where nothing is to be paid. */
  readonly booking: { readonly startTime: number; readonly payBy: number | null }
  readonly title: string
  readonly organizationName: string
}

/** Tells somebody who waited that they are booked. The booking's own letter carries the invitation and the link. */
export async function promotionLetter(env: Env, news: PromotionNews): Promise<Email> {
  const { entry, booking, title, organizationName } = news
  const heading = `A place became free: ${title} with ${organizationName}`
  const when = whenLine(formatInstant(booking.startTime), entry.invitee_timezone)
  const body =
    booking.payBy === null
      ? { lines: bookedLines(when) }
      : {
          lines: unpaidLines(when, whenLine(formatInstant(booking.payBy), entry.invitee_timezone)),
          action: { label: 'Pay or cancel', url: await manageUrl(env, entry.promoted_booking_id ?? '') },
        }
  return { to: entry.invitee_email, subject: heading, ...letterBody({ heading, ...body }) }
}

function bookedLines(when: string): string[] {
  return [
    `You were on the waitlist and are now booked for ${when}.`,
    'The confirmation comes in a separate email, with a link to cancel or reschedule.',
  ]
}

/** The place is kept for somebody who has still to pay for it. */
function unpaidLines(when: string, until: string): string[] {
  return [
    `You were on the waitlist, and a place is held for you: ${when}.`,
    `Pay until ${until} to keep it. After that it goes to the next in line.`,
  ]
}
