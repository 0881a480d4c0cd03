import { inSubject } from '../../outbox/mail/in-subject.ts'
import { shortMomentText, usableZone } from '../../platform/i18n/format.ts'
import { localeOf } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'

type Said = {
  readonly kind: 'reminder' | 'cancelled'
  readonly start: number
  readonly title: string
  readonly organization: string
  readonly timezone: string
  readonly inviteeLocale: string
  readonly organizationLocale: string
}

/** The words of a text message, in the invitee's language and zone. It has no link, because phones open links at once. */
export function textBody({ kind, start, title, organization, timezone, ...locales }: Said): string {
  const locale = localeOf(spokenTag(locales.inviteeLocale, locales.organizationLocale))
  const { textReminder, textCancelled, textStop } = locale.emails
  const said = fill(kind === 'reminder' ? textReminder : textCancelled, {
    org: inSubject(organization),
    what: inSubject(title),
    time: shortMomentText(locale, start, usableZone(timezone)),
  })
  return `${said} ${textStop}`
}
