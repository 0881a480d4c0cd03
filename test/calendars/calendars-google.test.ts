import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import { busyEvent, callsAt, connectGoogle, serviceWithGoogle } from '../support/oauth-calendars.ts'
import { serviceWith } from '../support/service-with.ts'
import { settingsOf } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
/** What is read ends on another weekday, so that series at two hours have as many events. */
const SLOT = dayFromNow(4) + 10 * HOUR_MS

async function connected() {
  const { world, service } = serviceWithGoogle()
  const { liveKey: key } = await createOrganization()
  const connection = await connectGoogle(service, world, key)
  const sync = () => service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
  const rowsOf = async (table: 'calendar_events' | 'calendar_busy_times') => {
    const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE connection_id = ?`)
    return count.bind(connection.id).first<number>('n')
  }
  return { world, service, key, connection, sync, rowsOf }
}

describe('a Google account', () => {
  it('shows all its calendars, and each that is added blocks its time', async () => {
    const { world, service, key, connection } = await connected()
    const { id } = await world.addCalendar({ name: 'Team' })
    await world.addCalendar({ name: 'Boss', canWrite: false })
    const { body } = await service.call('GET', '/v1/calendars/accounts', { key })
    expect(body.data[0].calendars).toMatchObject([
      { name: 'owner@example.com', is_primary: true, can_write: true, connection_id: connection.id },
      { external_id: id, name: 'Team', is_primary: false, can_write: true, connection_id: null },
      { name: 'Boss', can_write: false },
    ])
    await world.seed([busyEvent(SLOT, 60)], undefined, id)
    const { id: eventTypeId } = await createEventType(key)
    expect(await service.openStarts(eventTypeId, SLOT)).toContain(iso(SLOT))
    const input = { account_id: connection.account_id, external_id: id }
    expect((await service.call('POST', '/v1/calendars', { key, body: input })).status).toBe(201)
    expect(await service.openStarts(eventTypeId, SLOT)).not.toContain(iso(SLOT))
  })

  it('is removed even if Google does not answer the revocation', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey: key } = await createOrganization()
    // Nobody else has connected it, so its permission is given back.
    const connection = await connectGoogle(service, world, key, { as: `${unique('ada')}@example.com` })
    await world.troubles([{ about: '/revoke', does: 'hangs', times: null }])
    const { call } = serviceWith({ ...settingsOf('calendar_a', world.base), answerMs: 1_500 })
    expect((await call('DELETE', `/v1/calendars/${connection.id}`, { key })).status).toBe(204)
    expect((await world.look()).calls!.filter(({ path }) => path === '/revoke')).toHaveLength(1)
    expect((await call('GET', '/v1/calendars', { key })).body.data).toEqual([])
  })

  it('that ended a series has all its time free, though only half a year of it is listed', async () => {
    const { world, sync, rowsOf } = await connected()
    const weekly = (start: number) => {
      const { start: from, end } = busyEvent(start, 30)
      const zone = { timeZone: 'Europe/Berlin' }
      return { start: { ...from, ...zone }, end: { ...end, ...zone }, recurrence: ['RRULE:FREQ=WEEKLY'] }
    }
    const [series] = await world.seed([weekly(SLOT), weekly(SLOT + HOUR_MS)])
    await sync()
    const before = await rowsOf('calendar_busy_times')
    expect(before).toBeGreaterThan(2 * 55)
    await world.remove(series!)
    const asked = (await callsAt(world)).length
    await sync()
    expect(await rowsOf('calendar_busy_times')).toBe(before! / 2)
    expect(await rowsOf('calendar_events')).toBe(before! / 2)
    expect((await callsAt(world)).slice(asked).map(({ path }) => path.split('/').at(-1))).toEqual([
      'events',
      'instances',
    ])
  })

  it('is revoked when its member leaves, unless another organization has it', async () => {
    const { world, service } = serviceWithGoogle()
    const revoked = async () => (await world.look()).calls!.filter(({ path }) => path === '/revoke').length
    const leave = async (shared: boolean) => {
      const organization = await createOrganization()
      const { id: memberId } = await createMember(organization)
      const key = organization.liveKey
      const as = `${unique('ada')}@example.com`
      await connectGoogle(service, world, key, { as, memberId })
      if (shared) await connectGoogle(service, world, (await createOrganization()).liveKey, { as })
      const path = `/v1/organizations/${organization.id}/members/${memberId}`
      expect((await service.call('DELETE', path, { key })).status).toBe(204)
    }
    await leave(true)
    expect(await revoked()).toBe(0)
    await leave(false)
    expect(await revoked()).toBe(1)
  })

  it('stays connected while the registration of this service is at fault', async () => {
    const { world, sync } = await connected()
    await world.expire()
    for (const wrong of [{ secret: 'another' }, { secret: 'double-secret_1', isApiOn: false }]) {
      await world.register(wrong)
      expect((await sync()).body).toMatchObject({ status: 'active', sync_status: 'error' })
    }
    await world.register({ isApiOn: true })
    expect((await sync()).body).toMatchObject({ status: 'active', sync_status: 'connected' })
  })
})
