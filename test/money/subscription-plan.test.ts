import { describe, expect, it } from 'vitest'
import type {
  Offer,
  RemoteInterval,
  RemoteStatus,
  RemoteSubscription,
} from '../../src/money/stripe/subscriptions.ts'
import {
  decidePlan,
  NOTHING_PAID,
  type PaidPlan,
  planAfter,
  runningOf,
} from '../../src/money/subscription/decide-plan.ts'
import { LOOKUP_KEYS } from '../../src/money/subscription/offers.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'

const MARCH = Date.UTC(2026, 2, 1)
const APRIL = Date.UTC(2026, 3, 1)
const MAY = Date.UTC(2026, 4, 1)
const OFFERS: readonly Offer[] = LOOKUP_KEYS.map((lookupKey) => ({
  priceId: `price_${lookupKey}`,
  lookupKey,
  productId: `prod_${lookupKey.split('_')[1]}`,
}))

type Said = {
  id?: string
  tier?: string
  status?: RemoteStatus
  interval?: RemoteInterval
  start?: number
  end?: number
  isEnding?: boolean
  createdAt?: number
  lookupKey?: string | null
  productId?: string
}

function remote(said: Said = {}): RemoteSubscription {
  const { tier = 'grow', interval = 'month' } = said
  return {
    id: said.id ?? 'sub_1',
    status: said.status ?? 'active',
    items: [
      {
        id: 'si_1',
        lookupKey: said.lookupKey === undefined ? `holdfast_${tier}_${interval}` : said.lookupKey,
        productId: said.productId ?? `prod_${tier}`,
        interval,
        periodStart: said.start ?? MARCH,
        periodEnd: said.end ?? APRIL,
      },
    ],
    isEnding: said.isEnding ?? false,
    createdAt: said.createdAt ?? MARCH,
  }
}

function decide(before: PaidPlan, now: number, ...said: readonly Said[]): PaidPlan {
  return decidePlan(before, runningOf(said.map(remote), OFFERS)[0] ?? null, now as RealMs)
}

const GROW = decide(NOTHING_PAID, MARCH, { tier: 'grow' })
const MIDDLE = MARCH + 10 * 86_400_000

