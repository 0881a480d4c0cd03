import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createFetch } from '../../src/platform/http/router.ts'
import { rooms } from '../../src/routes.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
} from '../support/factories.ts'
import { emailsOf } from '../support/lost-calendars.ts'
import { userWithRole } from '../support/members.ts'
import { bookPaid, pay } from '../support/payments.ts'
import {
  controlProvider,
  providerCalls,
  providerObject,
  providerObjects,
  tellService,
  troubleProvider,
} from '../support/provider-calls.ts'
import { providerEvent } from '../support/provider-events.ts'

const NOT_CONNECTED = {
  connected: false,
  payment_provider_account_id: null,
  connected_at: null,
  charges_enabled: false,
  payouts_enabled: false,
}

function connect(key: string, redirectUrl?: string, country = 'DE') {
  const query = new URLSearchParams({
    country,
    ...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
  })
  return call('GET', `/v1/payment-provider/connect?${query}`, { key })
}

async function status(key: string): Promise<any> {
  return (await call('GET', '/v1/payment-provider/status', { key })).body
}

function disconnect(key: string) {
  return call('DELETE', '/v1/payment-provider', { key })
}

async function accountsOf({ id }: Organization): Promise<any[]> {
  return (await providerObjects(id)).filter(({ object }) => object === 'account')
}

async function linksOf(accountId: string): Promise<any[]> {
  return (await providerCalls(accountId))
    .filter(({ step }) => step === 'POST account_links')
    .map(({ params }) => params)
}

async function actionsOf(key: string): Promise<string[]> {
  const { body } = await call('GET', '/v1/activity?resource_type=payment_account', { key })
  return body.data.map(({ action, actor_type }: any) => `${action} by ${actor_type}`)
}

/** An organization whose account at the provider is set up, as far as the provider knows. */
async function createConnected(): Promise<Organization & { readonly accountId: string }> {
  const organization = await createOrganization()
  await connect(organization.liveKey)
  const [{ id: accountId }] = await accountsOf(organization)
  await onboard(accountId)
  return { ...organization, accountId }
}

/** Its owner answers what the provider asks. */
async function onboard(accountId: string, told: Record<string, unknown> = {}): Promise<void> {
  await controlProvider('POST', `/accounts/${accountId}/onboard`, told)
}

/** Its owner takes the platform's access away. */
async function revokeAtProvider(accountId: string): Promise<void> {
  await controlProvider('POST', `/accounts/${accountId}/deauthorize`, {})
}

