import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { findContacts } from '../../src/booking/bookings/clients/find-contacts.ts'
import { keepWords } from '../../src/booking/bookings/search/keep-words.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { call, type Json } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { tableOf } from '../support/tables.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const iso = (instant: number) => new Date(instant).toISOString()

async function world(input: Json = {}, mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id: eventTypeId } = await createEventType(key, input)
  let hour = 0
  const bookFor = async (invitee_email: string | null, name: string, more: Json = {}) => {
    const body = {
      event_type_id: eventTypeId,
      start_time: iso(SLOT + hour++ * HOUR_MS),
      invitee_name: name,
      invitee_email,
      ...more,
    }
    const made = await call('POST', '/v1/bookings', { key, body })
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    return made.body
  }
  const client = (contact: string) => call('GET', `/v1/clients/${contact}`, { key })
  const list = async (query = '') => (await call('GET', `/v1/clients${query}`, { key })).body
  const names = async (query = '') => (await list(query)).data.map(({ name }: Json) => name)
  return { ...organization, key, eventTypeId, bookFor, client, list, names }
}

describe('a client', () => {
  it('is there as soon as they booked, with their bookings, in lower case and with the tag of their address', async () => {
    const { bookFor, client, key } = await world()
    const first = await bookFor('Ada+Work@Example.com', 'Ada', { invitee_phone: '+4930901820' })
    expect((await client('ada+work@example.com')).body).toEqual({
      id: expect.any(String),
      email: 'ada+work@example.com',
      name: 'Ada',
      phone: '+4930901820',
      bookings: 1,
      cancelled: 0,
      last: null,
      next: first.start_time,
      no_shows: 0,
      notes: null,
    })
    const second = await bookFor('ada+work@example.com', 'Ada Lovelace')
    expect((await client('ADA%2Bwork@example.COM')).body).toMatchObject({
      name: 'Ada Lovelace',
      phone: '+4930901820',
      bookings: 2,
      next: first.start_time,
    })
    await call('POST', `/v1/bookings/${first.id}/cancel`, { key, body: {} })
    expect((await client('ada+work@example.com')).body).toMatchObject({
      bookings: 1,
      cancelled: 1,
      next: second.start_time,
    })
    expect((await client('ada@example.com')).status).toBe(404)
  })

  it('follows moves, corrected addresses and names', async () => {
    const { bookFor, client, key, names } = await world()
    const { id } = await bookFor('one@example.com', 'Ada')
    const start = iso(SLOT + 20 * HOUR_MS)
    await call('POST', `/v1/bookings/${id}/reschedule`, { key, body: { new_start_time: start } })
    expect((await client('one@example.com')).body).toMatchObject({ bookings: 1, next: start })
    const body = { invitee_email: 'two@example.com', invitee_name: 'Grace' }
    expect((await call('PATCH', `/v1/bookings/${id}`, { key, body })).status).toBe(200)
    expect((await client('one@example.com')).status).toBe(404)
    expect((await client('two@example.com')).body).toMatchObject({ name: 'Grace', bookings: 1, next: start })
    expect([await names('?q=ada'), await names('?q=grace')]).toEqual([[], ['Grace']])
  })

  it('is found by name without a booking, because something was noted about them', async () => {
    const { bookFor, key, names } = await world()
    const { id } = await bookFor('one@example.com', 'Ada')
    await call('PATCH', '/v1/clients/one@example.com', { key, body: { notes: 'Prefers tea' } })
    const body = { invitee_email: 'two@example.com', invitee_name: 'Grace' }
    await call('PATCH', `/v1/bookings/${id}`, { key, body })
    expect(await names('?sort=name&q=example')).toEqual(['Ada', 'Grace'])
    expect(await names('?q=ada')).toEqual(['Ada'])
  })

  it('is named after another booking, and found by that name, when the newest one is given to somebody else', async () => {
    const { bookFor, client, key, names } = await world()
    await bookFor('one@example.com', 'Ada Adams')
    const { id } = await bookFor('one@example.com', 'Grace Grant')
    expect(await names('?q=grant')).toEqual(['Grace Grant'])
    const body = { invitee_email: 'two@example.com' }
    expect((await call('PATCH', `/v1/bookings/${id}`, { key, body })).status).toBe(200)
    expect(await names('?sort=name&q=example')).toEqual(['Ada Adams', 'Grace Grant'])
    expect([await names('?q=adams'), await names('?q=grant')]).toEqual([['Ada Adams'], ['Grace Grant']])
    expect((await client('one@example.com')).body).toMatchObject({ name: 'Ada Adams', bookings: 1 })
  })

  it('may have a phone number only, and is found by it', async () => {
    const { bookFor, client } = await world()
    await bookFor(null, 'Ada', { invitee_phone: '+4930901820' })
    await bookFor(null, 'Ada', { invitee_phone: '+4930901820' })
    await bookFor('grace@example.com', 'Grace', { invitee_phone: '+4930901821' })
    expect((await client('%2B4930901820')).body).toMatchObject({
      email: null,
      name: 'Ada',
      phone: '+4930901820',
      bookings: 2,
    })
    expect((await client('+4930901821')).body).toMatchObject({ email: 'grace@example.com' })
    expect((await client('+4930901822')).status).toBe(404)
  })

  it('has a last and a next booking as of the clock of the mode, also if that goes back', async () => {
    const { bookFor, client, key } = await world({}, 'test')
    const [first, second] = [await bookFor('ada@example.com', 'Ada'), await bookFor('ada@example.com', 'Ada')]
    const at = async (now: number) => {
      expect((await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })).status).toBe(200)
      const { last, next } = (await client('ada@example.com')).body
      return [last, next]
    }
    const start = Date.parse(first.start_time)
    expect(await at(start - 1)).toEqual([null, first.start_time])
    expect(await at(start)).toEqual([first.start_time, second.start_time])
    expect(await at(start + 2 * HOUR_MS)).toEqual([second.start_time, null])
    expect(await at(start - HOUR_MS)).toEqual([null, first.start_time])
    const attendance = { no_shows: [first.attendees[0].id] }
    await at(start + 2 * HOUR_MS)
    expect(
      (await call('POST', `/v1/bookings/${first.id}/attendance`, { key, body: attendance })).status,
    ).toBe(200)
    expect((await client('ada@example.com')).body.no_shows).toBe(1)
  })

  it('is nobody who only came along', async () => {
    const { bookFor, client } = await world({ max_guests: 2, max_attendees: 3 })
    await bookFor('ada@example.com', 'Ada', {
      guests: [{ email: 'guest@example.com' }],
      attendees: [{ name: 'Eve', email: 'eve@example.com' }],
    })
    expect((await client('guest@example.com')).status).toBe(404)
    expect((await client('eve@example.com')).status).toBe(404)
  })
})

