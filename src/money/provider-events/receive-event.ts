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
import { isProviderError, stripeClient } from '../stripe/client.ts'
import { completeEvent, kindOfThin } from '../stripe/complete-event.ts'
import { readProviderEvent, type ThinEvent } from '../stripe/read-event.ts'
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

  if (event.snapshot) tellVersion(event.snapshot)
  return answerOnce(ctx, 'payment-provider', 200, async () => {
    const complete = event.snapshot ?? (await fetchObject(ctx.env, event.thin, handlers))
    if (!complete) return { received: true }
    const handled = await Promise.allSettled(
      shardsOf(ctx.env).map((home) => handleIn(home, complete, handlers)),
    )
    const failed = handled.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    return { received: true }
  })
}

/** Null for what nobody here listens to, such as the provider's ping of a new endpoint. */
async function fetchObject(
  env: Env,
  thin: ThinEvent,
  handlers: readonly ProviderEventHandler[],
): Promise<Stripe.Event | null> {
  const kind = kindOfThin(thin)
  const isHeard = handlers.some(({ kinds }) => (kinds as readonly (string | null)[]).includes(kind))
  if (kind === null || !isHeard) return null
  const stripe = stripeClient(env, fetch)
  if (!stripe) throw refuse('payments_not_configured')
  return completeEvent(stripe, thin, kind).catch(refuseFailure)
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
