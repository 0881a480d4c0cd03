import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { connectAs, pointToWorld, soon } from '../support/connected.ts'
import { book, createEventType, createOrganization, dayFromNow, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000
const zoom = pointToWorld('video_a')

it.each([1, 3])(
  'makes a Zoom meeting anew with the account of the host who takes over (%i seats)',
  async (max_attendees) => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const hosts = [await memberWithRole(organization, 'member'), await memberWithRole(organization, 'member')]
    const emails = hosts.map(() => `${unique('host')}@example.com`)
    for (const [at, { id }] of hosts.entries()) {
      const path = `/v1/conferencing/video_a/connect?member_id=${id}`
      expect((await connectAs(zoom, key, path, emails[at]!)).status).toBe(200)
    }
    const [from, to] = hosts.map(({ id }) => id) as [string, string]
    const { id } = await createEventType(key, {
      ...{ conferencing_provider: 'video_a', assignment_strategy: 'round_robin', max_attendees },
      reminder_intervals: [],
    })
    for (const member_id of [from, to]) {
      const priority = member_id === from ? 1 : 2
      await call('POST', `/v1/event-types/${id}/hosts`, { key, body: { member_id, priority } })
    }
    const { body: made } = await book(id, SLOT)
    const read = async () => (await call('GET', `/v1/bookings/${made.id}`, { key })).body
    await soon(async () => expect((await read()).conferencing_url).toEqual(expect.any(String)))
    const { conferencing_url: first, assigned_host } = await read()
    const [giver, taker] = assigned_host.member_id === from ? [0, 1] : [1, 0]
    const count = async () =>
      Promise.all([giver, taker].map(async (at) => (await zoom.look(emails[at]!)).meetings!.length))
    expect(await count()).toEqual([1, 0])

    const path = `/v1/bookings/${made.id}/reassign`
    const { status, body } = await call('POST', path, { key, body: { member_id: hosts[taker]!.id } })
    expect([status, body.conferencing_url]).toEqual([200, null])
    await soon(async () => expect(await count()).toEqual([0, 1]))
    await soon(async () => expect((await read()).conferencing_url).toEqual(expect.any(String)))
    expect((await read()).conferencing_url).not.toBe(first)
  },
)
