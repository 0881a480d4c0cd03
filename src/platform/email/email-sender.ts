import { shorten } from '../i18n/shorten.ts'
import { withAsciiDomain } from './ascii-domain.ts'
import type { InvitingEmail } from './mime-message.ts'

export type Attachment = { readonly filename: string; readonly type: string; readonly content: string }

/** One email to one address. The subject is a single line; bodies are complete texts. */
export type Email = {
  readonly to: string
  /** The name shown beside the sender's address. */
  readonly fromName?: string
  /** The address for replies; without it, the sender's. */
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments?: readonly Attachment[]
}

export type EmailSender = {
  /** Hands the email over; rejects when the provider does not take it. */
  readonly send: (email: Email) => Promise<void>
}

const MAX_SUBJECT_LENGTH = 200
const MAX_NAME_LENGTH = 100

/** A header value must hold no line break (RFC 5322, section 2.2), or a title could add headers of its own. */
function headerLine(text: string, length: number): string {
  return shorten(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), length)
}

/**
 * Suppresses out-of-office replies (RFC 3834, section 5; the second header is for Exchange): they would go to the person whom
 * the email is about.
 */
const UNANSWERED = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }

/** What mail programs answer, so that they must find it beside the text and not only attached (RFC 6047, section 2.4). */
const INVITES = /;\s*method=(REQUEST|CANCEL)\b/

/** Kept because importing a module of the runtime again costs as much as writing the email. */
let email: typeof import('cloudflare:email') | undefined

/** The binding's own builder makes no alternative but text and HTML. Both modules are evaluated for the first invitation. */
async function rawMessage(invitation: InvitingEmail): Promise<EmailMessage> {
  email ??= await import('cloudflare:email')
  const { mimeMessage } = await import('./mime-message.ts')
  return new email.EmailMessage(invitation.from.email, invitation.to, mimeMessage(invitation, new Date()))
}

/** Sends through Cloudflare's email binding (Email Routing, "Send emails from Workers"). */
export function bindingSender(binding: SendEmail, from: string): EmailSender {
  return {
    send: async ({ to, fromName, replyTo, subject, text, html, attachments = [] }) => {
      const name = headerLine(fromName ?? '', MAX_NAME_LENGTH)
      const head = {
        ...(replyTo !== undefined && { replyTo: withAsciiDomain(replyTo) }),
        to: withAsciiDomain(to),
        subject: headerLine(subject, MAX_SUBJECT_LENGTH),
        headers: UNANSWERED,
      }
      const invitation = attachments.find(({ type }) => INVITES.test(type))
      if (invitation !== undefined) {
        const inviting = { ...head, from: { name, email: from }, text, html, invitation }
        await binding.send(await rawMessage(inviting))
        return
      }
      await binding.send({
        from: name === '' ? from : { name, email: from },
        ...head,
        text,
        html,
        attachments: attachments.map(({ content, ...attachment }) => ({
          disposition: 'attachment' as const,
          ...attachment,
          // A string would be taken for Base64.
          content: new TextEncoder().encode(content),
        })),
      })
    },
  }
}
