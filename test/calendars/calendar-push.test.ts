import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { channelsOf } from '../support/channels.ts'
import { soon } from '../support/connected.ts'
import { createEventType, createOrganization, dayFromNow, iso, openStarts } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import { connectSuite, PUBLIC_URL, SUITE_WORLDS, type Suite } from '../support/suite-worlds.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

describe.each(Object.keys(SUITE_WORLDS) as Suite[])('a calendar of %s', (suite) => {
  const { world, event, watched, tell } = SUITE_WORLDS[suite]
  const notifications = `/v1/calendars/${suite}/notifications`

  async function connected(...given: [memberId?: string, organization?: { readonly liveKey: string }]) {
    const { key, email, connection } = await connectSuite(suite, ...given)
    const channel = await soon(async () => {
      const [one, ...others] = watched(await world.look(email))
      expect([one, others]).toEqual([expect.objectContaining({ id: expect.any(String) }), []])
      expect(await channelsOf(connection.id)).toMatchObject([{ id: one!.id }])
      return one!
    })
    return { key, email, connection, channel }
  }

  it('sends notifications from soon after it is connected until it is disconnected', async () => {
    const { key, email, connection, channel } = await connected()
    expect(new Set(channel.addresses)).toEqual(new Set([PUBLIC_URL + notifications]))
    expect((await call('DELETE', `/v1/calendars/${connection.id}`, { key })).status).toBe(204)
    expect(watched(await world.look(email))).toEqual([])
    expect(await channelsOf(connection.id)).toEqual([])
    expect((await call('POST', notifications, tell(channel))).status).toBe(204)
  })

  it('sends no notifications once its owner has left the organization', async () => {
    const organization = await createOrganization()
    const { id } = await createMember(organization)
    const { key, email } = await connected(id, organization)
    const path = `/v1/organizations/${organization.id}/members/${id}`
    expect((await call('DELETE', path, { key })).status).toBe(204)
    expect(watched(await world.look(email))).toEqual([])
  })

  it('sends notifications as long as it is used, and again once it is used again', async () => {
    const { key, email, connection, channel } = await connected()
    const path = `/v1/calendars/${connection.id}`
    const use = (isUsed: boolean) =>
      call('PATCH', path, { key, body: { checks_busy: isUsed, receives_bookings: isUsed } })
    await use(false)
    await soon(async () => expect(watched(await world.look(email))).toEqual([]))
    await use(true)
    const [again] = await soon(async () => {
      const all = watched(await world.look(email))
      expect(all).toHaveLength(1)
      return all
    })
    expect(again!.id).not.toBe(channel.id)
  })

  it('closes and opens slots soon after a notification', async () => {
    const { key, email, channel } = await connected()
    const { id } = await createEventType(key)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    const told = async (look: () => Promise<void>) => {
      const burst = [1, 2, 3].map(() => call('POST', notifications, tell(channel)))
      expect((await Promise.all(burst)).map(({ status }) => status)).toEqual([204, 204, 204])
      await soon(look)
    }
    const [eventId] = await world.seed([event(SLOT)], email)
    await told(async () => expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT)))
    await world.remove(eventId!, email)
    await told(async () => expect(await openStarts(id, SLOT)).toContain(iso(SLOT)))
  })
})
