import { describe, expect, it } from 'vitest'
import { Subscription } from '../../src/resources/subscription/schema.ts'
import { call, callAsService } from '../support/app.ts'
import { createOrganization } from '../support/factories.ts'

const CHECKOUT = {
  tier: 'grow',
  billing_interval: 'month',
  success_url: 'https://example.com/done',
  cancel_url: 'https://example.com/back',
}
const PORTAL = { return_url: 'https://example.com/billing' }

describe('the subscription', () => {
  it.each([
    ['free', 'Free', 30, 200, 10],
    ['starter', 'Launch', 60, 1000, 50],
    ['grow', 'Grow', 500, 10_000, 1000],
    ['scale', 'Scale', 2000, 50_000, 10_000],
  ])('says what the tier %s allows', async (tier, plan, perMinute, perDay, perMonth) => {
    const { liveKey, testKey } = await createOrganization({ tier })
    const { status, body } = await call('GET', '/v1/subscription', { key: liveKey })
    expect(status).toBe(200)
    expect(Subscription.parse(body)).toEqual(body)
    expect(body).toEqual({
      tier,
      plan,
      status: 'active',
      billing_interval: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      limits: {
        api_calls_per_minute: perMinute,
        api_calls_per_day: perDay,
        bookings_per_month: perMonth,
      },
    })
    expect((await call('GET', '/v1/subscription', { key: testKey })).body).toEqual(body)
  })

  it('follows the plan at once', async () => {
    const { id, liveKey } = await createOrganization({ tier: 'free' })
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { tier: 'grow' } })
    expect((await call('GET', '/v1/subscription', { key: liveKey })).body.tier).toBe('grow')
  })

  it.each([
    ['checkout', CHECKOUT],
    ['portal', PORTAL],
    ['cancel', undefined],
    ['resume', undefined],
  ])('says of %s that billing is not configured', async (action, input) => {
    const { liveKey } = await createOrganization()
    const { status, body } = await call('POST', `/v1/subscription/${action}`, {
      key: liveKey,
      ...(input && { body: input }),
    })
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
  })

  it('names every field of a purchase that is wrong', async () => {
    const { liveKey } = await createOrganization()
    const wrong: [string, Record<string, unknown>, string][] = [
      ['checkout', { ...CHECKOUT, tier: 'free' }, 'tier'],
      ['checkout', { ...CHECKOUT, tier: undefined }, 'tier'],
      ['checkout', { ...CHECKOUT, billing_interval: 'day' }, 'billing_interval'],
      ['checkout', { ...CHECKOUT, success_url: 'javascript:alert(1)' }, 'success_url'],
      ['checkout', { ...CHECKOUT, cancel_url: '/back' }, 'cancel_url'],
      ['portal', { return_url: 'nowhere' }, 'return_url'],
      ['portal', {}, 'return_url'],
    ]
    for (const [action, input, field] of wrong) {
      const { status, body } = await call('POST', `/v1/subscription/${action}`, { key: liveKey, body: input })
      expect([field, status, body.error.code]).toEqual([field, 400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual([field])
    }
  })
})
