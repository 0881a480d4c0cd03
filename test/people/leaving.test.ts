import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { enter } from '../support/console.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function hosted(count = 2, input: Record<string, unknown> = {}) {
  const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
  const key = organization.testKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const members = await addHosts(organization, key, id, count)
  const base = `/v1/organizations/${organization.id}/members`
  const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' }
  return {
    organization,
    key,
    id: id as string,
    members,
    leave: (memberId: string) =>
      callAsService('DELETE', `${base}/${memberId}`, { headers: { 'X-Org-Id': organization.id } }),
    list: (memberId: string, query = '') => call('GET', `${base}/${memberId}/bookings${query}`, { key }),
    read: async (bookingId: string) => (await call('GET', `/v1/bookings/${bookingId}`, { key })).body,
    events: async (by = key) =>
      (await call('GET', '/v1/events?limit=100', { key: by })).body.data.filter(
        ({ event }: any) => event === 'member.removed',
      ),
    asService: (path: string) => callAsService('GET', path, { headers }),
  }
}

const hostOf = (body: any) => body.assigned_host?.member_id ?? null
const idsIn = ({ body }: any) => body.data.map(({ id }: { id: string }) => id)

describe('the upcoming bookings of a member', () => {
  it('are listed soonest first, a page at a time, in the mode of the call and without what is over', async () => {
    const { key, id, members, list, organization } = await hosted(1)
    const [member] = members as [string]
    const starts = [SLOT + 2 * HOUR_MS, SLOT, SLOT + HOUR_MS]
    const made = await Promise.all(starts.map(async (start) => (await bookAsAnother(id, start)).body.id))
    const [late, first, middle] = made
    const { body: gone } = await bookAsAnother(id, SLOT + 3 * HOUR_MS)
    await call('POST', `/v1/bookings/${gone.id}/cancel`, { key })
    expect(idsIn(await list(member))).toEqual([first, middle, late])
    const page = await list(member, '?limit=2')
    expect([idsIn(page), page.body.has_more]).toEqual([[first, middle], true])
    const next = await list(member, `?limit=2&starting_after=${middle}`)
    expect([idsIn(next), next.body.has_more]).toEqual([[late], false])
    expect((await list(member, `?starting_after=${organization.id}`)).status).toBe(400)
    const live = await call('GET', `/v1/organizations/${organization.id}/members/${member}/bookings`, {
      key: organization.liveKey,
    })
    expect(idsIn(live)).toEqual([])
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(SLOT + HOUR_MS) } })
    expect(idsIn(await list(member))).toEqual([middle, late])
    expect((await list(crypto.randomUUID())).status).toBe(404)
  })

  it('include sessions and meetings that they host with others', async () => {
    const group = await hosted(1, { max_attendees: 5 })
    const [first, second] = [await bookAsAnother(group.id, SLOT), await bookAsAnother(group.id, SLOT)]
    expect(idsIn(await group.list(group.members[0]!)).sort()).toEqual([first.body.id, second.body.id].sort())
    const together = await hosted(2, { assignment_strategy: 'none' })
    const { body } = await book(together.id, SLOT)
    for (const member of together.members) expect(idsIn(await together.list(member))).toEqual([body.id])
  })
})

