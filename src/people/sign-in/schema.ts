import * as z from 'zod'
import { CreatedBy } from '../../outbox/makers/schema.ts'
import { Id, Timestamp } from '../../platform/http/fields.ts'

export const CreateConsoleLinkInput = z
  .object({
    organization_id: Id.optional().describe(
      'The organization that the link signs in to. Without it, the link creates a new organization.',
    ),
    user_id: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('The member whom it signs in. Default: the owner.'),
  })
  .meta({
    id: 'CreateConsoleLinkInput',
    description: 'Whom a link signs in to the console.',
    example: { organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42' },
  })
export type CreateConsoleLinkInput = z.output<typeof CreateConsoleLinkInput>

export const ConsoleLink = z
  .object({
    url: z
      .string()
      .meta({ format: 'uri' })
      .describe('Works once. Give it only to the person whom it is for.'),
    expires_at: Timestamp,
    created_by: CreatedBy.nullable().describe('The service key, or the member on whose behalf it called.'),
  })
  .meta({
    id: 'ConsoleLink',
    description: 'A link that signs a person in to the console.',
    example: {
      url: 'https://holdfast.example/console/link?token=pV0c8yWl',
      expires_at: '2026-03-02T09:00:00.000Z',
      created_by: { type: 'service', id: null, name: null },
    },
  })
export type ConsoleLink = z.output<typeof ConsoleLink>
