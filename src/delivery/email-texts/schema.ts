import * as z from 'zod'
import { hidesHost, unknownPlaceholder } from '../../outbox/mail/own-texts/placeholders.ts'
import { EMAIL_TEXT_KINDS } from '../../platform/db/schema/email-texts.ts'
import { Lines, OneLine, Timestamp } from '../../platform/http/fields.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import { problem } from '../../platform/reasons/reason.ts'

const LONGEST_SUBJECT = 255
const LONGEST_TEXT = 5000

export const EmailTextKind = z.enum(EMAIL_TEXT_KINDS).meta({
  id: 'EmailTextKind',
  description:
    'The emails to invitees with texts of your own. `confirmation` includes bookings from the waitlist and requests to pay, `cancelled` declined requests, `moved` sessions.',
})

const Language = z.enum(LANGUAGES)

const DefaultText = z
  .object({ subject: z.string(), intro: z.string().nullable(), closing: z.string().nullable() })
  .meta({ id: 'DefaultEmailText', description: 'The texts that apply without your own.' })

const EXAMPLE = {
  kind: 'confirmation' as const,
  locale: 'en' as const,
  subject: 'See you soon',
  intro: 'We look forward to meeting you.',
  closing: null,
  default: { subject: 'Confirmed: {{event_type}}, {{start}}', intro: null, closing: null },
  updated_at: '2026-03-01T09:00:00.000Z',
}

export const EmailText = z
  .object({
    kind: EmailTextKind,
    locale: Language,
    subject: z.string().nullable().describe('Null: the default applies.'),
    intro: z.string().nullable().describe('The first words of the email. Null: the default applies.'),
    closing: z.string().nullable().describe('The last words of the email.'),
    default: DefaultText,
    updated_at: Timestamp.nullable().describe('Null if nothing was written.'),
  })
  .meta({ id: 'EmailText', description: 'Texts of an email in one language.', example: EXAMPLE })
export type EmailText = z.output<typeof EmailText>

export const EmailTextList = z.object({ data: z.array(EmailText) }).meta({
  id: 'EmailTextList',
  description: 'All texts that were written, sorted by kind and language. The list is not paginated.',
  example: { data: [EXAMPLE] },
})

const known = (text: string, context: z.RefinementCtx) => {
  const name = unknownPlaceholder(text)
  if (name !== null) context.addIssue({ code: 'custom', message: problem('unknown_placeholder', { name }) })
  else if (hidesHost(text)) context.addIssue({ code: 'custom', message: problem('hides_host') })
}

const Text = Lines(LONGEST_TEXT).superRefine(known).nullable()

export const EmailTextInput = z
  .object({
    subject: OneLine(LONGEST_SUBJECT)
      .superRefine(known)
      .nullable()
      .default(null)
      .describe('One line. `{{start}}` is the day there.'),
    intro: Text.default(null).describe('Plain text, shown before the details. Empty leaves the default out.'),
    closing: Text.default(null).describe('Plain text, shown after the details.'),
  })
  .meta({
    id: 'EmailTextInput',
    description:
      'The whole text. Placeholders: `{{invitee_name}}`, `{{event_type}}`, `{{start}}`, `{{host}}`, `{{place}}`, `{{organization}}`.',
    example: { subject: EXAMPLE.subject, intro: EXAMPLE.intro },
  })
export type EmailTextInput = z.output<typeof EmailTextInput>

export const EmailTextParams = z.object({ kind: EmailTextKind })
export const EmailTextQuery = z.object({
  locale: Language.optional().describe("The language. Default: the organization's."),
})

export const PreviewInput = z
  .object({
    locale: Language.describe('The language of the email.'),
    send_to_me: z
      .boolean()
      .default(false)
      .describe('Whether to send it to the calling member, whose address is used.'),
  })
  .meta({
    id: 'EmailTextPreviewInput',
    description: 'The language, and whether to send the email.',
    example: { locale: 'en' },
  })
export type PreviewInput = z.output<typeof PreviewInput>

export const EmailTextPreview = z
  .object({
    subject: z.string(),
    text: z.string().describe('The plain text version.'),
    html: z.string(),
    sent_to: z.string().nullable().describe('The address it was sent to; null if it was not sent.'),
  })
  .meta({
    id: 'EmailTextPreview',
    description: 'An email about an invented booking, with the stored texts.',
    example: {
      subject: 'See you on Mon, Mar 9, 2026',
      text: 'Booking confirmed\n\nHello Ada Lovelace,',
      html: '<!doctype html>',
      sent_to: null,
    },
  })
export type EmailTextPreview = z.output<typeof EmailTextPreview>
