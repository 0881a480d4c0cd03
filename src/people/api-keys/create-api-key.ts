import { recordActivity } from '../../outbox/activity/statements.ts'
import { makerOf } from '../../outbox/makers/maker-of.ts'
import { guardAdmin } from '../../outbox/makers/statements.ts'
import { newApiKey } from '../../platform/auth/api-key.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { sha256 } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { newId, shardOf } from '../../platform/db/ids.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { invalid } from '../../platform/http/errors.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { presentApiKey } from './present.ts'
import { type ApiKeyRow, insertKey } from './queries.ts'
import type { CreateApiKeyInput, CreatedApiKey } from './schema.ts'

const PREFIX_LENGTH = 12

export function createApiKey(ctx: Context<TenantCaller>, input: CreateApiKeyInput): Promise<CreatedApiKey> {
  return runChange(ctx, (db) => decide(ctx, db, input))
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  input: CreateApiKeyInput,
): Promise<Change<CreatedApiKey>> {
  const { organizationId } = ctx.caller
  const mode = modeOf(ctx, input)
  const isTest = mode === 'test'
  if (input.expires_at != null && input.expires_at <= ctx.now) {
    throw invalid({ expires_at: problem('past') })
  }

  const onBehalfOf = ctx.caller.kind === 'service' ? ctx.caller.onBehalfOf : null
  const key = newApiKey(mode, shardOf(organizationId))
  const row: ApiKeyRow = {
    id: newId(organizationId),
    organizationId,
    isTest,
    memberId: onBehalfOf?.memberId ?? null,
    role: onBehalfOf?.role ?? 'owner',
    name: input.name,
    description: input.description ?? null,
    hash: await sha256(key),
    keyPrefix: key.slice(0, PREFIX_LENGTH),
    lastUsedAt: null,
    expiresAt: input.expires_at ?? null,
    revokedAt: null,
    createdAt: ctx.now,
  }
  const maker = await makerOf(db, ctx.caller)
  const created = { ...presentApiKey(row, maker.name), key }
  const statements = [
    ...(onBehalfOf ? [guardAdmin(db, onBehalfOf.memberId)] : []),
    insertKey(db, row),
    recordActivity(db, { organizationId, isTest }, originOf(ctx), {
      action: 'api_key.created',
      resourceType: 'api_key',
      resourceId: row.id,
      changes: { name: row.name, mode, role: row.role, user_id: onBehalfOf?.userId ?? null },
    }),
  ]
  return { status: 201, body: created, statements }
}

/** The mode is in X-Service-Mode or in the body; they must not contradict each other. */
function modeOf({ caller, request }: Context<TenantCaller>, input: CreateApiKeyInput): 'live' | 'test' {
  const mode = caller.isTest ? 'test' : 'live'
  if (input.mode === undefined || input.mode === mode) return mode
  if (request.headers.has('x-service-mode')) throw invalid({ mode: problem('other_mode', { mode }) })
  return input.mode
}
