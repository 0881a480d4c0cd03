import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { decisionUrl } from '../../src/booking/bookings/approval/decision-link.ts'
import { call, callAsService } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import { keyOfMember } from '../support/members.ts'
import { visit } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(5) + 10 * HOUR_MS
const NEXT = SLOT + 24 * HOUR_MS
const NONE = {
  cancelled_by: null,
  rescheduled_by: null,
  reassigned_by: null,
  approved_by: null,
  declined_by: null,
}
const INVITEE = { type: 'invitee', id: null, name: null }

async function sandbox(input: Record<string, unknown> = {}) {
  const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
  const key = organization.testKey
  const { id: eventTypeId } = await createEventType(key, input)
  const { body: booking } = await book(eventTypeId, SLOT)
  const path = `/v1/bookings/${booking.id}`
  const ask = (verb: string, body: object, how: { key?: string; token?: boolean; as?: string }) => {
    const to = `${path}/${verb}${how.token ? `?token=${booking.cancel_token}` : ''}`
    if (how.as === undefined) return call('POST', to, { ...(how.key && { key: how.key }), body })
    const headers = {
      'X-Org-Id': organization.id,
      'X-Service-Mode': 'test',
      ...(how.as && { 'X-User-Id': how.as }),
    }
    return callAsService('POST', to, { headers, body })
  }
  const events = async () => (await call('GET', '/v1/events?limit=100', { key })).body.data
  const emailTo = (to: string, word: string) =>
    vi.waitFor(
      async () => {
        const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
        const email = body.data.find((one: any) => one.to === to && one.subject?.includes(word))
        expect(email).toBeDefined()
        return email.body as string
      },
      { timeout: 10_000, interval: 50 },
    )
  const read = async (by: { key?: string } = { key }) =>
    (await call('GET', by.key ? path : `${path}?token=${booking.cancel_token}`, by)).body
  return { organization, key, booking, ask, events, emailTo, read }
}

describe('a booking', () => {
  it('has no acts while nobody has changed it', async () => {
    const { booking, read } = await sandbox()
    expect(booking).toMatchObject(NONE)
    expect(await read()).toMatchObject(NONE)
  })

  it('says in record, event and email that its invitee moved and cancelled it', async () => {
    const { ask, read, events, emailTo } = await sandbox()
    const moved = await ask('reschedule', { new_start_time: iso(NEXT) }, { token: true })
    expect(moved.body.rescheduled_by).toEqual({ type: 'invitee' })
    const cancelled = await ask('cancel', {}, { token: true })
    expect(cancelled.body).toMatchObject({ cancelled_by: { type: 'invitee' } })
    expect(await read()).toMatchObject({ ...NONE, cancelled_by: INVITEE, rescheduled_by: INVITEE })
    const [, first, second] = (await events()).sort((a: any, b: any) => a.sequence - b.sequence)
    expect([first.data.rescheduled_by, second.data.cancelled_by]).toEqual([INVITEE, INVITEE])
    expect(await emailTo('owner@example.com', 'Rescheduled')).toContain('Rescheduled by:\nThe invitee')
    expect(await emailTo('owner@example.com', 'Cancelled')).toContain('Cancelled by:\nThe invitee')
    expect(await emailTo('ada@example.com', 'Cancelled')).not.toContain('Cancelled by')
  })

  it('names the key and the member who changed it, and shows an invitee only the kind of actor', async () => {
    const { organization, key, ask, read, emailTo } = await sandbox()
    await ask('reschedule', { new_start_time: iso(NEXT) }, { key })
    const { rescheduled_by } = await read()
    expect(rescheduled_by).toEqual({ type: 'api_key', id: expect.any(String), name: 'test key' })
    expect(await emailTo('owner@example.com', 'Rescheduled')).toContain('Rescheduled by:\nAPI key “test key”')

    const member = await createMember(organization)
    await env.DB.prepare("UPDATE members SET name = 'Grace Hopper' WHERE id = ?").bind(member.id).run()
    const grace = { type: 'member', id: member.id, name: 'Grace Hopper' }
    await ask('reschedule', { new_start_time: iso(SLOT) }, { as: member.userId })
    expect((await read()).rescheduled_by).toEqual(grace)
    const cancelled = await ask('cancel', {}, { key: await keyOfMember(organization, member, 'test') })
    expect(cancelled.body.cancelled_by).toEqual(grace)
    expect(await emailTo('owner@example.com', 'Cancelled')).toContain('Cancelled by:\nGrace Hopper')

    const seen = await read({})
    expect(seen).toMatchObject({ cancelled_by: { type: 'member' }, rescheduled_by: { type: 'member' } })
    expect(JSON.stringify(seen)).not.toContain('Grace')
    expect((await ask('cancel', {}, { token: true })).body.cancelled_by).toEqual({ type: 'member' })
  })

  it('names nobody for the service key', async () => {
    const { ask, read } = await sandbox()
    await ask('cancel', {}, { as: '' })
    expect((await read()).cancelled_by).toEqual({ type: 'service', id: null, name: null })
  })

  it('says who approved and who declined a request, also by a link in an email', async () => {
    const { organization, booking, read, events, key } = await sandbox({ requires_approval: true })
    const { body: members } = await call('GET', `/v1/organizations/${organization.id}/members`, { key })
    const [owner] = members.data
    const { pathname, searchParams } = new URL(await decisionUrl(env, booking.id, owner.id))
    const form = { ...Object.fromEntries(searchParams), answer: 'approve' }
    expect((await visit(pathname, { form })).status).toBe(303)
    const actor = { type: 'member', id: owner.id, name: 'owner@example.com' }
    expect(await read()).toMatchObject({ ...NONE, approved_by: actor })
    expect((await events()).find(({ event }: any) => event === 'booking.confirmed').data.approved_by).toEqual(
      actor,
    )

    const other = await sandbox({ requires_approval: true })
    await other.ask('decline', {}, { key: other.key })
    const byKey = { type: 'api_key', name: 'test key' }
    expect(await other.read()).toMatchObject({ declined_by: byKey, cancelled_by: byKey, approved_by: null })
    expect(await other.emailTo('owner@example.com', 'Cancelled')).toContain('Declined by:\nAPI key')
  })

  it('was cancelled by the system if nobody decided in time', async () => {
    const { key, read } = await sandbox({ requires_approval: true, approval_ttl_minutes: 60 })
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(SLOT) } })
    expect(await read()).toMatchObject({
      cancelled_by: { type: 'system', id: null, name: null },
      declined_by: null,
    })
  })
})

it('says in its event what happened, and nothing that only emails need', async () => {
  const { organization, events } = await sandbox()
  const member = await createMember(organization)
  const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test', 'X-User-Id': member.userId }
  const { id } = await createEventType(organization.testKey)
  const body = {
    event_type_id: id,
    start_time: iso(SLOT),
    invitee_name: 'Ada',
    invitee_email: 'ada@example.com',
  }
  expect((await callAsService('POST', '/v1/bookings', { headers, body })).status).toBe(201)
  const [first, made] = await events()
  expect(Object.keys(made)).toEqual(Object.keys(first))
})
