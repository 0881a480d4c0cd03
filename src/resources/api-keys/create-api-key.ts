import type { TenantCaller } from '../../auth/caller.ts'
import { randomSecret, sha256 } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { type Context, originOf } from '../../http/context.ts'
import { invalid } from '../../http/errors.ts'
import { commit } from '../../http/idempotency.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { presentApiKey } from './present.ts'
import type { CreateApiKeyInput, CreatedApiKey } from './schema.ts'
import { type ApiKeyRow, insertKey } from './store.ts'

const PREFIX_LENGTH = 12

export async function createApiKey(
  ctx: Context<TenantCaller>,
  input: CreateApiKeyInput,
): Promise<CreatedApiKey> {
  const { organizationId, isTest } = ctx.caller
  const mode = isTest ? 'test' : 'live'
  if (input.mode && input.mode !== mode) throw invalid({ mode: `Must be ${mode}, as X-Service-Mode says.` })
  if (input.expires_at != null && input.expires_at <= ctx.now) {
    throw invalid({ expires_at: 'Must lie in the future.' })
  }

  const key = `hf_${mode}_${randomSecret()}`
  const row: ApiKeyRow = {
    id: newId(),
    organizationId,
    isTest,
    name: input.name,
    description: input.description ?? null,
    hash: await sha256(key),
    keyPrefix: key.slice(0, PREFIX_LENGTH),
    lastUsedAt: null,
    expiresAt: input.expires_at ?? null,
    revokedAt: null,
    createdAt: ctx.now,
  }
  const created = { ...presentApiKey(row), key }
  const db = openDb(ctx.env, 'decide')
  const statements = [
    insertKey(db, row),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'api_key.created',
      resourceType: 'api_key',
      resourceId: row.id,
      changes: { name: row.name, mode },
    }),
  ]
  await commit(ctx, db, statements, { status: 201, body: created })
  return created
}
