import type Stripe from 'stripe'
import { failureOf, type StripeClient } from './client.ts'
import type { ThinEvent } from './read-event.ts'

/**
 * The kind of snapshot that corresponds to a thin event: those about v1 have a prefix, and all that happens to an account of
 * v2 is news of the account. Null for others, such as the provider's ping.
 * Source: https://docs.stripe.com/changelog/endive/2026-09-30/thin-events-for-api-v1-resources-generally-available
 */
export function kindOfThin({ type }: ThinEvent): string | null {
  if (type.startsWith('v1.')) return type.slice(3)
  return /^v2\.core\.account\b(?!_)/.test(type) ? 'account.updated' : null
}

/**
 * The snapshot that corresponds to a thin event, as far as the rooms read it, with the object as it is by now; null where that is
 * gone. About accounts the id is enough.
 * Throws `StripeError`.
 */
export async function completeEvent(
  stripe: StripeClient,
  thin: ThinEvent,
  kind: string,
): Promise<Stripe.Event | null> {
  const { context, related_object: related } = thin
  if (!related) return null
  const account = context?.split('/').findLast((part) => part.startsWith('acct_'))
  const event = { type: kind, ...(account !== undefined && { account }) }
  if (kind.startsWith('account.')) return told(event, { id: related.id, object: related.type })
  const path = /^\/v1\/([\w/]+)$/.exec(related.url ?? '')?.[1]?.split('/')
  if (!path) return null
  try {
    return told(event, await stripe.get<object>(path, {}, account === undefined ? {} : { account }))
  } catch (error) {
    if (failureOf(error).code === 'resource_missing') return null
    throw error
  }
}

function told(event: { readonly type: string }, object: object): Stripe.Event {
  return { ...event, data: { object } } as Stripe.Event
}
