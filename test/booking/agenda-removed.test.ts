import { expect, it } from 'vitest'
import { agenda, DAY, HOUR_MS, TEN } from '../support/agenda.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dateOf,
  iso,
  type Organization,
} from '../support/factories.ts'
import { addHost, addHosts } from '../support/hosts.ts'

async function hold(event_type_id: string, hour: number) {
  const body = { event_type_id, start_time: iso(TEN + hour * HOUR_MS) }
  expect((await call('POST', '/v1/holds', { body })).status).toBe(201)
}

async function remove({ id }: Organization, memberId: string) {
  const headers = { 'X-Org-Id': id }
  const { status } = await callAsService('DELETE', `/v1/organizations/${id}/members/${memberId}`, { headers })
  expect(status).toBe(204)
}

it.each([1, 2])(
  'the agenda names no removed one of %i hosts, and has the seats of the list of sessions',
  async (number) => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const single = (await createEventType(key, { assignment_strategy: 'round_robin' })).id
    const hosts = await addHosts(organization, key, single, number)
    const group = (await createEventType(key, { assignment_strategy: 'round_robin', max_attendees: 5 })).id
    for (const host of hosts) await addHost(key, group, host)
    await book(single, TEN, { invitee_email: 'a@example.com' })
    await book(group, TEN + HOUR_MS, { invitee_email: 'b@example.com' })
    await hold(group, 1)
    for (const hour of [2, 3, 4]) await hold(single, hour)
    for (const hour of [5, 6, 7]) await hold(group, hour)
    await remove(organization, hosts[0]!)
    const shown = await agenda(key)
    const left = new Set([null, ...hosts.slice(1)])
    const blocks = [...shown.bookings, ...shown.sessions, ...shown.holds]
    expect(blocks.map(({ member_id }) => member_id).filter((id) => !left.has(id))).toEqual([])
    expect([shown.bookings.length, shown.sessions.length, shown.holds.length]).toEqual([1, 4, 7])
    const { body: sessions } = await call(
      'GET',
      `/v1/event-types/${group}/sessions?from=${dateOf(DAY)}&to=${dateOf(DAY)}`,
      { key },
    )
    const seatsIn = (list: any[]) =>
      list.map(({ id, seats, taken, booking_ids }) => [id, seats, taken, booking_ids])
    expect(seatsIn(shown.sessions)).toEqual(seatsIn(sessions.data))
    expect(shown.sessions.map(({ taken }: any) => taken)).toEqual([2, 1, 1, 1])
    const hostOf = new Map(shown.sessions.map(({ start_time, member_id }: any) => [start_time, member_id]))
    const seats = shown.holds.filter(({ event_type_id }: any) => event_type_id === group)
    for (const { start_time, member_id } of seats) expect(member_id).toBe(hostOf.get(start_time))
    if (number === 2) expect(blocks.some(({ member_id }) => member_id === hosts[1])).toBe(true)
  },
)

it('the agenda lists the others who hold together after one was removed', async () => {
  const organization = await createOrganization()
  const { liveKey: key } = organization
  const { id } = await createEventType(key, { assignment_strategy: 'none' })
  const hosts = await addHosts(organization, key, id, 3)
  await hold(id, 0)
  await remove(organization, hosts[2]!)
  const { holds, together } = await agenda(key)
  expect(holds).toHaveLength(1)
  expect(together).toEqual([{ id: holds[0].id, member_ids: hosts.slice(0, 2).toSorted() }])
})
