import type Stripe from 'stripe'
import type { Env } from '../../env.ts'
import type { PublicCaller } from '../../platform/auth/caller.ts'
import { shardsOf } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuse } from '../../platform/http/errors.ts'
import { answerOnce } from '../../platform/http/idempotency.ts'
import { readBody } from '../../platform/http/read-body.ts'
import type { HandlerResult } from '../../platform/http/route.ts'
import { realNow } from '../../platform/limits/clock.ts'
import type { ProviderEventHandler } from '../provider/provider-event.ts'
import { isProviderError } from '../stripe/client.ts'
import { readProviderEvent } from '../stripe/read-event.ts'
import { API_VERSION } from '../stripe/send-call.ts'

type Received = { readonly received: boolean }

/** An event that was not handled gets no success, so the provider sends it again. */
export async function receiveEvent(
  ctx: Context<PublicCaller>,
  handlers: readonly ProviderEventHandler[],
): Promise<HandlerResult<Received>> {
  const secrets = (ctx.env.STRIPE_WEBHOOK_SECRET ?? '').split(',').flatMap((each) => each.trim() || [])
  if (secrets.length === 0) throw refuse('payments_not_configured')
  const signature = ctx.request.headers.get('stripe-signature') ?? ''
  const now = realNow()
  const event = await readProviderEvent(await readBody(ctx.request), signature, secrets, now)
  if (!event) throw refuse('stripe_signature_wrong')

  tellVersion(event)
  return answerOnce(ctx, 'payment-provider', 200, async () => {
    const handled = await Promise.allSettled(shardsOf(ctx.env).map((home) => handleIn(home, event, handlers)))
    const failed = handled.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    return { received: true }
  })
}

/** An event names nothing of ours that says where it is, and who knows nothing of it does nothing. */
async function handleIn(
  home: Env,
  event: Stripe.Event,
  handlers: readonly ProviderEventHandler[],
): Promise<void> {
  for (const { kinds, handle } of handlers) {
    if (kinds.includes(event.type)) await handle(home, event, realNow()).catch(refuseFailure)
  }
}

/** What is read here is the same in many versions, so it is handled all the same; the operator should know. */
function tellVersion({ type, api_version: version }: Stripe.Event): void {
  if (version === API_VERSION) return
  console.warn(JSON.stringify({ provider: 'event version', type, version, expected: API_VERSION }))
}

/** Rooms ask the provider what is true now; if it does not answer, it sends the event again. */
function refuseFailure(error: unknown): never {
  if (!isProviderError(error)) throw error
  console.error(JSON.stringify({ provider: 'event', code: error.code ?? null, cause: error.message }))
  throw refuse('event_unanswered')
}
