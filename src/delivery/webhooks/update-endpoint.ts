import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { changedOnly } from '../../platform/http/changed-only.ts'
import type { Context } from '../../platform/http/context.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { assertChallengeable, assertUrlAllowed, sendChallenge } from './challenge.ts'
import { commitChange, getEndpoint } from './change-endpoint.ts'
import { presentEndpoint } from './present.ts'
import type { EndpointRow } from './queries.ts'
import type { UpdateWebhookEndpointInput, WebhookEndpoint } from './schema.ts'
import { signingSecrets } from './signing-secrets.ts'

/** Another url starts over: it is challenged, and the failures of the old one are cleared. */
export async function updateEndpoint(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateWebhookEndpointInput,
): Promise<WebhookEndpoint> {
  const { url } = input
  if (url !== undefined) assertUrlAllowed(ctx.env, url)
  const db = openDb(ctx.env, 'decide')
  const before = await getEndpoint(ctx, db, id)

  const isMoved = url !== undefined && url !== before.url
  if (isMoved) await assertChallengeable(db, before)
  const restart = isMoved ? await startOver(ctx, before, url) : {}
  // The failures of the old url may grow until this commits.
  const changes = isMoved ? { ...definedOnly(input), ...restart } : changedOnly(before, definedOnly(input))
  const columns = Object.keys(changes).length === 0 ? {} : { ...changes, updatedAt: Date.now() }
  const after = presentEndpoint({ ...before, ...columns })

  await commitChange(ctx, db, before, {
    action: 'webhook_endpoint.updated',
    columns,
    changes: { ...definedOnly(input), ...(isMoved && { verification_status: after.verification_status }) },
    answer: after,
  })
  return after
}

async function startOver(
  ctx: Context<TenantCaller>,
  before: EndpointRow,
  url: string,
): Promise<Partial<EndpointRow>> {
  const verification = await sendChallenge(ctx.env, url, await signingSecrets(ctx.env, before, realNow()))
  return { ...verification, consecutiveFailures: 0, suspendedAt: null }
}
