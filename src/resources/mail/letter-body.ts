import type { Email } from '../../providers/email/email-sender.ts'
import type { LetterContent, Letterhead } from './letter-content.ts'
import { letterHtml } from './letter-html.ts'
import { letterText } from './letter-text.ts'

/** A letter in both forms, from its sender. */
export function letterBody(
  head: Letterhead,
  content: LetterContent,
): Pick<Email, 'fromName' | 'text' | 'html'> {
  return { fromName: head.sender.name, text: letterText(head, content), html: letterHtml(head, content) }
}
