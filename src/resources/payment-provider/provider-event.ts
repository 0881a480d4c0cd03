import type Stripe from 'stripe'
import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'

/** One room's reaction to an event of the payment provider. The same event may come again, and in any order. */
export type ProviderEventHandler = {
  readonly kinds: readonly Stripe.Event['type'][]
  readonly handle: (env: Env, event: Stripe.Event, now: RealMs) => Promise<void>
}
