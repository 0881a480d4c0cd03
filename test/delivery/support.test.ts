import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createSupportRequest } from '../../src/delivery/support/create-support-request.ts'
import { SupportRequest } from '../../src/delivery/support/schema.ts'
import type { TenantCaller } from '../../src/platform/auth/caller.ts'
import { unseal } from '../../src/platform/auth/secret.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { type Call, call, callAsService } from '../support/app.ts'
import { createOrganization, unique } from '../support/factories.ts'

const QUESTION = {
  subject: 'Sundays',
  message: 'Every second one?\nOr <b>third</b>?',
  category: 'question',
} as const

function ask(key: string, input: Record<string, unknown> = {}, options: Call = {}) {
  return call('POST', '/v1/support', { key, body: { ...QUESTION, ...input }, ...options })
}

function listed(key: string, query = '') {
  return call('GET', `/v1/support${query}`, { key })
}

async function rowsOf(table: string, organizationId: string): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ? ORDER BY id`)
    .bind(organizationId)
    .all()
  return results
}

function stateOf(organizationId: string) {
  return Promise.all(
    ['support_requests', 'posted_letters', 'sandbox_outbox', 'activity'].map((table) =>
      rowsOf(table, organizationId),
    ),
  )
}

describe('asking for support', () => {
  it('stores the request, emails it to the operator, and logs it', async () => {
    const organization = await createOrganization()
    const { status, body } = await ask(organization.liveKey)
    expect(status).toBe(201)
    expect(SupportRequest.parse(body)).toEqual(body)
    expect(body).toMatchObject({ ...QUESTION, status: 'open' })
    expect((await listed(organization.liveKey)).body).toEqual({ data: [body], has_more: false })
    const letters = await rowsOf('posted_letters', organization.id)
    expect(letters).toHaveLength(1)
    expect(letters[0]).toMatchObject({ recipient: 'support@holdfast.example', kind: 'ready' })
    const { body: log } = await call('GET', `/v1/activity?resource_id=${body.id}`, {
      key: organization.liveKey,
    })
    expect(log.data).toMatchObject([
      {
        action: 'support_request.created',
        resource_type: 'support_request',
        changes: { subject: 'Sundays', category: 'question' },
      },
    ])
  })

  it('stays in the sandbox in test mode, with the whole message in the email', async () => {
    const organization = await createOrganization()
    const { body } = await ask(organization.testKey)
    expect(await rowsOf('posted_letters', organization.id)).toEqual([])
    const [kept, ...more] = await rowsOf('sandbox_outbox', organization.id)
    expect(more).toEqual([])
    expect(kept).toMatchObject({ recipient: 'support@holdfast.example', subject: '[question] Sundays' })
    const { text, html } = JSON.parse(await unseal(env.ENCRYPTION_KEY, kept!.body as string))
    for (const line of QUESTION.message.split('\n')) expect(text).toContain(`> ${line}`)
    expect(text).toContain(organization.id)
    expect(text).toContain(body.id)
    expect(html).toContain('&lt;b&gt;third&lt;/b&gt;')
    expect(html).not.toContain('<b>')
  })

  it('names every field that is wrong and writes nothing', async () => {
    const organization = await createOrganization()
    const before = await stateOf(organization.id)
    const wrong: [Record<string, unknown>, string][] = [
      [{ subject: '' }, 'subject'],
      [{ subject: 'x'.repeat(201) }, 'subject'],
      [{ subject: undefined }, 'subject'],
      [{ message: '' }, 'message'],
      [{ message: 'x'.repeat(5001) }, 'message'],
      [{ message: undefined }, 'message'],
      [{ category: 'complaint' }, 'category'],
      [{ category: undefined }, 'category'],
    ]
    for (const [input, field] of wrong) {
      const { status, body } = await ask(organization.liveKey, input)
      expect([input, status, body.error.code]).toEqual([input, 400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual([field])
    }
    expect(await stateOf(organization.id)).toEqual(before)
    expect(
      (await ask(organization.liveKey, { subject: 'x'.repeat(200), message: 'x'.repeat(5000) })).status,
    ).toBe(201)
  })

  it('happens once for one Idempotency-Key', async () => {
    const organization = await createOrganization()
    const options = { headers: { 'Idempotency-Key': 'once' } }
    const first = await ask(organization.liveKey, {}, options)
    const again = await ask(organization.liveKey, {}, options)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await rowsOf('support_requests', organization.id)).toHaveLength(1)
    expect(await rowsOf('posted_letters', organization.id)).toHaveLength(1)
  })

  it('is for members; viewers may read', async () => {
    const organization = await createOrganization()
    const join = async (role: string) => {
      const userId = unique(role)
      const { body } = await callAsService('POST', `/v1/organizations/${organization.id}/invitations`, {
        headers: { 'X-Org-Id': organization.id },
        body: { email: `${userId}@example.com`, role },
      })
      await callAsService('POST', '/v1/invitations/accept', {
        body: { token: body.token, user_id: userId, user_email: `${userId}@example.com` },
      })
      return { 'X-Org-Id': organization.id, 'X-User-Id': userId }
    }
    const viewer = await join('viewer')
    const refused = await callAsService('POST', '/v1/support', { headers: viewer, body: QUESTION })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    expect((await callAsService('GET', '/v1/support', { headers: viewer })).status).toBe(200)
    const member = await join('member')
    expect((await callAsService('POST', '/v1/support', { headers: member, body: QUESTION })).status).toBe(201)
    expect((await call('POST', '/v1/support', { body: QUESTION })).status).toBe(401)
  })

  it('works without an address of the operator', async () => {
    const { id: organizationId } = await createOrganization()
    const { SUPPORT_EMAIL: _, ...rest } = env
    const ctx = {
      env: rest,
      requestId: crypto.randomUUID(),
      now: Date.now(),
      ipAddress: null,
      claim: null,
      caller: { kind: 'service', organizationId, isTest: false, onBehalfOf: null },
    } as unknown as Context<TenantCaller>
    await createSupportRequest(ctx, QUESTION)
    expect(await rowsOf('support_requests', organizationId)).toHaveLength(1)
    expect(await rowsOf('posted_letters', organizationId)).toEqual([])
  })
})

describe('support requests', () => {
  it('are read in pages, newest first', async () => {
    const { liveKey } = await createOrganization()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.unshift((await ask(liveKey)).body.id)
    const first = await listed(liveKey, '?limit=3')
    expect(first.body.has_more).toBe(true)
    const second = await listed(liveKey, `?limit=3&starting_after=${first.body.data[2].id}`)
    expect(second.body.has_more).toBe(false)
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids)
    for (const query of ['?limit=0', '?starting_after=nope']) {
      expect((await listed(liveKey, query)).status).toBe(400)
    }
  })

  it('are seen by their organization in their mode only', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { body: live } = await ask(organization.liveKey)
    const { body: test } = await ask(organization.testKey)
    expect((await listed(organization.liveKey)).body.data).toEqual([live])
    expect((await listed(organization.testKey)).body.data).toEqual([test])
    expect((await listed(neighbour.liveKey)).body.data).toEqual([])
    for (const key of [neighbour.liveKey, organization.testKey]) {
      expect((await listed(key, `?starting_after=${live.id}`)).status).toBe(400)
    }
  })
})
