import type { Env } from '../../env.ts'
import { formatInstant } from '../../http/instants.ts'
import { moneyText } from '../../i18n/format.ts'
import { localeOf } from '../../i18n/locale.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { letterBody } from '../mail/letter-body.ts'
import { manageUrl } from './manage-url.ts'
import { meetingLines, whenLine } from './meeting-lines.ts'
import type { Booking } from './schema.ts'

export type UnpaidNews = {
  readonly booking: Booking
  readonly payBy: number
  readonly title: string
  readonly organizationName: string
}

/** Tells whoever booked where to pay, and until when. The booking's own letter follows once it is paid. */
export async function payLetter(
  env: Env,
  { booking, payBy, title, organizationName }: UnpaidNews,
  attendee: Booking['attendees'][number],
): Promise<Email> {
  const heading = `Payment is due: ${title} with ${organizationName}`
  const { timezone } = attendee
  const { payment } = booking
  const price = payment ? [`Price: ${priceText(payment.amount, payment.currency)}`] : []
  const lines = [
    ...meetingLines(booking, timezone),
    ...price,
    `Until ${whenLine(formatInstant(payBy), timezone)} the time is held for you. The booking is confirmed once it is paid.`,
  ]
  const action = { label: 'Pay or cancel', url: await manageUrl(env, booking.id) }
  return { to: attendee.email, subject: heading, ...letterBody({ heading, lines, action }) }
}

export function priceText(amount: number, currency: string): string {
  return moneyText(localeOf('en'), amount, currency)
}