describe('what a subscription pays for', () => {
  it('is named by lookup keys for every paid plan, by month and by year', () => {
    expect(LOOKUP_KEYS).toEqual([
      'holdfast_starter_month',
      'holdfast_starter_year',
      'holdfast_grow_month',
      'holdfast_grow_year',
      'holdfast_scale_month',
      'holdfast_scale_year',
    ])
  })

  it('is the plan of its price, with its period', () => {
    expect(decide(NOTHING_PAID, MARCH, { tier: 'scale', interval: 'year', end: MAY })).toEqual({
      tier: 'scale',
      pendingTier: null,
      subscriptionId: 'sub_1',
      status: 'active',
      billingInterval: 'year',
      currentPeriodStart: MARCH,
      currentPeriodEnd: MAY,
      cancelAtPeriodEnd: false,
    })
  })

  it('stays what it was when its price is replaced on sale by another', () => {
    expect(decide(GROW, MIDDLE, { lookupKey: null, productId: 'prod_grow' })).toEqual(GROW)
  })

  it('is nothing when the subscription is to something else', () => {
    expect(decide(NOTHING_PAID, MARCH, { lookupKey: 'consulting', productId: 'prod_x' })).toEqual(
      NOTHING_PAID,
    )
    expect(decide(NOTHING_PAID, MARCH, { lookupKey: null, productId: 'prod_x' })).toEqual(NOTHING_PAID)
  })

  it('is more at once', () => {
    expect(decide(GROW, MIDDLE, { tier: 'scale' })).toMatchObject({ tier: 'scale', pendingTier: null })
  })

  it('is more only once it is paid', () => {
    const unpaid = decide(GROW, MIDDLE, { tier: 'scale', status: 'past_due' })
    expect(unpaid).toMatchObject({ tier: 'grow', pendingTier: null, status: 'past_due' })
    expect(decide(unpaid, MIDDLE, { tier: 'scale' })).toMatchObject({ tier: 'scale' })
    expect(decide(NOTHING_PAID, MARCH, { status: 'past_due' })).toMatchObject({ tier: 'free' })
  })

  it('is less from the next period on, by the provider or by the clock', () => {
    const pending = decide(GROW, MIDDLE, { tier: 'starter' })
    expect(pending).toMatchObject({ tier: 'grow', pendingTier: 'starter', currentPeriodEnd: APRIL })
    expect(decide(pending, APRIL - 1, { tier: 'starter' })).toEqual(pending)
    expect(decide(pending, APRIL, { tier: 'starter' })).toMatchObject({ tier: 'starter', pendingTier: null })
    expect(decide(pending, APRIL - 1, { tier: 'starter', start: APRIL, end: MAY })).toMatchObject({
      tier: 'starter',
      pendingTier: null,
      currentPeriodEnd: MAY,
    })
  })

  it('is less at once if the change came together with the next period', () => {
    const after = decide(GROW, APRIL + 5, { tier: 'starter', start: APRIL, end: MAY })
    expect(after).toMatchObject({ tier: 'starter', pendingTier: null })
  })

  it('forgets a step down that was taken back', () => {
    const pending = decide(GROW, MIDDLE, { tier: 'starter' })
    expect(decide(pending, MIDDLE, { tier: 'grow' })).toEqual(GROW)
    expect(decide(pending, MIDDLE, { tier: 'scale' })).toMatchObject({ tier: 'scale', pendingTier: null })
  })

  it('stays while the provider tries to collect a renewal, and is nothing once it gives up', () => {
    const late = decide(GROW, APRIL, { status: 'past_due', start: APRIL, end: MAY })
    expect(late).toMatchObject({ tier: 'grow', status: 'past_due' })
    for (const status of ['unpaid', 'paused'] as const) {
      expect(decide(late, APRIL, { status, start: APRIL, end: MAY })).toMatchObject({ tier: 'free', status })
    }
    expect(decide(late, APRIL, { status: 'canceled' })).toEqual(NOTHING_PAID)
    expect(decide(NOTHING_PAID, MARCH, { status: 'incomplete' })).toMatchObject({
      tier: 'free',
      status: 'incomplete',
    })
    expect(decide(NOTHING_PAID, MARCH, { status: 'incomplete_expired' })).toEqual(NOTHING_PAID)
  })

  it('goes on to the end of the period when it is cancelled for then', () => {
    const ending = decide(GROW, MIDDLE, { isEnding: true })
    expect(ending).toEqual({ ...GROW, cancelAtPeriodEnd: true })
  })

  it('is what the best of several running subscriptions pays for', () => {
    const both: Said[] = [
      { id: 'sub_new', tier: 'starter', createdAt: APRIL },
      { id: 'sub_old', tier: 'grow' },
      { id: 'sub_dead', tier: 'scale', status: 'canceled' },
      { id: 'sub_begun', tier: 'scale', status: 'incomplete', createdAt: MAY },
    ]
    expect(decide(NOTHING_PAID, APRIL, ...both)).toMatchObject({ tier: 'grow', subscriptionId: 'sub_old' })
    const [, ...left] = [both[1], ...both.filter(({ id }) => id !== 'sub_old')] as Said[]
    expect(decide(GROW, APRIL - 1, ...left)).toMatchObject({ tier: 'starter', subscriptionId: 'sub_new' })
  })
})

describe("the organization's plan", () => {
  const PAYS = (tier: PaidPlan['tier']): PaidPlan => ({ ...NOTHING_PAID, tier })

  it('follows what is paid for', () => {
    expect(planAfter('free', PAYS('free'), PAYS('grow'))).toBe('grow')
    expect(planAfter('grow', PAYS('grow'), PAYS('starter'))).toBe('starter')
    expect(planAfter('grow', PAYS('grow'), PAYS('free'))).toBe('free')
  })

  it('stays what the operator made of it until what is paid for changes', () => {
    expect(planAfter('scale', PAYS('grow'), PAYS('grow'))).toBe('scale')
    expect(planAfter('free', PAYS('grow'), PAYS('grow'))).toBe('free')
    expect(planAfter('scale', PAYS('grow'), PAYS('free'))).toBe('free')
    expect(planAfter('grow', PAYS('free'), PAYS('starter'))).toBe('starter')
  })
})
