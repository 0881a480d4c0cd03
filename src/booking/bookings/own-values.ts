import { oneLine } from '../../outbox/mail/email-content.ts'
import type { OwnValues } from '../../outbox/mail/own-texts/own-text.ts'
import type { Person } from '../../outbox/mail/sender.ts'
import { momentText, subjectDateText } from '../../platform/i18n/format.ts'
import type { Attendee } from './email-recipients.ts'
import { phoneLines, type Seen, zoneOf } from './meeting-facts.ts'

/** The values of placeholders in an email about a booking. */
export function ownValues(seen: Seen, reader: Pick<Attendee, 'email'>, people: readonly Person[]): OwnValues {
  const { locale, booking, about } = seen
  const start = Date.parse(booking.start_time)
  const zone = zoneOf(seen)
  const host = people.find(({ id }) => id === booking.assigned_host?.member_id)?.name
  return {
    // Guests of an anonymous caller read nothing that it typed.
    invitee_name: oneLine(booking.invitee_name || reader.email),
    event_type: oneLine(about.title),
    start: momentText(locale, start, zone),
    day: subjectDateText(locale, start, zone),
    host: oneLine(host || about.sender.name),
    place: placeText(seen),
    organization: oneLine(about.sender.name),
  }
}

function placeText({ locale, booking: { location, place, conferencing_url: url } }: Seen): string {
  const call = phoneLines(locale, place)
  const video = url ? [locale.texts.videoCall] : []
  const where = location ? [oneLine(location)] : (call ?? video)
  return [...(place?.label ? [oneLine(place.label)] : []), ...where].join(locale.texts.comma)
}
