import type { Email } from '../../platform/email/email-sender.ts'
import type { EmailContent, EmailHead } from './email-content.ts'
import { emailHtml } from './email-html.ts'
import { emailText } from './email-text.ts'
import { inBody } from './in-body.ts'

/** Both versions of an email, with its sender. */
export function emailBody(head: EmailHead, content: EmailContent): Pick<Email, 'fromName' | 'text' | 'html'> {
  const { sender } = head
  const shown = { ...head, sender: { ...sender, name: inBody(sender.name) } }
  return { fromName: sender.name, text: emailText(shown, content), html: emailHtml(shown, content) }
}
