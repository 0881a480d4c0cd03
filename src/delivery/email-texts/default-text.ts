import type { EmailTextKind } from '../../platform/db/schema/email-texts.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { EmailText } from './schema.ts'

const SUBJECTS = {
  confirmation: 'confirmedSubject',
  moved: 'movedSubject',
  cancelled: 'cancelledSubject',
  reminder: 'reminderSubject',
  request: 'requestReceivedSubject',
  waitlist: 'waitingSubject',
  follow_up: 'followUpSubject',
} as const

function introOf(kind: EmailTextKind, { texts, emails }: Locale): string | null {
  switch (kind) {
    case 'moved':
      return emails.movedText
    case 'request':
      return texts.awaitingApprovalText
    case 'waitlist':
      return emails.waitingText
    case 'follow_up':
      return emails.followUpText
    default:
      return null
  }
}

/** What the emails of a kind say without an organization's own texts, with placeholders. */
export function defaultTextOf(kind: EmailTextKind, locale: Locale): EmailText['default'] {
  const subject = fill(locale.emails[SUBJECTS[kind]], { what: '{{event_type}}', date: '{{start}}' })
  return { subject, intro: introOf(kind, locale), closing: null }
}
