import type { Json } from '../world.ts'
import { textOf } from './event-body.ts'
import { utcText } from './local-time.ts'
import type { Account, EventFields } from './state.ts'

/** What Outlook would send to those who are invited; it goes nowhere and is shown by `GET /control`. */
export function sendMails(
  account: Account,
  kind: 'invitation' | 'update' | 'cancellation',
  { subject, start, end, body, onlineMeeting }: EventFields,
  to: readonly Json[],
): void {
  for (const { emailAddress } of to) {
    account.mails.push({
      ...{
        to: emailAddress.address,
        kind,
        subject: kind === 'cancellation' ? `Canceled: ${subject}` : subject,
      },
      ...{ start: utcText(start.ms), end: utcText(end.ms), text: textOf(body) },
      joinUrl: onlineMeeting?.joinUrl ?? null,
    })
  }
}

/** If only the attendees change, only added and removed ones get emails: learn.microsoft.com/graph/api/event-update */
export function mailUpdate(account: Account, said: Json, before: EventFields, after: EventFields): void {
  const addressOf = (attendee: Json) => attendee.emailAddress.address
  const earlier = new Set(before.attendees.map(addressOf))
  const later = new Set(after.attendees.map(addressOf))
  const isOnlyAttendees = Object.keys(said).every((name) => name === 'attendees')
  sendMails(
    account,
    'cancellation',
    after,
    before.attendees.filter((one) => !later.has(addressOf(one))),
  )
  sendMails(
    account,
    'invitation',
    after,
    after.attendees.filter((one) => !earlier.has(addressOf(one))),
  )
  if (!isOnlyAttendees)
    sendMails(
      account,
      'update',
      after,
      after.attendees.filter((one) => earlier.has(addressOf(one))),
    )
}
