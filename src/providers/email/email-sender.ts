import { withAsciiDomain } from './ascii-domain.ts'

export type Attachment = { readonly filename: string; readonly type: string; readonly content: string }

/** One email to one address. The subject is a single line; bodies are complete texts. */
export type Email = {
  readonly to: string
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

/** A header value must hold no line break (RFC 5322, section 2.2), or a title could add headers of its own. */
function subjectLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  return line.length > MAX_SUBJECT_LENGTH ? `${line.slice(0, MAX_SUBJECT_LENGTH - 1)}…` : line
}

/** Sends through Cloudflare's email binding (Email Routing, "Send emails from Workers"). */
export function bindingSender(binding: SendEmail, from: string): EmailSender {
  return {
    send: async ({ to, subject, text, html, attachments = [] }) => {
      await binding.send({
        from,
        to: withAsciiDomain(to),
        subject: subjectLine(subject),
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