describe('the list of clients', () => {
  it('is sorted, paginated in both directions and searched', async () => {
    const { bookFor, list, names, key } = await world()
    await bookFor('c@example.com', 'Cleo Dane')
    await bookFor('a@example.com', 'ada Byron')
    await bookFor('b@example.org', 'Bob Dane')
    await bookFor('b@example.org', 'Bob Dane')
    expect(await names('?sort=name')).toEqual(['ada Byron', 'Bob Dane', 'Cleo Dane'])
    expect(await names('?sort=next')).toEqual(['Cleo Dane', 'ada Byron', 'Bob Dane'])
    expect((await names('?sort=bookings'))[0]).toBe('Bob Dane')
    expect(await names()).toHaveLength(3)
    const first = await list('?sort=name&limit=1')
    expect([first.has_more, first.data[0].email]).toEqual([true, 'a@example.com'])
    const rest = await list(`?sort=name&starting_after=${first.data[0].id}`)
    expect([rest.has_more, rest.data.map(({ name }: Json) => name)]).toEqual([
      false,
      ['Bob Dane', 'Cleo Dane'],
    ])
    const before = await list(`?sort=name&limit=1&ending_before=${rest.data[1].id}`)
    expect([before.has_more, before.data[0].name]).toEqual([true, 'Bob Dane'])
    expect(await names('?sort=name&q=dan')).toEqual(['Bob Dane', 'Cleo Dane'])
    expect(await names('?sort=name&q=ex BYR'.replace(' ', '%20'))).toEqual(['ada Byron'])
    expect(await names('?q=yron')).toEqual([])
    expect(await names(`?sort=name&q=dane&starting_after=${before.data[0].id}`)).toEqual(['Cleo Dane'])
    for (const [query, field] of [
      ['sort=age', 'sort'],
      ['q=-', 'q'],
      ['starting_after=nobody', 'starting_after'],
    ]) {
      const { status, body } = await call('GET', `/v1/clients?${query}`, { key })
      expect([query, status, Object.keys(body.error.details)]).toEqual([query, 400, [field]])
    }
  })

  it('sorts names without accents, and anew those that an earlier version sorted otherwise', async () => {
    const { id, bookFor, list, names } = await world()
    const sorted = ['!', 'änne Zahn', 'Anne-Zoe', 'Berta', 'Łukasz', 'Lydia', 'Østergård', 'Otto', '王 伟']
    for (const [at, name] of [...sorted].reverse().entries()) await bookFor(`p${at}@example.com`, name)
    expect(await names('?sort=name')).toEqual(sorted)
    await env.DB.batch([
      env.DB.prepare('UPDATE clients SET sort_name = lower(name) WHERE organization_id = ?').bind(id),
      env.DB.prepare('UPDATE booking_searches SET version = 1 WHERE organization_id = ?').bind(id),
    ])
    const paged: string[] = []
    for (let after = ''; ; ) {
      const { data, has_more } = await list(`?sort=name&limit=2${after}`)
      paged.push(...data.map(({ name }: Json) => name))
      if (!has_more) break
      after = `&starting_after=${data.at(-1).id}`
    }
    expect(paged).toEqual(sorted)
  })

  it('is searched by the words of bookings, along its order if many clients may have them', async () => {
    const { id, eventTypeId, names, bookFor, list } = await world()
    const MANY = 1_200
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO bookings (organization_id, is_test, id, event_type_id, status, start_time, end_time,
          invitee_name, invitee_email, invitee_timezone, metadata, attendees, created_at, updated_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
        SELECT ?, 0, printf('%08x-%04x-7000-8000-%012x', 26000001, i, i), ?, 'cancelled', i * 1800000, (i + 1) * 1800000,
          'Eve ' || iif(i % 400 = 0, 'Rare', 'Common') || ' ' || printf('N%04d', i), 'p' || i || '@example.com', 'UTC', '{}', '[]', 1, 1
        FROM n`).bind(id, eventTypeId),
      env.DB.prepare(`INSERT INTO booking_searches VALUES (?, 0, 0, '', 0)`).bind(id),
    ])
    const { env: own, ran } = countedEnv()
    await keepWords(own, openDb(own, 'decide'), { organizationId: id, isTest: false })
    const sum = (of: 'read' | 'written') => ran.reduce((all, each) => all + each[of], 0)
    // Each client with five indexes, and what was counted of their booking with one; the words of 200 bookings share rows.
    expect(sum('written')).toBeLessThan(8 * MANY + 400)
    await bookFor('last@example.com', 'Zoe Rare')
    expect(await names('?sort=name&q=rare')).toEqual([
      ...[400, 800, 1200].map((at) => `Eve Rare N${String(at).padStart(4, '0')}`),
      'Zoe Rare',
    ])
    ran.length = 0
    await bookFor('last@example.com', 'Zoe Rare')
    await keepWords(own, openDb(own, 'decide'), { organizationId: id, isTest: false })
    // A known client with three indexes, for the name is the same; what was counted, five beginnings, and how far it got.
    expect(sum('written')).toBe(4 + 2 + 5 + 1)
    const common = await list('?sort=name&q=eve%20common&limit=3')
    expect(common.data.map(({ name }: Json) => name)).toEqual([1, 2, 3].map((at) => `Eve Common N000${at}`))
    const next = await list(`?sort=name&q=eve%20common&limit=1&starting_after=${common.data[2].id}`)
    expect(next.data[0].name).toBe('Eve Common N0004')
    ran.length = 0
    expect(
      await findContacts(openDb(own, 'decide'), { organizationId: id, isTest: false }, ['rare']),
    ).toHaveLength(4)
    expect(sum('read')).toBeLessThan(20)
    expect(
      await findContacts(openDb(own, 'decide'), { organizationId: id, isTest: false }, ['eve']),
    ).toBeNull()
  }, 60_000)

  it('has the clients of one organization and mode', async () => {
    const { bookFor, testKey } = await world()
    await bookFor('ada@example.com', 'Ada')
    const other = await createOrganization()
    for (const key of [testKey, other.liveKey]) {
      expect((await call('GET', '/v1/clients', { key })).body.data).toEqual([])
      expect((await call('GET', '/v1/clients/ada@example.com', { key })).status).toBe(404)
    }
  })

  it('counts bookings that came without events, and those of a client at once while others are counted', async () => {
    const { id, eventTypeId, bookFor, client, names } = await world()
    for (const name of ['Ada', 'Ada', 'Ada']) await bookFor('ada@example.com', name)
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO bookings (organization_id, is_test, id, event_type_id, status, start_time, end_time,
          invitee_name, invitee_email, invitee_timezone, metadata, attendees, created_at, updated_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4300)
        SELECT ?, 0, printf('%08x-%04x-7000-8000-%012x', 26000000, i, i), ?, 'cancelled', i * 1800000, (i + 1) * 1800000,
          'Eve', 'eve@example.com', 'UTC', '{}', '[]', 1, 1 FROM n`).bind(id, eventTypeId),
      env.DB.prepare('DELETE FROM events WHERE organization_id = ?').bind(id),
      env.DB.prepare(`INSERT INTO booking_searches VALUES (?, 0, 0, '', 0)`).bind(id),
    ])
    expect((await client('ada@example.com')).body.bookings).toBe(3)
    const [search] = await tableOf('booking_searches', id)
    expect(search?.filled_to).toEqual(expect.any(String))
    expect((await client('eve@example.com')).body).toMatchObject({ bookings: 0, cancelled: 4300 })
    expect(await names('?sort=name')).toEqual(['Ada', 'Eve'])
    expect((await client('ada@example.com')).body.bookings).toBe(3)
  }, 60_000)
})

