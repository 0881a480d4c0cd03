import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ActivityEntry } from '../../src/outbox/activity/schema.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  unique,
} from '../support/factories.ts'

const NOWHERE = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'

async function log(key: string, query = ''): Promise<ActivityEntry[]> {
  const { status, body } = await call('GET', `/v1/activity${query}`, { key })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}

function newEventType(key: string, input: Record<string, unknown> = {}, headers = {}) {
  return call('POST', '/v1/event-types', {
    key,
    headers,
    body: { title: 'Intro call', slug: unique('intro'), duration_minutes: 30, ...input },
  })
}

describe('the activity log', () => {
  it('records who made a change, from where, in which request', async () => {
    const organization = await createOrganization()
    const { id: keyId, key } = await createKey(organization.id)
    const created = await newEventType(key, { slug: 'intro' }, { 'CF-Connecting-IP': '192.0.2.7' })
    const [entry] = await log(key)
    expect(ActivityEntry.parse(entry)).toEqual(entry)
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      actor_type: 'api_key',
      actor_id: keyId,
      action: 'event_type.created',
      resource_type: 'event_type',
      resource_id: created.body.id,
      changes: { title: 'Intro call', slug: 'intro' },
      ip_address: '192.0.2.7',
      request_id: created.headers.get('X-Request-Id'),
      is_test: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('names the user behind the service key, the invitee and the service', async () => {
    const organization = await createOrganization()
    const { body: eventType } = await callAsService('POST', '/v1/event-types', {
      headers: { 'X-Org-Id': organization.id, 'X-User-Id': organization.ownerUserId },
      body: { title: 'Intro call', slug: 'intro', duration_minutes: 30 },
    })
    await call('PUT', `/v1/event-types/${eventType.id}/availability`, {
      key: organization.liveKey,
      body: {
        rules: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
          day_of_week,
          start_time: '00:00',
          end_time: '24:00',
        })),
      },
    })
    await book(eventType.id, dayFromNow(2))
    const entries = await log(organization.liveKey)
    const actors = Object.fromEntries(
      entries.map(({ action, actor_type, actor_id }) => [action, [actor_type, actor_id]]),
    )
    expect(actors).toMatchObject({
      'event_type.created': ['user', organization.ownerUserId],
      'booking.created': ['invitee', null],
      'organization.created': ['service', null],
    })
  })

  it('is read in pages, newest first', async () => {
    const { liveKey } = await createOrganization()
    const slugs: string[] = []
    for (let at = 0; at < 5; at++) {
      const { body } = await newEventType(liveKey)
      slugs.unshift(body.slug)
    }
    const read: ActivityEntry[] = []
    let hasMore = true
    while (hasMore) {
      const after = read.at(-1)
      const query = `?action=event_type.created&limit=2${after ? `&starting_after=${after.id}` : ''}`
      const { body } = await call('GET', `/v1/activity${query}`, { key: liveKey })
      expect(body.data.length).toBeLessThanOrEqual(2)
      read.push(...body.data)
      hasMore = body.has_more
    }
    expect(read.map(({ changes }) => changes!.slug)).toEqual(slugs)
  })

  it('has live bookings among all other entries, in one order and in pages of any size', async () => {
    const { id: organizationId, liveKey: key } = await createOrganization()
    const eventType = await createEventType(key)
    const asking = await createEventType(key, { requires_approval: true })
    const bookings: string[] = []
    for (let at = 0; at < 7; at++) {
      const { body } = await book(eventType.id, dayFromNow(2) + at * 3_600_000)
      bookings.push(body.id)
      if (at % 3 === 0) await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
      if (at % 2 === 0) await book(asking.id, dayFromNow(3) + at * 3_600_000)
    }
    // Made before a booking could be its own entry.
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO activity SELECT id, organization_id, 0, 'invitee', NULL, 'booking.created', 'booking', id,
           log_entry -> 'changes', log_entry ->> 'ip_address', log_entry ->> 'request_id', created_at FROM bookings WHERE id IN (?, ?)`,
      ).bind(bookings[1], bookings[4]),
      env.DB.prepare('UPDATE bookings SET log_entry = NULL WHERE id IN (?, ?)').bind(
        bookings[1],
        bookings[4],
      ),
    ])
    const whole = await log(key, '?limit=100')
    expect(whole.map(({ id }) => id)).toEqual(
      whole
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )
    const created = whole.filter(({ action }) => action === 'booking.created')
    expect(created.map(({ resource_id }) => resource_id)).toEqual(bookings.toReversed())
    for (const entry of created) {
      expect(ActivityEntry.parse(entry)).toMatchObject({
        actor_type: 'invitee',
        changes: { status: 'confirmed', start_time: expect.any(String), end_time: expect.any(String) },
        ip_address: expect.any(String),
        request_id: expect.any(String),
      })
    }
    const { results } = await env.DB.prepare(
      "SELECT id FROM activity WHERE organization_id = ? AND action = 'booking.created'",
    )
      .bind(organizationId)
      .all()
    expect(results).toHaveLength(2)
    for (const filter of [
      '',
      'action=booking.created',
      'action=booking.created,booking.cancelled',
      'resource_type=booking',
    ]) {
      const meant = (await log(key, `?limit=100&${filter}`)).map(({ id }) => id)
      for (const [order, inOrder] of [
        ['desc', meant],
        ['asc', meant.toReversed()],
      ] as const) {
        for (const limit of [1, 2, 5]) {
          const read: string[] = []
          for (let hasMore = true; hasMore; ) {
            const after = read.length > 0 ? `&starting_after=${read.at(-1)}` : ''
            const { body } = await call(
              'GET',
              `/v1/activity?${filter}&order=${order}&limit=${limit}${after}`,
              { key },
            )
            read.push(...body.data.map(({ id }: ActivityEntry) => id))
            hasMore = body.has_more
          }
          expect([filter, order, limit, read]).toEqual([filter, order, limit, inOrder])
        }
      }
    }
    const [entry] = await log(key, `?resource_id=${bookings[2]!.toUpperCase()}&action=booking.created`)
    expect(entry!.id).toBe(bookings[2])
    expect((await log(key, `?resource_id=${bookings[3]}`)).map(({ action }) => action)).toEqual([
      'booking.cancelled',
      'booking.created',
    ])
    expect(await log(key, `?resource_id=${bookings[2]}&action=booking.cancelled`)).toEqual([])
    const neighbour = await createOrganization()
    expect(await log(neighbour.liveKey, `?resource_id=${bookings[2]}`)).toEqual([])
  })

  it('is filtered by action, resource type and resource, alone and together', async () => {
    const { liveKey: key } = await createOrganization()
    const eventType = await createEventType(key)
    const other = await createEventType(key)
    await call('PATCH', `/v1/event-types/${eventType.id}`, { key, body: { title: 'Renamed' } })
    await book(eventType.id, dayFromNow(2))
    const told = async (query: string) =>
      (await log(key, query)).map(({ action, resource_id }) => [action, resource_id])
    expect(await told('?action=event_type.updated')).toEqual([['event_type.updated', eventType.id]])
    expect(await told(`?resource_id=${other.id}&action=event_type.created`)).toEqual([
      ['event_type.created', other.id],
    ])
    expect(await told(`?resource_id=${eventType.id.toUpperCase()}`)).toEqual(
      await told(`?resource_id=${eventType.id}`),
    )
    expect((await told('?resource_type=booking')).map(([action]) => action)).toEqual(['booking.created'])
    for (const query of [
      '?action=event_type.exploded',
      '?resource_type=hold',
      `?resource_id=${NOWHERE}`,
      '?action=event_type.updated&resource_type=booking',
    ]) {
      expect(await log(key, query)).toEqual([])
    }
    const several = await told('?action=event_type.updated,booking.created')
    expect(several.map(([action]) => action)).toEqual(['booking.created', 'event_type.updated'])
    const among = await told(`?resource_id=${eventType.id}&action=booking.created,event_type.updated`)
    expect(among).toEqual([['event_type.updated', eventType.id]])
    for (const wrong of ['event_type', 'event_type.updated,', 'Event Type.updated']) {
      const { status, body } = await call('GET', `/v1/activity?action=${wrong}`, { key })
      expect([wrong, status, Object.keys(body.error?.details ?? {})]).toEqual([wrong, 400, ['action']])
    }
    const unknown = await call('GET', '/v1/activity?resource_type=bookings', { key })
    expect([unknown.status, Object.keys(unknown.body.error?.details ?? {})]).toEqual([400, ['resource_type']])
    const malformed = await call('GET', '/v1/activity?resource_id=nope', { key })
    expect([malformed.status, malformed.body.error.code]).toEqual([404, 'not_found'])
  })

  it('refuses invalid pages and cursors', async () => {
    const { liveKey } = await createOrganization()
    const neighbour = await createOrganization()
    await newEventType(neighbour.liveKey)
    const [theirs] = await log(neighbour.liveKey)
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=many', 'limit'],
      ['starting_after=nope', 'starting_after'],
      [`starting_after=${NOWHERE}`, 'starting_after'],
      [`starting_after=${theirs!.id}`, 'starting_after'],
    ]) {
      const { status, body } = await call('GET', `/v1/activity?${query}`, { key: liveKey })
      expect([query, status, body.error.code]).toEqual([query, 400, 'validation_error'])
      expect(body.error.details).toHaveProperty(field!)
    }
  })

  it('keeps organizations and modes apart', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { body: live } = await newEventType(organization.liveKey)
    const { body: test } = await newEventType(organization.testKey)
    const idsOf = async (key: string) => (await log(key)).map(({ resource_id }) => resource_id)
    const [inLive, inTest] = [await idsOf(organization.liveKey), await idsOf(organization.testKey)]
    expect([inLive.includes(live.id), inLive.includes(test.id)]).toEqual([true, false])
    expect([inTest.includes(live.id), inTest.includes(test.id)]).toEqual([false, true])
    expect((await log(organization.testKey)).map(({ is_test }) => is_test)).not.toContain(false)
    const theirs = await idsOf(neighbour.liveKey)
    expect(theirs).not.toContain(live.id)
    expect(theirs).not.toContain(organization.id)
    const asService = await callAsService('GET', '/v1/activity', {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
    })
    expect(asService.body.data.map((entry: ActivityEntry) => entry.resource_id)).toEqual(inTest)
  })

  it('puts what the operator does into the live log', async () => {
    const organization = await createOrganization()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended: true } })
    const [entry] = await log(organization.liveKey, '?action=organization.updated')
    expect(entry).toMatchObject({ actor_type: 'service', actor_id: null, is_test: false })
    expect(await log(organization.testKey, '?action=organization.updated')).toEqual([])
  })

  it('reveals no secrets', async () => {
    const organization = await createOrganization()
    const { key } = await createKey(organization.id)
    const headers = { 'X-Org-Id': organization.id }
    const { body: invitation } = await callAsService(
      'POST',
      `/v1/organizations/${organization.id}/invitations`,
      { headers, body: { email: 'grace@example.com', role: 'member' } },
    )
    await callAsService('POST', '/v1/invitations/accept', {
      body: { token: invitation.token, user_id: unique('grace'), user_email: 'grace@example.com' },
    })
    const eventType = await createEventType(key)
    const { body: booking } = await book(eventType.id, dayFromNow(2))
    const { results } = await env.DB.prepare('SELECT * FROM activity WHERE organization_id = ?')
      .bind(organization.id)
      .all()
    const { results: booked } = await env.DB.prepare(
      'SELECT log_entry FROM bookings WHERE organization_id = ?',
    )
      .bind(organization.id)
      .all()
    const everything = JSON.stringify([results, booked, await log(key, '?limit=100')])
    expect(everything).toContain(booking.id)
    for (const secret of [key, organization.liveKey, invitation.token, booking.cancel_token]) {
      expect(secret).toMatch(/[\w-]{43}/)
      expect(everything).not.toContain(secret)
    }
  })

  it('holds no reads and refusals', async () => {
    const { liveKey: key } = await createOrganization()
    await newEventType(key, { slug: 'taken' })
    const before = await log(key)
    for (const [method, path, body] of [
      ['GET', '/v1/event-types', undefined],
      ['GET', '/v1/activity', undefined],
      ['GET', '/v1/usage', undefined],
      ['POST', '/v1/event-types', { title: 'x', slug: 'taken', duration_minutes: 30 }],
      ['POST', '/v1/event-types', { title: '' }],
      ['PATCH', '/v1/branding', { logo_url: 'http://localhost' }],
      ['DELETE', `/v1/event-types/${NOWHERE}`, undefined],
    ] as const) {
      await call(method, path, { key, ...(body && { body }) })
    }
    expect(await log(key)).toEqual(before)
  })
})
