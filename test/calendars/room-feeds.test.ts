import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { createRoom } from '../support/rooms.ts'
import { serviceWith } from '../support/service-with.ts'
import { openWorld } from '../support/world.ts'

const MINUTE_MS = 60_000
const SLOT = dayFromNow(3) + 600 * MINUTE_MS

const second = (instant: number) => iso(instant).replace('.000', '')
const event = (uid: string, start: number) => ({
  uid,
  start: second(start),
  end: second(start + 30 * MINUTE_MS),
})

async function roomWithFeed() {
  const it = serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' })
  const world = openWorld('ics')
  const path = `/${unique('feed')}/room.ics`
  const { url } = (await world.control('PUT', '/feeds', { path })) as { url: string }
  await world.seed([event('lent', SLOT)], undefined, path)
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id: roomId } = await createRoom(key)
  const { id } = await createEventType(key, {
    assignment_strategy: 'round_robin',
    requires: [{ resource_ids: [roomId] }],
  })
  await addHosts(organization, key, id, 2)
  const connect = (body: Record<string, unknown>) =>
    it.call('POST', '/v1/calendars/ics/connect', { key, body: { url, ...body } })
  const book = (start: number, input: Record<string, unknown> = {}) =>
    it.call('POST', '/v1/bookings', {
      key,
      body: {
        ...{ event_type_id: id, start_time: iso(start), invitee_name: 'Ada', invitee_timezone: 'UTC' },
        ...{ invitee_email: `${unique('ada')}@example.com`, ...input },
      },
    })
  return { it, world, path, organization, key, roomId, id, connect, book }
}

describe('the feed of a room', () => {
  it('blocks all its units, also with what it says at the moment of booking', async () => {
    const { it: service, world, path, key, roomId, id, connect, book } = await roomWithFeed()
    const connected = await connect({ resource_id: roomId })
    expect([connected.status, connected.body]).toMatchObject([
      201,
      { member_id: null, resource_id: roomId, member_name: '', checks_busy: true, receives_bookings: false },
    ])
    const explained = await service.call('GET', `/v1/event-types/${id}/explain?start_time=${iso(SLOT)}`, {
      key,
    })
    expect(explained.body.reasons.map(({ code, resource_id }: any) => [code, resource_id])).toEqual([
      ['resource_busy', roomId],
    ])
    expect((await book(SLOT)).status).toBe(409)
    const next = SLOT + 30 * MINUTE_MS
    await world.seed([event('late', next)], undefined, path)
    expect((await book(next)).status).toBe(409)
    expect((await book(SLOT, { override: ['busy'] })).body.overridden).toEqual(['busy'])
    expect((await book(next + 30 * MINUTE_MS)).status).toBe(201)
  })

  it('blocks no host, and is deleted with the room', async () => {
    const { it: service, key, roomId, id, connect, book } = await roomWithFeed()
    await connect({ resource_id: roomId })
    const { body } = await service.call('GET', '/v1/calendars/accounts', { key })
    expect(body.data).toMatchObject([{ member_id: null, provider: 'ics' }])
    await service.call('PATCH', `/v1/event-types/${id}`, { key, body: { requires: [] } })
    expect((await book(SLOT)).status).toBe(201)
    expect((await service.call('DELETE', `/v1/resources/${roomId}`, { key })).status).toBe(204)
    expect((await service.call('GET', '/v1/calendars', { key })).body.data).toEqual([])
    const left = await env.DB.prepare('SELECT count(*) AS n FROM calendar_accounts WHERE member_id = ?')
      .bind(roomId)
      .first<number>('n')
    expect(left).toBe(0)
  })

  it('belongs to a room of the organization, and to nothing else', async () => {
    const { roomId, connect } = await roomWithFeed()
    const foreign = await createRoom((await createOrganization()).liveKey)
    expect((await connect({ resource_id: foreign.id })).status).toBe(404)
    const both = await connect({ resource_id: roomId, member_id: roomId })
    expect([both.status, Object.keys(both.body.error.details)]).toEqual([400, ['resource_id']])
  })
})