describe('removing a member', () => {
  it('leaves their upcoming bookings without a host, at their time, and notifies endpoints of both modes', async () => {
    const { organization, id, members, leave, read, events } = await hosted(2)
    const { body: one } = await bookAsAnother(id, SLOT)
    const { body: two } = await bookAsAnother(id, SLOT)
    const gone = hostOf(one)
    expect((await leave(gone)).status).toBe(204)
    expect(await read(one.id)).toMatchObject({ status: 'confirmed', assigned_host: null, needs_host: true })
    expect(await read(two.id)).toMatchObject({ needs_host: false, start_time: iso(SLOT) })
    expect(hostOf(await read(two.id))).toBe(members.find((member) => member !== gone))
    const [event] = await events()
    expect(event).toMatchObject({ data: { id: gone, default_schedule_id: null }, unassigned: [one.id] })
    expect(await events(organization.liveKey)).toMatchObject([{ data: { id: gone }, unassigned: [] }])
  })

  it('emails the owner the bookings that need a host, once, and nothing without any', async () => {
    const { key, id, members, leave } = await hosted(2)
    const { body } = await book(id, SLOT)
    const idle = members.find((member) => member !== hostOf(body))!
    const toOwner = async () =>
      (await call('GET', '/v1/test-data/outbox?limit=100', { key })).body.data.filter(
        ({ to, subject }: any) => to === 'owner@example.com' && subject.includes('a host'),
      )
    await leave(idle)
    expect(await toOwner()).toEqual([])
    await leave(hostOf(body))
    const [letter, ...more] = await toOwner()
    expect(more).toEqual([])
    expect(letter.subject).toContain('1 booking needs a host')
    expect(letter.body).toContain('Intro call · Ada Lovelace')
  })

  it('emails the owner nothing if the owner removed the member, however that was done', async () => {
    const { organization, key, id, members, leave } = await hosted(3)
    const base = `/v1/organizations/${organization.id}/members`
    const owner = (await call('GET', base, { key: organization.liveKey })).body.data.find(
      ({ role }: any) => role === 'owner',
    )
    const letters = async () =>
      (await call('GET', '/v1/test-data/outbox?limit=100', { key })).body.data.filter(
        ({ to, subject }: any) => to === 'owner@example.com' && subject.includes('a host'),
      ).length
    const headers = { 'X-Org-Id': organization.id, 'X-User-Id': owner.user_id }
    const { body: one } = await bookAsAnother(id, SLOT)
    await callAsService('DELETE', `${base}/${hostOf(one)}`, { headers })
    const { body: two } = await bookAsAnother(id, SLOT + HOUR_MS)
    const browser = await enter(organization)
    const page = await browser.visit(`/console/team/${hostOf(two)}`)
    expect((await browser.send(page, '/remove', { bookings: '' })).status).toBe(303)
    expect(await letters()).toBe(0)
    const { body: three } = await bookAsAnother(id, SLOT + 2 * HOUR_MS)
    expect(members).toContain(hostOf(three))
    await leave(hostOf(three))
    expect(await letters()).toBe(1)
  })

  it('keeps a collective meeting with those who stay', async () => {
    const { id, members, leave, read, events } = await hosted(2, { assignment_strategy: 'none' })
    const { body } = await book(id, SLOT)
    const [first, second] = members as [string, string]
    expect(hostOf(body)).toBe(first)
    await leave(first)
    expect(await read(body.id)).toMatchObject({ needs_host: false, assigned_host: { member_id: second } })
    expect((await events())[0].unassigned).toEqual([])
    await leave(second)
    expect(await read(body.id)).toMatchObject({ needs_host: true, assigned_host: null })
  })

  it('lets the next move give the booking to another host', async () => {
    const { organization, key, id, leave, read } = await hosted(1)
    const { body } = await book(id, SLOT)
    await leave(hostOf(body))
    const { id: other } = await createMember(organization)
    await addHost(key, id, other)
    const to = { new_start_time: iso(SLOT + HOUR_MS) }
    const moved = await call('POST', `/v1/bookings/${body.id}/reschedule`, { key, body: to })
    expect(moved.body).toMatchObject({ needs_host: false, assigned_host: { member_id: other } })
    expect(await read(body.id)).toMatchObject({ needs_host: false })
  })

  it('gives a session a host again when the next invitee joins it', async () => {
    const { organization, key, id, leave, read } = await hosted(1, { max_attendees: 5 })
    const { body } = await book(id, SLOT)
    await leave(hostOf(body))
    expect(await read(body.id)).toMatchObject({ needs_host: true })
    const { id: other } = await createMember(organization)
    await addHost(key, id, other)
    const { body: joined } = await bookAsAnother(id, SLOT)
    expect([hostOf(joined), joined.session_id]).toEqual([other, body.session_id])
    expect(await read(body.id)).toMatchObject({ needs_host: false, assigned_host: { member_id: other } })
  })

  it('answers replies of an invitee to the owner from then on', async () => {
    const { key, id, leave } = await hosted(1)
    const { body } = await book(id, SLOT)
    await leave(hostOf(body))
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    const letters = await lettersTo(key, 'ada@example.com', 2)
    expect(letters[1]!.reply_to).toBe('owner@example.com')
  })

  it('loses no booking that is made in the same moment', async () => {
    const { id, members, leave } = await hosted(2)
    const [gone] = members as [string]
    const starts = Array.from({ length: 12 }, (_, at) => SLOT + at * HOUR_MS)
    const [, ...made] = await Promise.all([leave(gone), ...starts.map((start) => bookAsAnother(id, start))])
    expect(made.map(({ status }) => status)).toEqual(starts.map(() => 201))
    const { results } = await env.DB.prepare(
      'SELECT needs_host, assigned_host_id FROM bookings WHERE event_type_id = ?',
    )
      .bind(id)
      .all<{ needs_host: number; assigned_host_id: string | null }>()
    for (const row of results) {
      expect(row.assigned_host_id).not.toBe(gone)
      expect(row.needs_host).toBe(row.assigned_host_id === null ? 1 : 0)
    }
  })
})

