import type { Email } from '../../platform/email/email-sender.ts'
import { localeOf } from '../../platform/i18n/locale.ts'
import { emailBody } from './email-body.ts'
import type { EmailContent } from './email-content.ts'
import { PRODUCT } from './sender.ts'

/** An email to the operator, in English. */
export function operatorEmail(content: EmailContent): Pick<Email, 'fromName' | 'subject' | 'text' | 'html'> {
  const head = { locale: localeOf('en'), sender: PRODUCT }
  return { subject: content.heading, ...emailBody(head, content) }
}
