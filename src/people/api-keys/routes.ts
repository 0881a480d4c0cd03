import { openDb } from '../../platform/db/client.ts'
import { cutPage } from '../../platform/http/page.ts'
import { PageQuery } from '../../platform/http/page-schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { createApiKey } from './create-api-key.ts'
import { presentApiKey } from './present.ts'
import { listKeysInTenant } from './queries.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { ApiKeyPage, ApiKeyParams, CreateApiKeyInput, CreatedApiKey } from './schema.ts'

export const apiKeyRoutes = defineRoutes({
  createApiKey: defineRoute({
    method: 'POST',
    path: '/v1/api-keys',
    tag: 'API Keys',
    summary: 'Create an API key',
    description:
      "For the service key only: a key cannot create keys. The key is shown once. Created on behalf of a member (`X-User-Id`), it has that member's permissions, and no more than when it was created; it ends with the membership. Otherwise it has the owner's permissions.",
    auth: 'key',
    permission: 'service-only',
    scope: 'mode',
    limit: 'counted',
    request: { body: CreateApiKeyInput },
    response: { status: 201, body: CreatedApiKey },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { body }) => createApiKey(ctx, body),
  }),
  listApiKeys: defineRoute({
    method: 'GET',
    path: '/v1/api-keys',
    tag: 'API Keys',
    summary: 'List API keys',
    description: 'Revoked keys stay in the list.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: PageQuery },
    response: { status: 200, body: ApiKeyPage },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async (ctx, { query }) => {
      const rows = await listKeysInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map((row) => presentApiKey(row, row.makerName)), has_more }
    },
  }),
  revokeApiKey: defineRoute({
    method: 'DELETE',
    path: '/v1/api-keys/:id',
    tag: 'API Keys',
    summary: 'Revoke an API key',
    description: 'The next request with the key is refused. Revoking twice is harmless.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: ApiKeyParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      await revokeApiKey(ctx, params.id)
      return undefined
    },
  }),
})
