import { TIERS, type Tier } from '../../platform/limits/plans.ts'
import { INTERVALS, type Offer, type RemoteInterval, type RemoteItem } from '../stripe/subscriptions.ts'

export type PaidTier = Exclude<Tier, 'free'>
export const PAID_TIERS = TIERS.filter((tier): tier is PaidTier => tier !== 'free')

const KEYED = PAID_TIERS.flatMap((tier) =>
  INTERVALS.map((interval) => ({ tier, interval, lookupKey: lookupKeyOf(tier, interval) })),
)

/** The lookup keys of every price that the operator has to make. */
export const LOOKUP_KEYS: readonly string[] = KEYED.map(({ lookupKey }) => lookupKey)

/** The lookup key of a plan's price at the provider. */
export function lookupKeyOf(tier: PaidTier, interval: RemoteInterval): string {
  return `holdfast_${tier}_${interval}`
}

/**
 * The plan that an item pays for: by the lookup key of its price or, if a newer price has taken that key over, by the product
 * of both. Null when it is not one of our plans.
 */
export function tierOf(item: RemoteItem, offers: readonly Offer[]): PaidTier | null {
  const key = item.lookupKey ?? offers.find(({ productId }) => productId === item.productId)?.lookupKey
  return KEYED.find(({ lookupKey }) => lookupKey === key)?.tier ?? null
}
