import * as z from 'zod'
import { CreatedBy } from '../../outbox/makers/schema.ts'
import { Id, Instant, Lines, Mode, OneLine, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/page-schema.ts'

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  name: 'Production server',
  description: null,
  mode: 'live' as const,
  key_prefix: 'hf_live_4fT9',
  last_used_at: null,
  expires_at: null,
  created_by: { type: 'member' as const, id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46', name: 'Grace Hopper' },
  created_at: '2026-03-01T09:00:00.000Z',
  revoked_at: null,
}

export const ApiKey = z
  .object({
    id: ResourceId,
    name: z.string(),
    description: z.string().nullable(),
    mode: Mode,
    key_prefix: z.string().describe('The first 12 characters, to recognize the key by.'),
    last_used_at: Timestamp.nullable().describe('May lag by a minute.'),
    expires_at: Timestamp.nullable(),
    created_by: CreatedBy.nullable(),
    created_at: Timestamp,
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.', example: EXAMPLE })
export type ApiKey = z.output<typeof ApiKey>

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The key itself. It is shown only once.'),
}).meta({
  id: 'CreatedApiKey',
  description: 'A new API key with its secret.',
  example: { ...EXAMPLE, key: 'hf_live_4fT9Zk1mXo2Jq7sVb8nRy3cLw6dEa5gHu0iPtKfMxQz2sbzNf' },
})
export type CreatedApiKey = z.output<typeof CreatedApiKey>

export const ApiKeyPage = pageOf(ApiKey, 'ApiKeyPage')

export const CreateApiKeyInput = z
  .object({
    name: OneLine(100),
    description: Lines(500).nullable().optional(),
    mode: Mode.optional().describe("Must be the call's X-Service-Mode; defaults to it."),
    expires_at: Instant.nullable().optional().describe('A time in the future.'),
  })
  .meta({ id: 'CreateApiKeyInput', description: 'A new API key.', example: { name: 'Production server' } })
export type CreateApiKeyInput = z.output<typeof CreateApiKeyInput>

export const ApiKeyParams = z.object({ id: Id })
