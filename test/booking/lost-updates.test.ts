import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import {
  bookAsAnother,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'

const SLOT = dayFromNow(2) + 10 * 3_600_000

type Answer = { readonly status: number; readonly body: any; readonly headers: Headers }
type Change = (body: Record<string, unknown>, headers?: Record<string, string>) => Promise<Answer>
type Thing = { readonly read: () => Promise<Answer>; readonly change: Change }

async function eventType(): Promise<Thing & { readonly id: string; readonly key: string }> {
  const { id: organizationId } = await createOrganization()
  const { key } = await createKey(organizationId, 'live', { name: 'Jonas' })
  const { id } = await createEventType(key)
  return {
    ...{ id, key },
    read: () => call('GET', `/v1/event-types/${id}`, { key }),
    change: (body, headers = {}) => call('PATCH', `/v1/event-types/${id}`, { key, body, headers }),
  }
}

async function schedule(): Promise<Thing> {
  const { id: organizationId } = await createOrganization()
  const { key } = await createKey(organizationId, 'live', { name: 'Jonas' })
  const { body } = await call('POST', '/v1/schedules', { key, body: { name: 'Hours', rules: [] } })
  return {
    read: () => call('GET', `/v1/schedules/${body.id}`, { key }),
    change: (changes, headers = {}) =>
      call('PATCH', `/v1/schedules/${body.id}`, { key, body: changes, headers }),
  }
}

async function organization(): Promise<Thing> {
  const { id, ownerUserId } = await createOrganization()
  const as = { 'X-User-Id': ownerUserId }
  return {
    read: () => callAsService('GET', `/v1/organizations?owner_user_id=${ownerUserId}`),
    change: (body, headers = {}) =>
      callAsService('PATCH', `/v1/organizations/${id}`, { body, headers: { ...as, ...headers } }),
  }
}

const THINGS = [
  ['an event type', eventType, 'title'],
  ['a schedule', schedule, 'name'],
  ['an organization', organization, 'name'],
] as const

describe.each(THINGS)('a change of %s', (_, make, field) => {
  it('goes through if it expects the current state, and says the next one', async () => {
    const { read, change } = await make()
    const first = await read()
    const tag = first.headers.get('etag')!
    expect(tag).toBe(`"${first.body.updated_at}"`)
    const second = await change({ [field]: 'Second' }, { 'If-Match': tag })
    expect([second.status, second.headers.get('etag')]).toEqual([200, `"${second.body.updated_at}"`])
    expect(second.body.updated_at > first.body.updated_at).toBe(true)
    const third = await change({ [field]: 'Third', updated_at: second.body.updated_at })
    expect([third.status, third.body[field]]).toEqual([200, 'Third'])
    const list = await change({ [field]: 'Fourth' }, { 'If-Match': `"other", "${third.body.updated_at}"` })
    expect(list.status).toBe(200)
    expect((await change({ [field]: 'Fifth' }, { 'If-Match': '*' })).status).toBe(200)
    expect((await change({ [field]: 'Sixth' })).status).toBe(200)
  })

  it('is refused if it expects an earlier state, with who changed it and when', async () => {
    const { read, change } = await make()
    const { body: first } = await read()
    const { body: second } = await change({ [field]: 'Second' })
    const details = {
      code: 'changed',
      updated_at: second.updated_at,
      updated_by: expect.objectContaining({ name: expect.any(String) }),
    }
    for (const headers of [`"${first.updated_at}"`, `W/"${second.updated_at}"`, '"other"']) {
      const refused = await change({ [field]: 'Lost' }, { 'If-Match': headers })
      expect([refused.status, refused.body.error]).toMatchObject([409, { code: 'conflict', details }])
    }
    const late = await change({ [field]: 'Lost', updated_at: first.updated_at })
    expect(late.body.error.details).toEqual(details)
    const unlike = await change({ updated_at: first.updated_at }, { 'If-Match': `"${second.updated_at}"` })
    expect(unlike.status).toBe(409)
    expect((await read()).body[field]).toBe('Second')
  })

  it('is refused with a field if what it expects is malformed', async () => {
    const { read, change } = await make()
    const { body } = await read()
    for (const tag of [body.updated_at, '"', '"a" "b"', '*, "a"']) {
      const { status, body } = await change({ [field]: 'Lost' }, { 'If-Match': tag })
      expect([tag, status, body.error?.details]).toEqual([tag, 400, { 'if-match': expect.any(String) }])
    }
    const { status, body: wrong } = await change({ [field]: 'Lost', updated_at: 'yesterday' })
    expect([status, Object.keys(wrong.error.details)]).toEqual([400, ['updated_at']])
    expect((await read()).body).toEqual(body)
  })
})

describe('a change of an event type', () => {
  it('names the key that changed it last, or the member', async () => {
    const { change } = await eventType()
    const { body } = await change({ title: 'Second' })
    await change({ title: 'Third' })
    const late = await change({ title: 'Lost', updated_at: body.updated_at })
    expect(late.body.error.details.updated_by).toEqual({ type: 'api_key', name: 'Jonas' })

    const own = await organization()
    const { body: first } = await own.read()
    await own.change({ name: 'Second' })
    const lost = await own.change({ name: 'Lost', updated_at: first.updated_at })
    expect(lost.body.error.details.updated_by.type).toBe('member')
  })

  it('does not lose to its bookings, but to its hours and its hosts', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'none' })
    const stateOf = async () =>
      (await call('GET', `/v1/event-types/${id}`, { key })).body.updated_at as string
    const first = await stateOf()
    const { body: booking } = await bookAsAnother(id, SLOT)
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })
    expect(await stateOf()).toBe(first)
    const states = [first]
    const grows = async () => {
      const next = await stateOf()
      expect([states.length, next > states.at(-1)!]).toEqual([states.length, true])
      states.push(next)
    }
    await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: [] } })
    await grows()
    const host = await addHost(key, id, (await createMember(organization)).id)
    await grows()
    await call('PATCH', `/v1/event-types/${id}/hosts/${host.id}`, { key, body: { priority: 7 } })
    await grows()
    await call('DELETE', `/v1/event-types/${id}/hosts/${host.id}`, { key })
    await grows()
    const { id: memberId } = await createMember(organization)
    await addHost(key, id, memberId)
    await grows()
    const path = `/v1/organizations/${organization.id}/members/${memberId}`
    expect((await call('DELETE', path, { key })).status).toBe(204)
    await grows()
  })
})
