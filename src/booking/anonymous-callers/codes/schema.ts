import * as z from 'zod'
import { Email, LocaleTag, QueryId, Timestamp } from '../../../platform/http/fields.ts'

export const RequestVerificationInput = z
  .object({
    event_type_id: QueryId,
    email: Email.describe('Where the code goes.'),
    locale: LocaleTag.nullable()
      .optional()
      .describe("The language of the letter; the organization's without one."),
  })
  .meta({
    id: 'RequestVerificationInput',
    description: 'Whose address is to be verified, for which event type.',
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
  .describe('Where the event type has `verify_email` and no key is sent: the code mailed to the address.')
