import type { Email } from '../../platform/email/email-sender.ts'
import { inBody } from './in-body.ts'
import type { LetterContent, Letterhead } from './letter-content.ts'
import { letterHtml } from './letter-html.ts'
import { letterText } from './letter-text.ts'

/** A letter in both forms, from its sender. */
export function letterBody(
  head: Letterhead,
  content: LetterContent,
): Pick<Email, 'fromName' | 'text' | 'html'> {
  const { sender } = head
  const shown = { ...head, sender: { ...sender, name: inBody(sender.name) } }
  return { fromName: sender.name, text: letterText(shown, content), html: letterHtml(shown, content) }
}
