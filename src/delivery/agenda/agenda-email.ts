import { isOnSite } from '../../booking/bookings/on-site.ts'
import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import type { Fact } from '../../outbox/mail/email-content.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import type { Person, Sender } from '../../outbox/mail/sender.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import {
  fullDayText,
  isSameClock,
  pluralText,
  shortSpanText,
  spanText,
  subjectDateText,
  zoneText,
} from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { selectDay } from './queries.ts'

type Booked = Awaited<ReturnType<typeof selectDay>>[number]

type Agenda = {
  readonly person: Person
  readonly sender: Sender
  readonly timeZone: string
  /** An instant of the day. */
  readonly at: number
  readonly booked: readonly Booked[]
}

/** Lists a member's bookings of the day, in order. */
export function agendaEmail(env: Env, { person, sender, timeZone, at, booked }: Agenda): Email {
  const locale = memberLocale(person, sender)
  const { emails } = locale
  const factOf = ({ booking, title, zone, provider }: Booked): Fact => {
    const { startTime, endTime, inviteeName, conferencingUrl: url, location } = booking
    const isElsewhere =
      isOnSite({ conferencing_provider: provider, location, place: booking.place }) &&
      !isSameClock(startTime, zone, timeZone)
    const there = isElsewhere ? [shortSpanText(locale, startTime, endTime, zone)] : []
    return {
      label: title,
      strong: spanText(locale, startTime, endTime, timeZone),
      lines: [
        ...there,
        ...(inviteeName ? [inBody(inviteeName)] : []),
        ...(location ? location.split('\n') : []),
      ],
      ...(url && { link: { text: locale.texts.joinLink, url } }),
    }
  }
  const date = subjectDateText(locale, at, timeZone)
  const subject = fill(pluralText(locale, emails.agendaSubject, booked.length), { date })
  const content = {
    heading: emails.agendaHeading,
    paragraphs: [`${fullDayText(locale, at, timeZone)} · ${zoneText(locale, at, timeZone)}`],
    facts: booked.map(factOf),
    action: { label: emails.openConsole, url: consoleUrl(env, '/bookings') },
    reason: fill(emails.whyMember, { org: inBody(sender.name) }),
  }
  return { to: person.email, subject, ...emailBody({ locale, sender }, content) }
}
