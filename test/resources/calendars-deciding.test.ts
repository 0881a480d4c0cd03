import { describe, expect, it, vi } from 'vitest'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { busyEvent, connectGoogle, serviceWithGoogle } from '../support/oauth-calendars.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

describe('a connected calendar', () => {
  it('closes slots from the moment it is connected, and opens them when it is disconnected', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    await world.seed([busyEvent(SLOT, 30)])
    const connection = await connectGoogle(service, world, liveKey)
    expect(connection).toMatchObject({ provider: 'calendar_a', status: 'active', sync_status: 'connected' })
    expect(await service.openStarts(id, SLOT)).not.toContain(iso(SLOT))
    const refused = await service.book(id, SLOT)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect((await service.call('DELETE', `/v1/calendars/${connection.id}`, { key: liveKey })).status).toBe(
      204,
    )
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('is asked again when a booking is made', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const connection = await connectGoogle(service, world, liveKey)
    await world.seed([busyEvent(SLOT, 30)])
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    const refused = await service.book(id, SLOT)
    expect(refused.status).toBe(409)
    const news = { type: 'calendar', connectionId: connection.id, since: expect.any(Number) }
    await vi.waitFor(() => expect(service.messages).toContainEqual(news))
    const before = Date.now()
    const { status, body } = await service.book(id, SLOT + HOUR_MS)
    expect(status).toBe(201)
    expect(body.calendar_connection_id).toBe(connection.id)
    expect(Date.parse(body.busy_as_of)).toBeGreaterThanOrEqual(before)
  })
})
