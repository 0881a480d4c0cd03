import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepWords } from '../../src/booking/bookings/search/keep-words.ts'
import worker from '../../src/index.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { call, freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function idsOf(key: string, query: string): Promise<string[]> {
  const { status, body } = await call('GET', `/v1/bookings?${query}`, { key })
  expect([query, status]).toEqual([query, 200])
  return body.data.map(({ id }: { id: string }) => id)
}

async function wordsOf(organizationId: string): Promise<string> {
  const { results } = await env.DB.prepare('SELECT lines FROM booking_words WHERE organization_id = ?')
    .bind(organizationId)
    .all<{ lines: string }>()
  return results.map(({ lines }) => lines).join('')
}

async function bookAs(id: string, hours: number, name: string, email: string) {
  const { status, body } = await book(id, SLOT + hours * HOUR_MS, {
    invitee_name: name,
    invitee_email: email,
  })
  expect(status).toBe(201)
  return body.id as string
}

describe('a search of bookings', () => {
  it('finds a booking at once by the beginnings of words of its people, in any case and width', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { max_attendees: 3, max_guests: 2 })
    const ada = await bookAs(id, 4, 'Ada Lovelace', 'ada.lovelace@example.com')
    const edith = await bookAs(id, 1, 'Édith Ｏｄｄ', 'edith+x@example.org')
    await call('PATCH', `/v1/bookings/${edith}`, {
      key,
      body: { guests: [{ email: 'grace@hopper.test', name: 'Grace' }] },
    })
    for (const q of ['ada', 'LOVE', 'ad lov', 'lovelace example com', 'ada.love']) {
      expect([q, await idsOf(key, `q=${encodeURIComponent(q)}`)]).toEqual([q, [ada]])
    }
    for (const q of ['édith', 'odd', 'grace hopper', 'édith grace', 'o é']) {
      expect([q, await idsOf(key, `q=${encodeURIComponent(q)}`)]).toEqual([q, [edith]])
    }
    expect(await idsOf(key, 'q=exam')).toEqual([edith, ada])
    expect(await idsOf(key, 'q=exam&sort=start_time')).toEqual([edith, ada])
    expect(await idsOf(key, 'q=exam&sort=start_time&order=desc')).toEqual([ada, edith])
    expect(await idsOf(key, 'q=velace')).toEqual([])
    expect(await idsOf(key, 'q=exam&status=cancelled')).toEqual([])
    expect(await idsOf(key, `q=exam&starting_after=${edith}`)).toEqual([ada])
    expect(await idsOf(key, `q=exam&ending_before=${ada}`)).toEqual([edith])
    expect(await idsOf(key, `q=exam&sort=start_time&starting_after=${edith}`)).toEqual([ada])
    expect(await idsOf(key, 'q=exam&limit=1')).toEqual([edith])
  })

  it('finds names with and without their marks, and one sign of a script in which that is a name', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const names = [
      'Änne Strauß',
      'Søren Łukasz',
      '王 伟',
      '김 민준',
      'Σωκράτης',
      'IŞIK',
      'がく ฉัน',
      'かく ฉน',
    ]
    const ids: string[] = []
    for (const [at, name] of names.entries()) ids.push(await bookAs(id, at, name, `person${at}@example.com`))
    const found = async (q: string) => {
      const all = await idsOf(key, `q=${encodeURIComponent(q)}`)
      const { body } = await call('GET', `/v1/clients?q=${encodeURIComponent(q)}`, { key })
      const shown = body.data.map((one: { name: string }) => one.name)
      expect([q, all.map((one) => names[ids.indexOf(one)]).sort()]).toEqual([q, shown.sort()])
      return shown
    }
    for (const q of ['anne', 'ÄNNE', 'Änne', 'a\u0308nne', 'strauss', 'STRAUSS', 'strauß']) {
      expect([q, await found(q)]).toEqual([q, ['Änne Strauß']])
    }
    for (const q of ['soren', 'sør', 'lukasz', 'ŁUK'])
      expect([q, await found(q)]).toEqual([q, ['Søren Łukasz']])
    for (const q of ['王', '伟', '王 伟']) expect([q, await found(q)]).toEqual([q, ['王 伟']])
    for (const q of ['김', '민']) expect([q, await found(q)]).toEqual([q, ['김 민준']])
    for (const q of ['σωκρατης', 'ΣΩΚΡΑΤΗΣ', 'σωκρατησ', 'σωκ'])
      expect([q, await found(q)]).toEqual([q, ['Σωκράτης']])
    for (const q of ['isik', 'ışık', 'IŞI']) expect([q, await found(q)]).toEqual([q, ['IŞIK']])
    expect([await found('が'), await found('ฉัน')]).toEqual([['がく ฉัน'], ['がく ฉัน']])
    expect([await found('か'), await found('ฉน')]).toEqual([['かく ฉน'], ['かく ฉน']])
  })

  it('writes words of an earlier version anew', async () => {
    const { liveKey: key, id: organizationId } = await createOrganization()
    const { id } = await createEventType(key)
    const booked = await bookAs(id, 1, 'Änne', 'one@example.com')
    expect(await idsOf(key, 'q=anne')).toEqual([booked])
    const change = (sql: string) => env.DB.prepare(sql).bind(organizationId).run()
    await change(`UPDATE booking_words SET lines = replace(lines, 'anne', 'änne') WHERE organization_id = ?`)
    await change(`UPDATE clients SET words = replace(words, 'anne', 'änne') WHERE organization_id = ?`)
    const found = async () => {
      const { body } = await call('GET', '/v1/clients?q=anne', { key })
      return [await idsOf(key, 'q=anne'), body.data.length]
    }
    expect(await found()).toEqual([[], 0])
    await change('UPDATE booking_searches SET version = 0 WHERE organization_id = ?')
    expect(await found()).toEqual([[booked], 1])
    expect(await wordsOf(organizationId)).not.toContain('änne')
  })

  it('follows moves, cancellations and corrections', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const [one, two] = [
      await bookAs(id, 1, 'Ada One', 'one@example.com'),
      await bookAs(id, 3, 'Ada Two', 'two@example.com'),
    ]
    expect(await idsOf(key, 'q=ada&sort=start_time')).toEqual([one, two])
    const moved = { new_start_time: new Date(SLOT + 5 * HOUR_MS).toISOString() }
    expect((await call('POST', `/v1/bookings/${one}/reschedule`, { key, body: moved })).status).toBe(200)
    expect(await idsOf(key, 'q=ada&sort=start_time')).toEqual([two, one])
    await call('PATCH', `/v1/bookings/${two}`, { key, body: { invitee_name: 'Grace Two' } })
    expect(await idsOf(key, 'q=ada')).toEqual([one])
    expect(await idsOf(key, 'q=grace')).toEqual([two])
    await call('POST', `/v1/bookings/${two}/cancel`, { key, body: {} })
    expect(await idsOf(key, 'q=grace&status=cancelled')).toEqual([two])
  })

  it('stays within an organization and a mode', async () => {
    const [organization, other] = [await createOrganization(), await createOrganization()]
    const { id } = await createEventType(organization.liveKey)
    await bookAs(id, 1, 'Ada One', 'one@example.com')
    for (const key of [organization.testKey, other.liveKey]) expect(await idsOf(key, 'q=ada')).toEqual([])
  })

  it('refuses a text without a word, and one that is too short', async () => {
    const { liveKey: key } = await createOrganization()
    for (const q of ['a', 'ø', '。', '--', '']) {
      const { status, body } = await call('GET', `/v1/bookings?q=${encodeURIComponent(q)}`, { key })
      expect([q, status, Object.keys(body.error?.details ?? {})]).toEqual([q, 400, ['q']])
    }
  })

  it('forgets the words of a person who is erased, and keeps those of others', async () => {
    const { liveKey: key, id: organizationId } = await createOrganization()
    const { id } = await createEventType(key, { max_attendees: 5 })
    const first = await bookAs(id, 1, 'Ada Lovelace', 'ada@lovelace.test')
    const { body } = await book(id, SLOT + 2 * HOUR_MS, {
      invitee_name: 'Grace Hopper',
      invitee_email: 'grace@hopper.test',
      attendees: [{ name: 'Ada Lovelace', email: 'ada@lovelace.test' }],
    })
    expect(await idsOf(key, 'q=lovelace')).toEqual([body.id, first])
    expect(await wordsOf(organizationId)).toContain('lovelace')
    expect((await call('DELETE', '/v1/people/ada@lovelace.test', { key })).status).toBe(200)
    expect(await wordsOf(organizationId)).not.toContain('lovelace')
    expect(await idsOf(key, 'q=lovelace')).toEqual([])
    expect(await idsOf(key, 'q=hopper')).toEqual([body.id])
  })

  it('adds the words of bookings that came without events', async () => {
    const { liveKey: key, id: organizationId } = await createOrganization()
    const { id } = await createEventType(key)
    const booked = await bookAs(id, 1, 'Ada Lovelace', 'ada@lovelace.test')
    await env.DB.prepare('DELETE FROM events WHERE organization_id = ?').bind(organizationId).run()
    expect(await idsOf(key, 'q=lovelace')).toEqual([booked])
  })
})