describe('notes about a client', () => {
  it('are sealed, logged without their words, and hidden from viewers', async () => {
    const organization = await world()
    const { id, key, bookFor, client } = organization
    await bookFor('ada@example.com', 'Ada')
    const path = '/v1/clients/ada@example.com'
    const changed = await call('PATCH', path, { key, body: { notes: 'Prefers tea' } })
    expect([changed.status, changed.body.notes]).toEqual([200, 'Prefers tea'])
    expect((await client('ada@example.com')).body.notes).toBe('Prefers tea')
    expect(JSON.stringify(await tableOf('clients', id))).not.toContain('tea')
    const { data } = (await call('GET', '/v1/activity?action=client.updated', { key })).body
    expect(data).toMatchObject([{ resource_type: 'client', resource_id: changed.body.id }])
    expect(JSON.stringify(data)).not.toContain('tea')
    await call('PATCH', path, { key, body: { notes: 'Prefers tea' } })
    await call('PATCH', path, { key, body: {} })
    expect((await call('GET', '/v1/activity?action=client.updated', { key })).body.data).toHaveLength(1)
    const long = await call('PATCH', path, { key, body: { notes: 'x'.repeat(10_001) } })
    expect([long.status, Object.keys(long.body.error.details)]).toEqual([400, ['notes']])
    expect((await call('PATCH', path, { key, body: { notes: '' } })).body.notes).toBeNull()
    expect((await call('PATCH', '/v1/clients/eve@example.com', { key, body: { notes: 'x' } })).status).toBe(
      404,
    )
  })

  it('are exported and erased with the person, and others are kept without their address', async () => {
    const { id, key, bookFor, client, names } = await world()
    await bookFor('ada@example.com', 'Ada Lovelace', { invitee_phone: '+4930901820' })
    await bookFor('grace@example.com', 'Grace')
    await call('PATCH', '/v1/clients/ada@example.com', { key, body: { notes: 'Prefers tea' } })
    await call('PATCH', '/v1/clients/grace@example.com', { key, body: { notes: 'Via Ada@example.com.' } })
    const exported = (await call('GET', '/v1/people/ada@example.com', { key })).body
    expect(exported.client).toMatchObject({ email: 'ada@example.com', notes: 'Prefers tea', bookings: 1 })
    const erased = await call('DELETE', '/v1/people/ADA@example.com', { key })
    expect([erased.status, erased.body.erased.clients]).toEqual([200, 2])
    expect((await client('ada@example.com')).status).toBe(404)
    expect(await names()).toEqual(['Grace'])
    expect((await client('grace@example.com')).body.notes).toBe('Via [erased].')
    for (const table of ['clients', 'client_bookings', 'client_words']) {
      expect([table, JSON.stringify(await tableOf(table, id)).includes('ada')]).toEqual([table, false])
    }
  })

  it('are erased by phone number', async () => {
    const { key, bookFor, client, names } = await world()
    await bookFor(null, 'Ada', { invitee_phone: '+4930901820' })
    await call('PATCH', '/v1/clients/+4930901820', { key, body: { notes: 'Prefers tea' } })
    const erased = await call('DELETE', '/v1/people/+4930901820', { key })
    expect([erased.status, erased.body.erased.clients]).toEqual([200, 1])
    expect((await client('+4930901820')).status).toBe(404)
    expect(await names()).toEqual([])
  })
})
