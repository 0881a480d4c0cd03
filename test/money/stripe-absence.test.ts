import { describe, expect, it } from 'vitest'
import { stripeClient } from '../../src/money/stripe/client.ts'
import { hasCustomer } from '../../src/money/stripe/customers.ts'
import { listRefunds } from '../../src/money/stripe/payment-intents.ts'

/** A provider that says no to everything. */
function denying(status: number, code?: string) {
  const fetcher = async () => Response.json({ error: { type: 'invalid_request_error', code } }, { status })
  return stripeClient({ STRIPE_SECRET_KEY: 'sk_test_1' }, fetcher as typeof fetch)!
}

describe('what the provider does not have', () => {
  it('has no refunds, while a provider that fails is not believed', async () => {
    expect(await listRefunds(denying(404), { providerAccountId: 'acct_1' }, 'pi_1')).toEqual([])
    expect(
      await listRefunds(denying(404, 'resource_missing'), { providerAccountId: 'acct_1' }, 'pi_1'),
    ).toEqual([])
    await expect(listRefunds(denying(403), { providerAccountId: 'acct_1' }, 'pi_1')).rejects.toMatchObject({
      statusCode: 403,
    })
  })

  it('is a missing customer only if the provider says exactly that', async () => {
    expect(await hasCustomer(denying(404, 'resource_missing'), 'cus_1')).toBe(false)
    expect(await hasCustomer(denying(404), 'cus_1')).toBe(true)
    await expect(hasCustomer(denying(500), 'cus_1')).rejects.toMatchObject({ statusCode: 500 })
  })
})
