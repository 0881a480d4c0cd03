import { env } from 'cloudflare:workers'
import { getTableColumns } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/platform/db/ids.ts'
import { organizations } from '../../src/platform/db/schema/organizations.ts'
import { call, callAsService } from '../support/app.ts'
import { dayFromNow, type Organization, unique } from '../support/factories.ts'
import { exportOf, forgetEverything, importText, textOf } from '../support/moves.ts'
import { attempt, bookPaid, createPaid, hearOf } from '../support/payments.ts'
import { newOrganization } from '../support/recipes.ts'
import { run } from '../support/run.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(5) + 9 * HOUR_MS
const LIMITS = {
  bookings_per_network_hour: 100_000,
  pending_per_network: 100_000,
  active_per_email: 100_000,
  waiting_per_email: 100_000,
  attendees_per_booking: 100,
}
const HOST = 'back.example.com'

let organization: Organization
let lines: any[]
let paid: { id: string; paymentId: string }
let unpaid: { id: string }

/** Everything that a file could claim for itself: a plan, limits, money, verified endpoints. */
beforeEach(async () => {
  const made = await createPaid({}, { tier: 'scale' })
  organization = made.organization
  const path = `/v1/organizations/${organization.id}`
  const body = { public_limits: LIMITS, plan_limits: { members: 9_000 }, allowed_redirect_hosts: [HOST] }
  expect((await callAsService('PATCH', path, { body })).status).toBe(200)
  const first = await bookPaid(made.eventTypeId, SLOT)
  await attempt(first.intentId)
  await hearOf(first.intentId)
  paid = { id: first.id, paymentId: first.payment.id }
  unpaid = { id: (await bookPaid(made.eventTypeId, SLOT + HOUR_MS)).id }
  const hook = { url: 'https://hooks.invalid/', events: ['booking.created'] }
  await call('POST', '/v1/webhooks', { key: organization.liveKey, body: hook })
  await run(
    "UPDATE webhook_endpoints SET verification_status = 'verified', verified_at = 1 WHERE organization_id = ?",
    organization.id,
  )
  await run(
    `INSERT INTO subscriptions (organization_id, customer_id, status, tier, created_at, updated_at)
     VALUES (?, ?, 'active', 'scale', 1, 1)`,
    organization.id,
    unique('cus'),
  )
  await run(
    `INSERT INTO disputes (id, payment_id, organization_id, is_test, amount, reason, phase, created_at, updated_at)
     VALUES (?, ?, ?, 0, 5000, 'fraudulent', 'open', 1, 1)`,
    unique('dp'),
    paid.paymentId,
    organization.id,
  )
  await run('UPDATE organizations SET suspended_at = 5 WHERE id = ?', organization.id)
  lines = await exportOf(organization.liveKey)
  await forgetEverything()
})

const countOf = async (table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())!.n

function patch(body: Record<string, unknown>) {
  return callAsService('PATCH', `/v1/organizations/${organization.id}`, { body })
}

