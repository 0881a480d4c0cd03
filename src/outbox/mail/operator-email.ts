import type { Email } from '../../platform/email/email-sender.ts'
import { localeOf } from '../../platform/i18n/locale.ts'
import { letterBody } from './email-body.ts'
import type { LetterContent } from './email-content.ts'
import { PRODUCT } from './sender.ts'

/** A letter to whoever runs the service, in English. */
export function operatorLetter(
  content: LetterContent,
): Pick<Email, 'fromName' | 'subject' | 'text' | 'html'> {
  const head = { locale: localeOf('en'), sender: PRODUCT }
  return { subject: content.heading, ...letterBody(head, content) }
}