describe('a search among 105,000 bookings', () => {
  const SIZE = 105_000
  let key: string
  let eventType: string

  beforeAll(async () => {
    const organization = await createOrganization()
    key = organization.liveKey
    eventType = (await createEventType(key)).id
    await env.DB.prepare(`INSERT INTO bookings (organization_id, is_test, id, event_type_id, status, start_time, end_time,
        invitee_name, invitee_email, invitee_timezone, metadata, attendees, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SIZE})
      SELECT '${organization.id}', 0, printf('%08x-%04x-7000-8000-%012x', 26000000, i % 65536, i), '${eventType}',
        CASE i % 10 WHEN 0 THEN 'cancelled' ELSE 'confirmed' END, i * 1800000, (i + 1) * 1800000,
        'Ada ' || CASE WHEN i % 1000 = 0 THEN 'Lovelace' ELSE 'Byron' END, 'p' || i || '@example.com', 'UTC', '{}', '[]', 1, 1 FROM n`).run()
    const tenant = { organizationId: organization.id, isTest: false }
    await env.DB.prepare(`INSERT INTO booking_searches VALUES (?, 0, 0, '', 0)`).bind(organization.id).run()
    await keepWords(env as never, openDb(env as never, 'decide'), tenant, 10_000)
  }, 300_000)

  it('reads few rows for a page of their clients, in each order', async () => {
    const told: string[] = []
    const searches = ['', 'q=lovelace', 'q=ada', 'q=byr%20exa', 'q=p77777', 'q=nobody', 'q=ada%20nobody']
    for (const sort of ['name', 'last', 'next', 'bookings']) {
      for (const search of searches) {
        const counted = countedEnv()
        const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() }
        const url = `https://holdfast.test/v1/clients?sort=${sort}&${search}`
        const request = new Request(url, { headers })
        const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
        const { data } = await response.json<any>()
        const rows = counted.ran.reduce((sum, { read }) => sum + read, 0)
        const found = search.includes('nobody') ? 0 : search.includes('777') ? 1 : 20
        if (data.length !== found || rows > 2_100) told.push(`${rows} for ${data.length} of ${url}`)
        if (search === '' && rows > 80) told.push(`${rows} rows of ${url}`)
      }
    }
    expect(told).toEqual([])
  }, 60_000)

  it('reads at most three rows for each booking that it shows', async () => {
    const told: string[] = []
    for (const [q, all] of [
      ['lovelace', 100],
      ['ada', 100],
      ['com', 100],
      ['byr exa', 100],
      ['p77777', 1],
    ] as const) {
      for (const sort of ['', '&sort=start_time', '&order=asc']) {
        const counted = countedEnv()
        const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() }
        const request = new Request(
          `https://holdfast.test/v1/bookings?limit=100&q=${encodeURIComponent(q)}${sort}`,
          { headers },
        )
        const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
        const { data } = await response.json<any>()
        const rows = counted.ran.reduce((sum, { read }) => sum + read, 0)
        if (data.length !== all || rows > 3 * all + 20) told.push(`${rows} for ${data.length} of ${q}${sort}`)
      }
    }
    expect(told).toEqual([])
  }, 60_000)
})
