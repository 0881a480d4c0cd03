import type Stripe from 'stripe'
import type { Env } from '../../env.ts'
import type { Db } from '../../platform/db/client.ts'
import { refuse } from '../../platform/http/errors.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { isMoving } from './queries.ts'

/** One room's reaction to an event of the payment provider. The same event may come again, and in any order. */
export type ProviderEventHandler = {
  readonly kinds: readonly Stripe.Event['type'][]
  readonly handle: (env: Env, event: Stripe.Event, now: RealMs) => Promise<void>
}

/** Nothing is stored for an organization that is moving. The provider retries, and by then its new place is known. */
export async function refuseMoving(db: Db, organizationId: string): Promise<void> {
  if (await isMoving(db, organizationId)) throw refuse('moving')
}
