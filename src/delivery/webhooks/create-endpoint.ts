import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { seal } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { refuse } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { assertUrlAllowed, sendChallenge } from './challenge.ts'
import { newWebhookSecret } from './post/sign.ts'
import { presentEndpoint } from './present.ts'
import { countEndpointsInTenant, type EndpointRow, insertEndpoint } from './queries.ts'
import type { CreatedWebhookEndpoint, CreateWebhookEndpointInput } from './schema.ts'

const MAX_ENDPOINTS = 50

/**
 * Creates an endpoint, whether or not its challenge succeeds. The challenge comes before the commit, so that the stored
 * response contains its result.
 */
export async function createEndpoint(
  ctx: Context<TenantCaller>,
  { url, events, description = null, secret = newWebhookSecret() }: CreateWebhookEndpointInput,
): Promise<CreatedWebhookEndpoint> {
  const { organizationId, isTest } = ctx.caller
  assertUrlAllowed(ctx.env, url)
  const db = openDb(ctx.env, 'decide')
  if ((await countEndpointsInTenant(db, ctx.caller)) >= MAX_ENDPOINTS)
    throw refuse('too_many_endpoints', { most: MAX_ENDPOINTS })

  const verification = await sendChallenge(ctx.env, url, [secret])
  // Webhooks leave the sandbox, so they follow the real clock.
  const now = Date.now()
  const row: EndpointRow = {
    id: newId(organizationId),
    organizationId,
    isTest,
    url,
    events,
    description,
    secret: await seal(ctx.env.ENCRYPTION_KEY, secret),
    previousSecret: null,
    previousSecretExpiresAt: null,
    active: true,
    ...verification,
    consecutiveFailures: 0,
    suspendedAt: null,
    challengedAt: [],
    createdAt: now,
    updatedAt: now,
  }
  const created = { ...presentEndpoint(row), secret }
  const statements = [
    insertEndpoint(db, row),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'webhook_endpoint.created',
      resourceType: 'webhook_endpoint',
      resourceId: row.id,
      changes: { url, events, description, verification_status: row.verificationStatus },
    }),
  ]
  try {
    await commit(ctx, db, statements, { status: 201, body: created })
  } catch (error) {
    if (fenceOf(error) !== 'ENDPOINTS_FULL') throw error
    throw refuse('too_many_endpoints', { most: MAX_ENDPOINTS })
  }
  return created
}