describe('connecting the payment provider', () => {
  it('leads to a new page of the provider each time, for an account that is created once', async () => {
    const organization = await createOrganization()
    const first = await connect(organization.liveKey)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ url: expect.stringContaining('/setup/s/acct_') })
    const second = await connect(organization.liveKey, 'https://acme.example.com/back?x=1')
    expect(second.body.url).not.toBe(first.body.url)

    const accounts = await accountsOf(organization)
    expect(accounts).toMatchObject([
      {
        country: 'DE',
        controller: {
          fees: { payer: 'account' },
          losses: { payments: 'stripe' },
          requirement_collection: 'stripe',
          stripe_dashboard: { type: 'full' },
        },
        metadata: { organization_id: organization.id },
      },
    ])
    const [made] = await providerCalls(organization.id)
    expect(made).toMatchObject({
      step: 'POST core/accounts',
      idempotencyKey: `${organization.id}/DE/v2`,
    })
    const links = await linksOf(accounts[0].id)
    expect(links.map(({ refresh_url, return_url, type }) => [type, refresh_url, return_url])).toEqual([
      ['account_onboarding', env.PUBLIC_URL, env.PUBLIC_URL],
      ['account_onboarding', 'https://acme.example.com/back?x=1', 'https://acme.example.com/back?x=1'],
    ])
    expect(await actionsOf(organization.liveKey)).toEqual(['payment_account.created by api_key'])
  })

  it('creates one account if several callers connect at once', async () => {
    const organization = await createOrganization()
    await troubleProvider({
      step: 'POST core/accounts',
      about: organization.id,
      does: 'answers',
      times: 1,
      answerDelayMs: 300,
    })
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => connect(organization.liveKey)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const accounts = await accountsOf(organization)
    expect(accounts).toHaveLength(1)
    expect(await linksOf(accounts[0].id)).toHaveLength(5)
    expect(await actionsOf(organization.liveKey)).toEqual(['payment_account.created by api_key'])
  })

  it('waits while another call makes the account, and is not stuck with an answer kept for a day', async () => {
    for (const does of ['is busy', 'fails'] as const) {
      const organization = await createOrganization()
      await troubleProvider({ step: 'POST core/accounts', about: organization.id, does, times: 2 })
      expect((await connect(organization.liveKey)).status).toBe(200)
      expect(await accountsOf(organization)).toHaveLength(1)
    }
  })

  it('needs a country of two letters until there is an account, and one that the provider serves', async () => {
    const { liveKey: key, id } = await createOrganization()
    const ask = (query: string) => call('GET', `/v1/payment-provider/connect${query}`, { key })
    for (const query of ['', '?country=', '?country=D', '?country=DEU', '?country=1x', '?country=D%C3%84']) {
      const { status, body } = await ask(query)
      expect([query, status, body.error.code]).toEqual([query, 400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual(['country'])
    }
    expect(await providerCalls(id)).toEqual([])
    for (const country of ['KP', 'ZZ']) {
      const { status, body } = await ask(`?country=${country}`)
      expect([status, body.error.code]).toEqual([400, 'bad_request'])
      expect(body.error.message).toContain(country)
    }
    expect((await ask('?country=fr')).status).toBe(200)
    const row = env.DB.prepare('SELECT country FROM payment_accounts WHERE organization_id = ?').bind(id)
    expect(await row.first('country')).toBe('FR')
    expect((await ask('')).status).toBe(200)
    expect((await ask('?country=de')).status).toBe(200)
    expect((await ask('?country=Germany')).status).toBe(400)
    expect((await providerObjects(id)).filter(({ object }) => object === 'account')).toMatchObject([
      { country: 'FR' },
    ])
  })

  it('refuses a return address that is not a public page', async () => {
    const { liveKey } = await createOrganization()
    for (const wrong of [
      '',
      '/back',
      'http://example.com/',
      'https://127.0.0.1/',
      'https://a:b@example.com/',
    ]) {
      const { status, body } = await connect(liveKey, wrong)
      expect([wrong, status, body.error.code]).toEqual([wrong, 400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual(['redirect_url'])
    }
  })

  it('is 502 while the provider fails, and works once it answers', async () => {
    const organization = await createOrganization()
    const fails = async () => {
      const { status, body } = await connect(organization.liveKey)
      expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
    }
    // The answer is lost on the way, so nobody knows that the account is there.
    await troubleProvider({ step: 'POST core/accounts', about: organization.id, does: 'drops', times: 2 })
    await fails()
    const [{ id: accountId }] = await accountsOf(organization)
    await troubleProvider({ step: 'POST account_links', about: accountId, does: 'fails', times: 2 })
    await fails()
    expect((await connect(organization.liveKey)).status).toBe(200)
    expect(await accountsOf(organization)).toHaveLength(1)
  })

  it('gives the account the address of its owner, if it is known', async () => {
    const ownerEmail = 'owner@acme.example.com'
    const organization = await createOrganization({ ownerEmail })
    expect((await connect(organization.liveKey)).status).toBe(200)
    const [made] = await providerCalls(organization.id)
    expect(made!.params).toMatchObject({ contact_email: ownerEmail })
  })

  it('makes the account by v1 on a platform without v2', async () => {
    const organization = await createOrganization()
    await controlProvider('PUT', '', { accountsV2: 'off' })
    try {
      expect((await connect(organization.liveKey)).status).toBe(200)
    } finally {
      await controlProvider('PUT', '', { accountsV2: 'on' })
    }
    const made = (await providerCalls(organization.id)).map(({ step, status }) => `${step} ${status}`)
    expect(made).toEqual(['POST core/accounts 400', 'POST accounts 200'])
    expect(await accountsOf(organization)).toMatchObject([
      { country: 'DE', controller: { losses: { payments: 'stripe' }, stripe_dashboard: { type: 'full' } } },
    ])
  })

  it.each(['off', 'inactive'] as const)(
    'says that the operator has to act, and notifies them, if v2 is off and v1 is %s',
    async (accountsV1) => {
      const organization = await createOrganization()
      const { liveKey } = organization
      await env.DB.prepare("DELETE FROM operator_notices WHERE subject = 'stripe'").run()
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      await controlProvider('PUT', '', { accountsV2: 'off', accountsV1 })
      try {
        for (const _ of [1, 2]) {
          const { status, body } = await connect(liveKey)
          expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
          expect(body.error.message).toContain('operator')
        }
        const lines = log.mock.calls.map(([line]) => line).filter((line) => line.includes('"misconfigured"'))
        expect(lines).toHaveLength(2)
        expect(JSON.parse(lines[0])).toMatchObject({ misconfigured: 'stripe' })
        expect(await emailsOf(organization)).toMatchObject([
          {
            recipient: env.SUPPORT_EMAIL,
            text: expect.stringContaining('Stripe refuses what this service asks for'),
          },
        ])
      } finally {
        log.mockRestore()
        await controlProvider('PUT', '', { accountsV2: 'on', accountsV1: 'on' })
      }
      // Stripe repeats its refusal to the same key for a day, so a minute later it is another one.
      await controlProvider('PUT', '', { accountsV2: 'off' })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
      try {
        expect((await connect(liveKey)).status).toBe(200)
      } finally {
        vi.useRealTimers()
        await controlProvider('PUT', '', { accountsV2: 'on' })
      }
    },
  )

  it('is for owners and admins', async () => {
    const organization = await createOrganization()
    for (const [role, expected] of [
      ['member', 403],
      ['admin', 200],
      ['owner', 200],
    ] as const) {
      const headers = { 'X-Org-Id': organization.id, 'X-User-Id': await userWithRole(organization, role) }
      const answer = await callAsService('GET', '/v1/payment-provider/connect?country=FR', { headers })
      expect([role, answer.status]).toEqual([role, expected])
    }
  })

  it('reports that no provider is configured', async () => {
    const { liveKey, testKey } = await createOrganization()
    const { STRIPE_SECRET_KEY: _, ...unconfigured } = env
    const serve = createFetch(rooms)
    const ask = (path: string, key: string) =>
      serve(
        new Request(`https://holdfast.test${path}`, { headers: { Authorization: `Bearer ${key}` } }),
        unconfigured,
      )
    const answer = await ask('/v1/payment-provider/connect?country=FR', liveKey)
    const { error } = (await answer.json()) as any
    expect([answer.status, error.code]).toEqual([400, 'bad_request'])
    expect(error.message).toContain('no payment provider')
    const told = await ask('/v1/payment-provider/status', liveKey)
    expect([told.status, await told.json()]).toEqual([200, NOT_CONNECTED])
    expect((await ask('/v1/payment-provider/status', testKey)).status).toBe(200)
  })
})

describe('the connection', () => {
  it('is what the provider says of it', async () => {
    const organization = await createOrganization()
    expect(await status(organization.liveKey)).toEqual(NOT_CONNECTED)
    expect(await providerCalls(organization.id)).toEqual([])

    await connect(organization.liveKey)
    const [{ id: accountId }] = await accountsOf(organization)
    expect(await status(organization.liveKey)).toEqual({
      ...NOT_CONNECTED,
      payment_provider_account_id: accountId,
    })
    await onboard(accountId)
    const connected = await status(organization.liveKey)
    expect(connected).toEqual({
      connected: true,
      payment_provider_account_id: accountId,
      connected_at: expect.stringMatching(/^\d{4}-.*Z$/),
      charges_enabled: true,
      payouts_enabled: true,
    })
    await onboard(accountId, { payouts_enabled: false })
    expect(await status(organization.liveKey)).toEqual({ ...connected, payouts_enabled: false })
    expect(await actionsOf(organization.liveKey)).toEqual([
      'payment_account.updated by system',
      'payment_account.updated by system',
      'payment_account.created by api_key',
    ])
  })

  it('is 502 while the provider does not answer', async () => {
    const { accountId, liveKey } = await createConnected()
    await troubleProvider({ step: 'GET accounts', about: accountId, does: 'fails', times: 2 })
    const { status, body } = await call('GET', '/v1/payment-provider/status', { key: liveKey })
    expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
  })

  it('is simulated in the sandbox, where no provider is called', async () => {
    const organization = await createOrganization()
    const { testKey } = organization
    const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' }
    const inSandbox = (method: string, path: string) =>
      callAsService(method, `/v1/payment-provider${path}`, { headers })
    expect((await inSandbox('GET', '/connect')).body).toEqual({ url: env.PUBLIC_URL })
    const back = 'https://acme.example.com/back'
    expect((await inSandbox('GET', `/connect?redirect_url=${back}`)).body).toEqual({ url: back })
    const simulated = await status(testKey)
    expect(simulated).toEqual({
      connected: true,
      payment_provider_account_id: expect.stringMatching(/^acct_test_[0-9a-f]{32}$/),
      connected_at: expect.any(String),
      charges_enabled: true,
      payouts_enabled: true,
    })
    const answer = await inSandbox('DELETE', '')
    expect([answer.status, answer.body]).toEqual([200, { disconnected: false, message: expect.any(String) }])
    expect(await status(testKey)).toEqual(simulated)
    expect(await providerCalls(organization.id)).toEqual([])
    expect(await status(organization.liveKey)).toEqual(NOT_CONNECTED)
  })

  it('ends when the organization wants it, and comes back with the same account', async () => {
    const organization = await createConnected()
    const { accountId, liveKey } = organization
    await status(liveKey)
    const first = await disconnect(liveKey)
    expect([first.status, first.body]).toEqual([200, { disconnected: true, message: expect.any(String) }])
    expect((await disconnect(liveKey)).body.disconnected).toBe(true)
    const asked = await providerCalls(accountId)
    await tellService('account.updated', await providerObject(accountId))
    expect(await status(liveKey)).toEqual(NOT_CONNECTED)
    expect(await providerCalls(accountId)).toEqual(asked)
    expect((await providerObject(accountId)).object).toBe('account')

    expect((await connect(liveKey)).status).toBe(200)
    expect(await status(liveKey)).toMatchObject({
      connected: true,
      payment_provider_account_id: accountId,
      charges_enabled: true,
    })
    expect(await accountsOf(organization)).toHaveLength(1)
    expect((await actionsOf(liveKey)).slice(0, 2)).toEqual([
      'payment_account.connected by api_key',
      'payment_account.disconnected by api_key',
    ])
  })

  it('of one organization does not belong to another', async () => {
    const { liveKey } = await createConnected()
    const neighbour = await createOrganization()
    expect(await status(neighbour.liveKey)).toEqual(NOT_CONNECTED)
    await disconnect(neighbour.liveKey)
    expect((await status(liveKey)).connected).toBe(true)
  })
})

describe('paid bookings', () => {
  const START = dayFromNow(3) + 9 * 3_600_000

  it('are taken while charges are enabled, and what was paid stays refundable after that', async () => {
    const organization = await createOrganization()
    const { liveKey } = organization
    const { id } = await createEventType(liveKey, { price_amount: 5_000 })
    const refused = async () => {
      const { status, body } = await book(id, START + 3_600_000)
      expect([status, body.error.code]).toEqual([400, 'bad_request'])
    }
    await refused()
    await connect(liveKey)
    await refused()
    const [{ id: accountId }] = await accountsOf(organization)
    await onboard(accountId)
    await tellService('account.updated', { id: accountId, object: 'account' })
    const { intentId, payment } = await bookPaid(id, START)
    await pay(intentId)
    expect((await providerObject(intentId)).of).toBe(accountId)

    await disconnect(liveKey)
    await refused()
    const refund = await call('POST', `/v1/payments/${payment.id}/refund`, { key: liveKey, body: {} })
    expect([refund.status, refund.body.status]).toEqual([200, 'refunded'])
    const { body } = await call('GET', '/v1/payments', { key: liveKey })
    expect(body.data.map((one: any) => [one.id, one.status])).toEqual([[payment.id, 'refunded']])
    await connect(liveKey)
    expect((await book(id, START + 3_600_000)).status).toBe(201)
  })

  it('are refused as soon as the provider takes no more charges for the account', async () => {
    const { accountId, liveKey } = await createConnected()
    await status(liveKey)
    const { id } = await createEventType(liveKey, { price_amount: 5_000 })
    await bookPaid(id, START)
    await onboard(accountId, { charges_enabled: false })
    await tellService('account.updated', { id: accountId, object: 'account' })
    expect((await book(id, START + 3_600_000)).status).toBe(400)
  })
})

describe('an account event from the provider', () => {
  const stored = (accountId: string) =>
    env.DB.prepare(
      'SELECT charges_enabled, payouts_enabled, disconnected_at FROM payment_accounts WHERE account_id = ?',
    )
      .bind(accountId)
      .first<any>()

  it('updates the record by asking the provider for the current state', async () => {
    const { accountId } = await createConnected()
    expect(await stored(accountId)).toMatchObject({ charges_enabled: 0 })
    // The event itself is old: it says what was before.
    const event = { id: accountId, object: 'account', charges_enabled: false }
    const told = await Promise.all(
      [1, 2, 3].map(() => tellService('account.updated', event, { account: accountId })),
    )
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await stored(accountId)).toMatchObject({ charges_enabled: 1, payouts_enabled: 1 })
    expect((await tellService('account.updated', { id: 'acct_outsider', object: 'account' })).status).toBe(
      200,
    )
  })

  it('never lets an older answer of the provider stand after a newer one', async () => {
    const { accountId } = await createConnected()
    const tell = () => tellService('account.updated', { id: accountId, object: 'account' })
    await troubleProvider({
      step: 'GET accounts',
      about: accountId,
      does: 'answers',
      times: 1,
      answerDelayMs: 1_500,
    })
    const slow = tell()
    await vi.waitFor(async () => {
      const asked = (await providerCalls(accountId)).filter(({ step }) => step === 'GET accounts')
      expect(asked).toHaveLength(1)
    })
    await onboard(accountId, { charges_enabled: false })
    await tell()
    expect((await slow).status).toBe(200)
    expect(await stored(accountId)).toMatchObject({ charges_enabled: 0, payouts_enabled: 1 })
  })

  it('ends the connection when the account revoked it; connecting again makes another account', async () => {
    const organization = await createConnected()
    const { accountId, liveKey } = organization
    await status(liveKey)
    const revoked = () =>
      tellService('account.application.deauthorized', { id: 'ca_1' }, { account: accountId })
    expect((await revoked()).status).toBe(200)
    expect((await status(liveKey)).connected).toBe(true)

    await revokeAtProvider(accountId)
    await revoked()
    expect(await stored(accountId)).toMatchObject({ charges_enabled: 0, disconnected_at: expect.any(Number) })
    expect(await status(liveKey)).toEqual(NOT_CONNECTED)
    expect((await actionsOf(liveKey))[0]).toBe('payment_account.revoked by system')

    const again = await call('GET', '/v1/payment-provider/connect', { key: liveKey })
    expect(again.status).toBe(200)
    const accounts = await accountsOf(organization)
    expect(accounts.map(({ country }) => country)).toEqual(['DE', 'DE'])
    const { payment_provider_account_id: other, connected } = await status(liveKey)
    expect([other === accountId, connected]).toEqual([false, false])
    expect((await revoked()).status).toBe(200)
    expect((await status(liveKey)).payment_provider_account_id).toBe(other)
  })

  it('that it cannot be reached any more is also noticed when it is asked', async () => {
    const { accountId, liveKey } = await createConnected()
    await status(liveKey)
    await revokeAtProvider(accountId)
    expect(await status(liveKey)).toEqual(NOT_CONNECTED)
  })

  it('comes again when the provider could not be asked about it', async () => {
    const { accountId } = await createConnected()
    await troubleProvider({ step: 'GET accounts', about: accountId, does: 'fails', times: 2 })
    const tell = () => tellService('account.updated', { id: accountId, object: 'account' })
    expect((await tell()).status).toBe(502)
    expect((await tell()).status).toBe(200)
    expect(await stored(accountId)).toMatchObject({ charges_enabled: 1 })
  })

  it('may be signed with any of the secrets: connected accounts have an endpoint of their own', async () => {
    const secret = 'whsec_of-connected-accounts'
    const spoilt = await tellService('account.updated', { id: 'acct_1' }, { secret })
    expect(spoilt.status).toBe(400)
    const { body, headers } = await providerEvent('account.updated', { id: 'acct_1' }, { secret })
    const answer = await createFetch(rooms)(
      new Request('https://holdfast.test/v1/payment-provider/webhook', { method: 'POST', body, headers }),
      { ...env, STRIPE_WEBHOOK_SECRET: `${env.STRIPE_WEBHOOK_SECRET}, ${secret}` },
    )
    expect(answer.status).toBe(200)
  })
})
