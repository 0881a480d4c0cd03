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

export const ImportCalcomInput = z
  .object({
    api_key: Secret.describe(
      'An API key of Cal.com. With that of a team member, what they may read of the team is imported.',
    ),
  })
  .meta({
    id: 'ImportCalcomInput',
    description: 'The account to import.',
    example: { api_key: 'cal_live_0123456789abcdef' },
  })

export const ImportParams = z.object({ id: Id })