describe('removing a member with bookings=reassign', () => {
  const removeAs = (of: Awaited<ReturnType<typeof hosted>>, memberId: string, query: string) =>
    callAsService('DELETE', `/v1/organizations/${of.organization.id}/members/${memberId}?${query}`, {
      headers: { 'X-Org-Id': of.organization.id },
    })

  it('gives each booking to another free host and returns those that need one', async () => {
    const made = await hosted(2)
    const { key, id, members, read, events } = made
    const { body: one } = await bookAsAnother(id, SLOT)
    const { body: two } = await bookAsAnother(id, SLOT)
    const { body: free } = await bookAsAnother(id, SLOT + HOUR_MS)
    const gone = hostOf(free)
    const other = members.find((member) => member !== gone)!
    const busy = hostOf(one) === gone ? one : two
    const dry = await removeAs(made, gone, 'bookings=reassign&dry_run=true')
    const expected = { reassigned: [free.id], unassigned: [busy.id] }
    expect([dry.status, dry.body]).toEqual([200, expected])
    expect(hostOf(await read(free.id))).toBe(gone)
    const removed = await removeAs(made, gone, 'bookings=reassign')
    expect([removed.status, removed.body]).toEqual([200, expected])
    expect(await read(free.id)).toMatchObject({
      assigned_host: { member_id: other },
      reassigned_by: { type: 'service' },
      needs_host: false,
    })
    expect(await read(busy.id)).toMatchObject({ assigned_host: null, needs_host: true })
    expect((await events())[0].unassigned).toEqual([busy.id])
    const { body: feed } = await call('GET', '/v1/events?limit=100', { key })
    expect(feed.data.filter(({ event }: any) => event === 'booking.reassigned')).toHaveLength(1)
  })

  it('gives a session as a whole', async () => {
    const made = await hosted(2, { max_attendees: 5 })
    const [first, second] = [await bookAsAnother(made.id, SLOT), await bookAsAnother(made.id, SLOT)]
    const gone = hostOf(first.body)
    const removed = await removeAs(made, gone, 'bookings=reassign')
    expect(removed.body.reassigned.sort()).toEqual([first.body.id, second.body.id].sort())
    for (const { id } of [first.body, second.body]) expect(hostOf(await made.read(id))).not.toBe(gone)
  })

  it.each(['?bookings=reassign', ''])(
    'answers the same key as before, with the query “%s”',
    async (query) => {
      const { organization, id, events } = await hosted(2)
      const { body: booked } = await bookAsAnother(id, SLOT)
      const gone = hostOf(booked)
      const path = `/v1/organizations/${organization.id}/members/${gone}`
      const headers = { 'X-Org-Id': organization.id, 'Idempotency-Key': unique('leave') }
      const first = await callAsService('DELETE', `${path}${query}`, { headers })
      expect(first.status).toBe(query === '' ? 204 : 200)
      if (query !== '') expect(first.body).toEqual({ reassigned: [booked.id], unassigned: [] })
      const again = await callAsService('DELETE', `${path}${query}`, { headers })
      expect([again.status, again.body]).toEqual([first.status, first.body])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(await events()).toHaveLength(1)
      const other = await callAsService('DELETE', `${path}?dry_run=true`, { headers })
      expect(other.status).toBe(404)
      const otherwise = await callAsService('DELETE', query === '' ? `${path}?bookings=reassign` : path, {
        headers,
      })
      expect(otherwise.status).toBe(409)
    },
  )

  it('is 400 with another value, and removes nobody', async () => {
    const made = await hosted(1)
    const refused = await removeAs(made, made.members[0]!, 'bookings=cancel')
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([400, ['bookings']])
    expect((await made.list(made.members[0]!)).status).toBe(200)
  })
})
