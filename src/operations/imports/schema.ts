import * as z from 'zod'
import { Id } from '../../platform/http/fields.ts'
import { problem } from '../../platform/reasons/reason.ts'

/** What goes into a header. */
const Secret = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, problem('has_white_space'))

export const ImportCalendlyInput = z
  .object({
    token: Secret.describe(
      'A personal access token of Calendly. With that of an owner or admin, everything of the organization is imported.',
    ),
  })
  .meta({
    id: 'ImportCalendlyInput',
    description: 'The account to import.',
    example: { token: 'eyJraWQiOiIxY2UxZTEzNjE3ZGNm' },
  })

export const ImportParams = z.object({ id: Id })
