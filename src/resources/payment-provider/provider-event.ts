import type Stripe from 'stripe'
import type { Env } from '../../env.ts'

/** One room's reaction to an event of the payment provider. The same event may come again, and in any order. */
export type ProviderEventHandler = {
  readonly kinds: readonly Stripe.Event['type'][]
  readonly handle: (env: Env, event: Stripe.Event, now: number) => Promise<void>
}
