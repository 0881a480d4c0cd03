import type { Email } from '../../platform/email/email-sender.ts'
import type { LetterContent, Letterhead } from './email-content.ts'
import { letterHtml } from './email-html.ts'
import { letterText } from './email-text.ts'
import { inBody } from './in-body.ts'

/** A letter in both forms, from its sender. */
export function letterBody(
  head: Letterhead,
  content: LetterContent,
): Pick<Email, 'fromName' | 'text' | 'html'> {
  const { sender } = head
  const shown = { ...head, sender: { ...sender, name: inBody(sender.name) } }
  return { fromName: sender.name, text: letterText(shown, content), html: letterHtml(shown, content) }
}
