import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { EventKind } from '../../platform/db/schema/records.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuse } from '../../platform/http/errors.ts'
import { answerFirst } from '../../platform/http/idempotency.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { askReceiver } from './ask-receiver.ts'
import { getEndpoint } from './change-endpoint.ts'
import { EVENTS, type ServiceEvent } from './feed/schema.ts'
import type { TestWebhookInput, WebhookTest } from './schema.ts'
import { signingSecrets } from './signing-secrets.ts'

const KEPT_BODY_BYTES = 1024

/**
 * Sends a sample to a verified endpoint, signed like any event, and answers how it was received. It never happened, so
 * it is in no feed, is not tried again and says nothing about the endpoint.
 */
export async function testEndpoint(ctx: Context<TenantCaller>, id: string, { event }: TestWebhookInput) {
  const endpoint = await getEndpoint(ctx, openDb(ctx.env, 'decide'), id)
  if (endpoint.verificationStatus !== 'verified') {
    throw refuse('endpoint_unverified')
  }
  const now = realNow()
  const payload = sampleOf(event, ctx.caller, now)
  const message = {
    url: endpoint.url,
    secrets: await signingSecrets(ctx.env, endpoint, now),
    id: payload.id,
    timestampSeconds: Math.floor(now / 1000),
    body: JSON.stringify(payload),
  }
  const reply = await askReceiver(ctx.env, message, KEPT_BODY_BYTES)
  const isAnswered = reply.kind === 'answered'
  const result: WebhookTest = {
    success: isAnswered && reply.status >= 200 && reply.status <= 299,
    response_status_code: isAnswered ? reply.status : null,
    response_body: isAnswered ? reply.body : null,
    error: isAnswered ? null : reply.reason,
    payload,
  }
  return answerFirst(ctx, 200, result)
}

/** The example of the documentation, as if it had happened here and now. No event has the sequence 0. */
function sampleOf(kind: EventKind, { organizationId, isTest }: TenantCaller, now: number): ServiceEvent {
  const { data, ...example } = EVENTS[kind].meta()!.example as ServiceEvent
  const here = { organization_id: organizationId, is_test: isTest }
  const own = Object.entries(here).filter(([name]) => name in data)
  return {
    ...example,
    ...here,
    id: newId(organizationId),
    created_at: formatInstant(now),
    sequence: 0,
    data: { ...data, ...Object.fromEntries(own) },
  } as ServiceEvent
}