describe('an import that is not trusted', () => {
  it('begins with the free plan, default limits and hosts, and stays suspended', async () => {
    expect((await importText(textOf(lines), undefined, 'identity', '')).status).toBe(201)
    const { body: usage } = await call('GET', '/v1/usage', { key: organization.liveKey })
    expect(usage.tier).toBe('free')
    const { body } = await patch({})
    for (const [name, most] of Object.entries(LIMITS)) expect(body.public_limits[name]).toBeLessThan(most)
    expect(body.plan_limits.members).toBe(5)
    expect(body.allowed_redirect_hosts).toEqual(['localhost:8787'])
    const row = await env.DB.prepare('SELECT suspended_at FROM organizations').first<any>()
    expect(row).toEqual({ suspended_at: 5 })
  })

  it('refuses a month with fewer than no bookings, which would allow more than the plan', async () => {
    const month = { type: 'booking_quotas', organization_id: organization.id, month: '2040-01', quota: 10 }
    const at = lines.findIndex(({ type }) => type === 'end')
    const { rows } = lines[at]
    const end = { ...lines[at], rows: { ...rows, booking_quotas: (rows.booking_quotas ?? 0) + 1 } }
    const withMonth = (bookings: number) => textOf([...lines.slice(0, at), { ...month, bookings }, end])
    for (const trust of ['', '?trust=true']) {
      const { status, body } = await importText(withMonth(-1), undefined, 'identity', trust)
      expect([status, JSON.stringify(body.error.details)]).toEqual([400, expect.stringContaining('bookings')])
    }
    expect((await importText(withMonth(0), undefined, 'identity', '')).status).toBe(201)
  })

  it('leaves out the payment account, the subscription and disputes, and names all that it left out', async () => {
    const { body } = await importText(textOf(lines), undefined, 'identity', '')
    for (const table of ['payment_accounts', 'subscriptions', 'disputes'])
      expect(await countOf(table)).toBe(0)
    const named = body.left_out.map(({ type, field, why }: any) => [type, field, why])
    expect(named).toContainEqual(['organizations', 'tier', 'untrusted'])
    expect(named).toContainEqual(['organizations', 'plan_limits', 'untrusted'])
    expect(named).toContainEqual(['organizations', 'allowed_redirect_hosts', 'untrusted'])
    expect(named).toContainEqual(['webhook_endpoints', 'verification_status', 'untrusted'])
    for (const table of ['payment_accounts', 'subscriptions', 'disputes']) {
      expect(named).toContainEqual([table, null, 'untrusted'])
    }
    const { body: status } = await call('GET', '/v1/payment-provider/status', { key: organization.liveKey })
    expect([status.connected, status.payment_provider_account_id]).toEqual([false, null])
    expect((await call('GET', '/v1/subscription', { key: organization.liveKey })).body.tier).toBe('free')
  })

  it('makes no call to the payment provider about the payments of the file', async () => {
    await importText(textOf(lines), undefined, 'identity', '')
    const { results } = await env.DB.prepare(
      'SELECT provider_account_id, intent_id, status FROM payments ORDER BY status',
    ).all<any>()
    const nowhere = { provider_account_id: null, intent_id: null }
    expect(results).toEqual([
      { ...nowhere, status: 'pending' },
      { ...nowhere, status: 'succeeded' },
    ])
    const refund = await call('POST', `/v1/payments/${paid.paymentId}/refund`, {
      key: organization.liveKey,
      body: {},
    })
    expect([refund.status, refund.body.error.code]).toEqual([502, 'bad_gateway'])
    const { body: booking } = await call('GET', `/v1/bookings/${paid.id}`, { key: organization.liveKey })
    expect(booking.payment.amount).toBe(5_000)
    const cancelled = await call('POST', `/v1/bookings/${unpaid.id}/cancel`, {
      key: organization.liveKey,
      body: {},
    })
    expect(cancelled.status).toBe(200)
  })

  it('imports webhook endpoints unverified, and sends nothing that waited for them', async () => {
    const endpoint = lines.find(({ type }) => type === 'webhook_endpoints')
    const event = lines.find(({ type }) => type === 'events')
    const delivery = {
      type: 'webhook_deliveries',
      id: endpoint.id,
      organization_id: organization.id,
      is_test: false,
      endpoint_id: endpoint.id,
      event_id: event.id,
      event_kind: 'booking.created',
      payload: '{}',
      status: 'pending',
      next_retry_at: 1,
      created_at: 1,
    }
    const kept = lines.filter(({ type }) => type !== 'webhook_deliveries')
    const at = kept.findIndex(({ type }) => type === 'events')
    const given = [...kept.slice(0, at + 1), delivery, ...kept.slice(at + 1)]
    const { status, body } = await importText(textOf(given), undefined, 'identity', '')
    expect([status, body.error]).toEqual([201, undefined])
    const { body: found } = await call('GET', `/v1/webhooks/${endpoint.id}`, { key: organization.liveKey })
    expect([found.verification_status, found.verified_at]).toEqual(['pending', null])
    const row = await env.DB.prepare('SELECT status, next_retry_at FROM webhook_deliveries').first<any>()
    expect(row).toEqual({ status: 'failed', next_retry_at: null })
  })

  it('leaves out CalDAV accounts: their passwords would go to whichever server the file names', async () => {
    const { key_version: version } = lines[0]
    const member = lines.find(({ type }) => type === 'members')
    const both = (provider: string) => {
      const [account, connection] = [newId(organization.id), newId(organization.id)]
      const common = {
        organization_id: organization.id,
        is_test: false,
        member_id: member.id,
        provider,
        account_email: 'ada@example.com',
        connected_at: 1,
        updated_at: 1,
      }
      const server_url = 'https://calendar.invalid/'
      const read = { provider_metadata: {}, status: 'active', sync_status: 'connected', next_sync_at: 1 }
      return [
        {
          type: 'calendar_accounts',
          id: account,
          ...common,
          account_key: `${provider}/ada`,
          credentials: `${version}.AAAA.AAAA`,
          server_url,
        },
        {
          type: 'calendar_connections',
          id: connection,
          ...common,
          ...read,
          account_id: account,
          calendar_id: '/',
        },
      ]
    }
    const rows = [...both('caldav'), ...both('calendar_a')]
    const at = lines.findIndex(({ type }) => type === 'event_types')
    const given = textOf([...lines.slice(0, at), ...rows, ...lines.slice(at)])
    const { status, body } = await importText(given, undefined, 'identity', '')
    expect([status, body.error]).toEqual([201, undefined])
    const kept = async (table: string) =>
      (await env.DB.prepare(`SELECT provider FROM ${table}`).all<any>()).results.map((row) => row.provider)
    expect(await kept('calendar_accounts')).toEqual(['calendar_a'])
    expect(await kept('calendar_connections')).toEqual(['calendar_a'])
    const named = body.left_out.filter(({ type }: any) => type.startsWith('calendar_'))
    const untrusted = { field: null, why: 'untrusted' }
    expect(named).toEqual([
      expect.objectContaining({ type: 'calendar_accounts', ...untrusted }),
      expect.objectContaining({ type: 'calendar_connections', ...untrusted }),
    ])
  })

  it('leaves out sealed values that the service returns in plain text, which would reveal any sealed value', async () => {
    const answer = `${lines[0].key_version}.AAAA.AAAA`
    const id = () => newId(organization.id)
    const common = { organization_id: organization.id, created_at: 1 }
    const scope = `${organization.id}/live`
    const rows = [
      {
        type: 'sandbox_outbox',
        id: id(),
        ...common,
        once_key: 'k',
        channel: 'email',
        recipient: 'a',
        body: answer,
      },
      { type: 'sandbox_files', id: id(), ...common, content: answer },
      { type: 'idempotency_keys', scope, key: 'k', request_hash: 'h', status: 200, answer, expires_at: 4e12 },
    ]
    const given = lines.filter(({ type }) => !rows.some((row) => row.type === type))
    const text = textOf([...given.slice(0, -1), ...rows, given.at(-1)])
    const { status, body } = await importText(text, undefined, 'identity', '')
    expect([status, body.error]).toEqual([201, undefined])
    for (const { type } of rows) expect([type, await countOf(type)]).toEqual([type, 0])
  })

  it('ignores columns of the organization that only the operator changes', async () => {
    const limits = Object.keys(getTableColumns(organizations)).filter((name) =>
      /PerEmail|PerNetwork|[lL]imit/.test(name),
    )
    const fields = Object.values(getTableColumns(organizations))
      .filter((_, at) => limits.includes(Object.keys(getTableColumns(organizations))[at]!))
      .map(({ name }) => name)
    expect(fields.length).toBeGreaterThanOrEqual(4)
    await importText(textOf(lines), undefined, 'identity', '')
    const row = await env.DB.prepare('SELECT * FROM organizations').first<any>()
    for (const name of fields) expect([name, row[name]]).toEqual([name, null])
  })
})

describe('an import that is trusted', () => {
  it('imports plan, limits, payment account and verified endpoints unchanged', async () => {
    expect((await importText(textOf(lines))).status).toBe(201)
    const { body: usage } = await call('GET', '/v1/usage', { key: organization.liveKey })
    expect(usage.tier).toBe('scale')
    const { body } = await patch({})
    expect(body.public_limits).toMatchObject(LIMITS)
    expect(body.allowed_redirect_hosts).toContain(HOST)
    for (const table of ['payment_accounts', 'subscriptions', 'disputes'])
      expect(await countOf(table)).toBe(1)
    const { body: hooks } = await call('GET', '/v1/webhooks', { key: organization.liveKey })
    expect(hooks.data[0].verification_status).toBe('verified')
  })

  it.each(['false', 'True', '1', ''])(
    'is refused with trust=%s, and nothing is left behind',
    async (trust) => {
      const { status, body } = await importText(
        textOf(newOrganization()),
        undefined,
        'identity',
        `?trust=${trust}`,
      )
      expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
        400,
        'validation_error',
        ['trust'],
      ])
      expect(await countOf('organizations')).toBe(0)
    },
  )
})
