import * as z from 'zod'
import { Email, LocaleTag, QueryId, Timestamp } from '../../../platform/http/fields.ts'

export const RequestVerificationInput = z
  .object({
    event_type_id: QueryId,
    email: Email.describe('The address that gets the code.'),
    locale: LocaleTag.nullable()
      .optional()
      .describe("The language of the email. Default: the organization's."),
  })
  .meta({
    id: 'RequestVerificationInput',
    description: 'The address to verify, and the event type.',
    example: { event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42', email: 'ada@example.com' },
  })
export type RequestVerificationInput = z.output<typeof RequestVerificationInput>

export const EmailVerification = z
  .object({ expires_at: Timestamp.describe('Until when the code is valid.') })
  .meta({
    id: 'EmailVerification',
    description: 'A six-digit code was sent to the address.',
    example: { expires_at: '2026-03-01T09:10:00.000Z' },
  })
export type EmailVerification = z.output<typeof EmailVerification>

export const VerificationCode = z
  .string()
  .max(64)
  .nullable()
  .optional()
  .describe('If the event type has `verify_email` and no key is sent: the code emailed to the address.')
