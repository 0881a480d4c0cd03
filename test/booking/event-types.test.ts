import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService, type Json } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, unique } from '../support/factories.ts'

const HOUR_MS = 3_600_000
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Field = {
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
  /** What has to be there for the good values to be coherent. */
  readonly beside?: Json
}

const WORD_63 = 'a'.repeat(63)
const NO_INTEGERS = ['30', 30.5, true, {}, [30], Number.MAX_SAFE_INTEGER]
const NO_STRINGS = [1, true, {}, ['x']]

/** Every writable field: values at and just inside its bounds, and values just outside them or of another type. */
const FIELDS: Readonly<Record<string, Field>> = {
  title: {
    good: ['a', 'x'.repeat(255), ' a ', '🗓'],
    bad: ['', '  ', 'a\tb', 'x'.repeat(256), null, ...NO_STRINGS],
  },
  slug: {
    good: ['a', '-', '0-9', WORD_63],
    bad: [
      '',
      `${WORD_63}a`,
      'Intro',
      'intro_call',
      'intro call',
      'intro/call',
      'ínt',
      'a\n',
      null,
      ...NO_STRINGS,
    ],
  },
  description: { good: ['', 'x'.repeat(1000), null], bad: ['x'.repeat(1001), ...NO_STRINGS] },
  duration_minutes: { good: [5, 6, 479, 480], bad: [4, 481, 0, -30, null, ...NO_INTEGERS] },
  buffer_before_minutes: { good: [0, 1, 119, 120], bad: [-1, 121, null, ...NO_INTEGERS] },
  buffer_after_minutes: { good: [0, 1, 119, 120], bad: [-1, 121, null, ...NO_INTEGERS] },
  minimum_notice_minutes: { good: [0, 1, 43_199, 43_200], bad: [-1, 43_201, null, ...NO_INTEGERS] },
  color: {
    good: ['#000000', '#FFFFFF', '#aBc019'],
    bad: ['', '#fff', '000000', '#gggggg', '#0000000', '#00000', ' #000000', 'red', null, ...NO_STRINGS],
  },
  timezone: {
    good: ['UTC', 'Europe/Berlin', 'America/Argentina/ComodRivadavia', 'Asia/Kathmandu'],
    bad: [
      '',
      'Mars/Olympus',
      '+05:00',
      'Europe/',
      'Europe/Berlin ',
      `A${'b'.repeat(64)}`,
      null,
      ...NO_STRINGS,
    ],
  },
  active: { good: [true, false], bad: [null, 0, 1, 'true', {}] },
  price_currency: {
    good: ['usd', 'eur', 'jpy', 'kwd'],
    bad: ['', 'us', 'usdd', 'u$d', 'zzz', 'xau', 'hrk', null, ...NO_STRINGS],
  },
  reminder_intervals: {
    good: [[], [1], [10_080], [1, 2, 3, 4, 5]],
    bad: [[0], [10_081], [1, 2, 3, 4, 5, 6], [1.5], ['60'], [null], null, 60, '60', {}],
  },
  duration_options: {
    good: [null, [30], [30, 5], [480, 30], [10, 20, 30, 40, 50]],
    bad: [
      [30, 4],
      [30, 481],
      [10, 20, 30, 40, 50, 60],
      [15, 45],
      [],
      [30, 30.5],
      ['30'],
      [30, null],
      30,
      '30',
      {},
    ],
    beside: { duration_minutes: 30 },
  },
  booking_cap: { good: [1, 2, 9_999, 10_000, null], bad: [0, -1, 10_001, ...NO_INTEGERS] },
  booking_cap_period: {
    good: ['daily', 'weekly', 'monthly', 'total'],
    bad: ['', 'yearly', 'Daily', ...NO_STRINGS],
    beside: { booking_cap: 5 },
  },
  waitlist_enabled: { good: [false, true], bad: [null, 0, 'false', {}] },
  waitlist_max: { good: [1, 2, 499, 500], bad: [0, 501, null, ...NO_INTEGERS] },
  waitlist_ttl_days: { good: [1, 2, 29, 30], bad: [0, 31, null, ...NO_INTEGERS] },
  booking_page_enabled: { good: [true, false], bad: [null, 1, 'true', {}] },
  max_attendees: { good: [1, 2, 100], bad: [0, 101, -1, null, ...NO_INTEGERS] },
  assignment_strategy: {
    good: ['none', 'round_robin', 'least_recent', 'least_bookings', 'availability_weighted'],
    bad: ['', 'random', null, ...NO_STRINGS],
  },
  price_amount: { good: [100, 5_000, 99_999_999, null], bad: [99, 0, -100, 100_000_000, ...NO_INTEGERS] },
  conferencing_provider: { good: ['custom', 'in_person', 'video_a', null], bad: ['', 'zoom', ...NO_STRINGS] },
  custom_meeting_url: {
    good: ['https://meet.example.com/ada?x=1#y', 'http://meet.example.com', null],
    bad: [
      '',
      'meet.example.com',
      'ftp://meet.example.com',
      'javascript:alert(1)',
      'https://',
      'https://meet.example.com/a b',
      'https://meet.example.com/\u0000',
      `https://meet.example.com/${'x'.repeat(2_000)}`,
      ...NO_STRINGS,
    ],
  },
  location: { good: ['', 'x'.repeat(500), null], bad: ['x'.repeat(501), ...NO_STRINGS] },
  hours_from: { good: ['own', 'hosts'], bad: ['', 'host', null, ...NO_STRINGS] },
  schedule_id: { good: [null], bad: ['', 'mine', '0192f1e0', ...NO_STRINGS] },
  slot_interval_minutes: { good: [5, 6, 479, 480, null], bad: [4, 481, 0, ...NO_INTEGERS] },
  booking_window_days: { good: [1, 2, 729, 730, null], bad: [0, 731, -1, ...NO_INTEGERS] },
  bookable_from: {
    good: ['2026-01-01', '2028-02-29', null],
    bad: ['', '2026-02-29', '2026-1-1', '2026-01-01T00:00:00Z', 'today', ...NO_STRINGS],
  },
  bookable_until: {
    good: ['2026-01-01', '9999-12-31', null],
    bad: ['', '2026-13-01', '20260101', ...NO_STRINGS],
  },
  invitee_limit: { good: [1, 2, 99, 100, null], bad: [0, 101, -1, ...NO_INTEGERS] },
  calendar_outage: { good: ['last_known', 'closed'], bad: ['', 'open', null, ...NO_STRINGS] },
  position: { good: [0, 1, 10_000], bad: [-1, 10_001, null, ...NO_INTEGERS] },
  listed: { good: [true, false], bad: [null, 0, 'true', {}] },
  group: { good: ['a', 'x'.repeat(100), null], bad: ['', 'x'.repeat(101), ...NO_STRINGS] },
  redirect_url: {
    good: [`${new URL(env.PUBLIC_URL).origin}/thanks?from=holdfast`, null],
    bad: ['', 'thanks', 'javascript:alert(1)', 'https://elsewhere.example.com/', ...NO_STRINGS],
  },
}

function input(more: Json = {}): Json {
  return { title: 'Intro call', slug: unique('intro'), duration_minutes: 30, ...more }
}

function create(key: string, body: Json) {
  return call('POST', '/v1/event-types', { key, body })
}

async function countIn(organizationId: string): Promise<number> {
  const query = 'SELECT count(*) AS n FROM event_types WHERE organization_id = ?'
  return (await env.DB.prepare(query).bind(organizationId).first<number>('n'))!
}

function told(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length})` : text
}

describe.each(Object.entries(FIELDS))('the field %s', (name, { good, bad, beside = {} }) => {
  it('takes its bounds on creation and on change, and comes back as sent', async () => {
    const { liveKey: key } = await createOrganization()
    const { body: changed } = await create(key, input(beside))
    for (const value of good) {
      const created = await create(key, input({ ...beside, [name]: value }))
      expect([told(value), created.status]).toEqual([told(value), 201])
      expect(created.body[name]).toEqual(value)
      const read = await call('GET', `/v1/event-types/${created.body.id}`, { key })
      expect(read.body).toEqual(created.body)
      await call('DELETE', `/v1/event-types/${created.body.id}`, { key })

      const patched = await call('PATCH', `/v1/event-types/${changed.id}`, { key, body: { [name]: value } })
      expect([told(value), patched.status]).toEqual([told(value), 200])
      expect(patched.body[name]).toEqual(value)
      const reread = await call('GET', `/v1/event-types/${changed.id}`, { key })
      expect(reread.body).toEqual(patched.body)
    }
  })

  it('refuses everything outside them, names itself, and nothing is written', async () => {
    const { id: organizationId, liveKey: key } = await createOrganization()
    const { body: unchanged } = await create(key, input(beside))
    for (const value of bad) {
      const answers = [
        await create(key, input({ ...beside, [name]: value })),
        await call('PATCH', `/v1/event-types/${unchanged.id}`, { key, body: { [name]: value } }),
      ]
      for (const { status, body } of answers) {
        expect([told(value), status, body.error?.code]).toEqual([told(value), 400, 'validation_error'])
        const paths = Object.keys(body.error.details)
        expect(paths.length).toBeGreaterThan(0)
        for (const path of paths) expect(path).toMatch(new RegExp(`^${name}(\\.\\d+)?$`))
      }
    }
    expect(await countIn(organizationId)).toBe(1)
    const { body } = await call('GET', `/v1/event-types/${unchanged.id}`, { key })
    expect(body).toEqual(unchanged)
  })
})

describe('a new event type', () => {
  it('has these defaults', async () => {
    const { id: organizationId, liveKey: key } = await createOrganization({ timezone: 'Asia/Kathmandu' })
    const { status, body } = await create(key, { title: 'Intro', slug: 'intro', duration_minutes: 45 })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_id: organizationId,
      title: 'Intro',
      slug: 'intro',
      description: null,
      duration_minutes: 45,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      minimum_notice_minutes: 0,
      listed: true,
      bookable: { ok: false, reasons: [{ code: 'no_hours', message: expect.any(String) }] },
      color: '#3b82f6',
      timezone: 'Asia/Kathmandu',
      active: true,
      is_test: false,
      price_amount: null,
      price_currency: 'usd',
      reminder_intervals: [1440, 60],
      follow_up_minutes: null,
      reminder_channels: ['email'],
      duration_options: null,
      max_attendees: 1,
      assignment_strategy: 'none',
      booking_cap: null,
      booking_cap_period: null,
      bookings_remaining: null,
      booking_count: 0,
      waitlist_enabled: false,
      waitlist_max: 50,
      waitlist_ttl_days: 7,
      booking_page_enabled: false,
      conferencing_provider: null,
      custom_meeting_url: null,
      location: null,
      places: [],
      hours_from: 'own',
      schedule_id: null,
      slot_interval_minutes: null,
      booking_window_days: null,
      bookable_from: null,
      bookable_until: null,
      invitee_limit: null,
      host_choice: 'none',
      max_guests: 3,
      calendar_outage: 'last_known',
      delayed_payment_methods: false,
      refund_policy: [],
      cancel_notice_minutes: 0,
      reschedule_notice_minutes: 0,
      verify_email: false,
      requires_approval: false,
      approval_ttl_minutes: 1440,
      questions: [],
      position: 0,
      group: null,
      redirect_url: null,
      requires: [],
      pool_size: 1,
      series_max: 0,
      preview_url: null,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: body.created_at,
    })
  })

  it('belongs to the mode of its key, and the service key chooses', async () => {
    const { id, liveKey, testKey } = await createOrganization()
    expect((await create(liveKey, input())).body.is_test).toBe(false)
    expect((await create(testKey, input())).body.is_test).toBe(true)
    for (const mode of ['live', 'test']) {
      const { body } = await callAsService('POST', '/v1/event-types', {
        headers: { 'X-Org-Id': id, 'X-Service-Mode': mode },
        body: input(),
      })
      expect(body.is_test).toBe(mode === 'test')
    }
  })

  it('is rejected with all errors at once', async () => {
    const { liveKey: key } = await createOrganization()
    const { body } = await create(key, {
      title: '',
      duration_minutes: 4,
      color: 'red',
      reminder_intervals: [1, 0],
    })
    expect(Object.keys(body.error.details).sort()).toEqual([
      'color',
      'duration_minutes',
      'reminder_intervals.1',
      'slug',
      'title',
    ])
  })

  it('counts all its bookings when only a cap is given, and its period when one is', async () => {
    const { liveKey: key } = await createOrganization()
    expect((await create(key, input({ booking_cap: 3 }))).body).toMatchObject({
      booking_cap: 3,
      booking_cap_period: 'total',
      bookings_remaining: 3,
    })
    expect(
      (await create(key, input({ booking_cap: 3, booking_cap_period: null }))).body.booking_cap_period,
    ).toBe('total')
    expect((await create(key, input({ booking_cap: 3, booking_cap_period: 'weekly' }))).body).toMatchObject({
      booking_cap_period: 'weekly',
      bookings_remaining: 3,
    })
  })

  it.each([
    ['calendar_a_meet', 'no_calendar_a_connection'],
    ['calendar_b_meet', 'no_calendar_b_connection'],
  ])('needs a connection for %s', async (conferencing_provider, code) => {
    const { id, liveKey: key } = await createOrganization()
    const created = await create(key, input({ conferencing_provider }))
    expect([created.status, created.body.error.code]).toEqual([422, code])
    expect(await countIn(id)).toBe(0)
    const { body } = await create(key, input())
    const patched = await call('PATCH', `/v1/event-types/${body.id}`, {
      key,
      body: { conferencing_provider },
    })
    expect([patched.status, patched.body.error.code]).toEqual([422, code])
  })

  it('records who made it', async () => {
    const { liveKey: key } = await createOrganization()
    const { body, headers } = await create(key, input())
    const row = await env.DB.prepare('SELECT * FROM activity WHERE resource_id = ?').bind(body.id).first()
    expect(row).toMatchObject({
      action: 'event_type.created',
      resource_type: 'event_type',
      actor_type: 'api_key',
      is_test: 0,
      request_id: headers.get('X-Request-Id'),
    })
  })
})

describe('a slug', () => {
  it('is taken once in an organization and mode', async () => {
    const one = await createOrganization()
    const two = await createOrganization()
    const body = input()
    expect((await create(one.liveKey, body)).status).toBe(201)
    const again = await create(one.liveKey, body)
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
    for (const key of [one.testKey, two.liveKey, two.testKey])
      expect((await create(key, body)).status).toBe(201)
  })

  it('is given to one of many simultaneous requests', async () => {
    const { id, liveKey } = await createOrganization()
    const body = input()
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(liveKey, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect(await countIn(id)).toBe(1)
  })

  it('cannot be changed to a taken one, and may be sent unchanged', async () => {
    const { liveKey: key } = await createOrganization()
    const one = (await create(key, input())).body
    const two = (await create(key, input())).body
    const change = (slug: string) =>
      call('PATCH', `/v1/event-types/${two.id}`, { key, body: { slug, title: 'New' } })
    const taken = await change(one.slug)
    expect([taken.status, taken.body.error.code]).toEqual([409, 'conflict'])
    expect((await call('GET', `/v1/event-types/${two.id}`, { key })).body).toEqual(two)
    expect((await change(two.slug)).status).toBe(200)
  })

  it('is free again when its event type is deleted or renamed', async () => {
    const { liveKey: key } = await createOrganization()
    const body = input()
    const first = (await create(key, body)).body
    await call('DELETE', `/v1/event-types/${first.id}`, { key })
    const second = await create(key, body)
    expect(second.status).toBe(201)
    await call('PATCH', `/v1/event-types/${second.body.id}`, { key, body: { slug: unique('renamed') } })
    expect((await create(key, body)).status).toBe(201)
  })
})

describe('a change', () => {
  it('touches what was sent and nothing else', async () => {
    const { liveKey: key } = await createOrganization()
    const before = (
      await create(
        key,
        input({
          description: 'About',
          buffer_after_minutes: 10,
          duration_options: [30, 60],
          booking_cap: 4,
          booking_cap_period: 'daily',
          conferencing_provider: 'custom',
          custom_meeting_url: 'https://meet.example.com/x',
          location: 'Here',
        }),
      )
    ).body
    await new Promise((resolve) => setTimeout(resolve, 3))
    const changes = { title: 'New', active: false, timezone: 'Europe/Berlin', minimum_notice_minutes: 60 }
    const { body: after } = await call('PATCH', `/v1/event-types/${before.id}`, { key, body: changes })
    const { updated_at, bookable } = after
    expect(after).toEqual({ ...before, ...changes, updated_at, bookable })
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
  })

  it('loses nothing when two come at once', async () => {
    const { liveKey: key } = await createOrganization()
    for (let round = 0; round < 10; round++) {
      const { body: before } = await create(key, input({ booking_cap: 5, booking_cap_period: 'daily' }))
      const change = (body: Json) => call('PATCH', `/v1/event-types/${before.id}`, { key, body })
      await Promise.all([
        change({ title: 'Both' }),
        change({ booking_cap_period: 'total' }),
        change({ color: '#000000' }),
      ])
      const { body } = await call('GET', `/v1/event-types/${before.id}`, { key })
      expect(body).toMatchObject({ title: 'Both', booking_cap_period: 'total', color: '#000000' })
    }
  })

  it('leaves durations coherent when two come at once', async () => {
    const { liveKey: key } = await createOrganization()
    for (let round = 0; round < 10; round++) {
      const { body: before } = await create(key, input())
      const change = (body: Json) => call('PATCH', `/v1/event-types/${before.id}`, { key, body })
      await Promise.all([change({ duration_minutes: 45 }), change({ duration_options: [30, 60] })])
      const { body } = await call('GET', `/v1/event-types/${before.id}`, { key })
      expect(body.duration_options ?? [body.duration_minutes]).toContain(body.duration_minutes)
    }
  })

  it('clears what may be null', async () => {
    const { liveKey: key } = await createOrganization()
    const filled = {
      description: 'About',
      duration_options: [30, 60],
      booking_cap: 4,
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/x',
      location: 'Here',
    }
    const { body } = await create(key, input(filled))
    expect(body).toMatchObject(filled)
    const nothing = Object.fromEntries(Object.keys(filled).map((name) => [name, null]))
    const { body: after } = await call('PATCH', `/v1/event-types/${body.id}`, { key, body: nothing })
    expect(after).toMatchObject({ ...nothing, bookings_remaining: null })
    const { body: read } = await call('GET', `/v1/event-types/${body.id}`, { key })
    expect(read).toEqual(after)
  })

  it('keeps durations coherent with what is there already', async () => {
    const { liveKey: key } = await createOrganization()
    const { body } = await create(key, input({ duration_options: [30, 60] }))
    const change = (changes: Json) => call('PATCH', `/v1/event-types/${body.id}`, { key, body: changes })
    for (const bad of [{ duration_minutes: 45 }, { duration_options: [45, 60] }]) {
      const { status, body: refusal } = await change(bad)
      expect([status, Object.keys(refusal.error.details)]).toEqual([400, ['duration_options']])
    }
    expect((await change({ duration_minutes: 60 })).status).toBe(200)
    expect((await change({ duration_minutes: 45, duration_options: [45] })).status).toBe(200)
    expect((await change({ duration_minutes: 50, duration_options: null })).status).toBe(200)
  })

  it('sets the period of a cap that is set alone, and keeps one that was there', async () => {
    const { liveKey: key } = await createOrganization()
    const { body } = await create(key, input())
    const change = async (changes: Json) =>
      (await call('PATCH', `/v1/event-types/${body.id}`, { key, body: changes })).body
    expect((await change({ booking_cap: 2 })).booking_cap_period).toBe('total')
    expect((await change({ booking_cap_period: 'monthly' })).booking_cap_period).toBe('monthly')
    expect((await change({ booking_cap: 3 })).booking_cap_period).toBe('monthly')
    expect((await change({ booking_cap_period: null })).booking_cap_period).toBe('total')
  })

  it('cannot reach what is read-only', async () => {
    const { liveKey: key } = await createOrganization()
    const { body: before } = await create(key, input())
    const { status, body: after } = await call('PATCH', `/v1/event-types/${before.id}`, {
      key,
      body: {
        id: crypto.randomUUID(),
        organization_id: crypto.randomUUID(),
        is_test: true,
        booking_count: 7,
        bookings_remaining: 7,
        created_at: '2020-01-01T00:00:00.000Z',
        deleted_at: 1,
        active_bookings: 7,
      },
    })
    expect(status).toBe(200)
    expect(after).toEqual({ ...before, updated_at: after.updated_at })
  })

  it('finds an event type by its id in upper case too', async () => {
    const { liveKey: key } = await createOrganization()
    const { body } = await create(key, input())
    const { status, body: read } = await call('GET', `/v1/event-types/${body.id.toUpperCase()}`, { key })
    expect([status, read.id]).toEqual([200, body.id])
  })
})

describe('a deleted event type', () => {
  it('is gone everywhere, and its bookings stay readable and can be cancelled', async () => {
    const { slug: orgSlug, liveKey: key } = await createOrganization()
    const eventType = await createEventType(key, { booking_page_enabled: true })
    const { body: booking } = await book(eventType.id, dayFromNow(2) + 9 * HOUR_MS)
    expect((await call('DELETE', `/v1/event-types/${eventType.id}`, { key })).status).toBe(204)

    const date = new Date(dayFromNow(3)).toISOString().slice(0, 10)
    const answers = [
      await call('GET', `/v1/event-types/${eventType.id}`, { key }),
      await call('PATCH', `/v1/event-types/${eventType.id}`, { key, body: { active: true } }),
      await call('DELETE', `/v1/event-types/${eventType.id}`, { key }),
      await call('GET', `/v1/event-types/${eventType.id}/availability`, { key }),
      await call('PUT', `/v1/event-types/${eventType.id}/availability`, { key, body: { rules: [] } }),
      await call('GET', `/v1/public/event-types/${eventType.id}`),
      await call('GET', `/v1/public/booking-page/${orgSlug}/${eventType.slug}`),
      await call(
        'GET',
        `/v1/availability?event_type_id=${eventType.id}&start=${date}&end=${date}&timezone=UTC`,
      ),
      await book(eventType.id, dayFromNow(3) + 9 * HOUR_MS),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await call('GET', '/v1/event-types', { key })).body.data).toEqual([])

    const read = await call('GET', `/v1/bookings/${booking.id}`, { key })
    expect([read.status, read.body.event_type.title]).toEqual([200, eventType.title])
    const cancelled = await call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`)
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
  })
})

describe('the counts', () => {
  it('count active bookings of all time, or of the current period if there is a cap', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const read = async () => (await call('GET', `/v1/event-types/${id}`, { key })).body
    const soon = await book(id, dayFromNow(1) + 9 * HOUR_MS)
    await book(id, dayFromNow(1) + 12 * HOUR_MS)
    expect(await read()).toMatchObject({ booking_count: 2, bookings_remaining: null })
    await call('POST', `/v1/bookings/${soon.body.id}/cancel`, { key })
    expect(await read()).toMatchObject({ booking_count: 1, bookings_remaining: null })

    const cap = async (changes: Json) =>
      (await call('PATCH', `/v1/event-types/${id}`, { key, body: changes })).body
    expect(await cap({ booking_cap: 3 })).toMatchObject({ booking_count: 1, bookings_remaining: 2 })
    expect(await cap({ booking_cap_period: 'daily' })).toMatchObject({
      booking_count: 0,
      bookings_remaining: 3,
    })
    expect(await cap({ booking_cap_period: 'total', booking_cap: 1 })).toMatchObject({
      bookings_remaining: 0,
    })
    const { body: list } = await call('GET', '/v1/event-types', { key })
    expect(list.data).toEqual([await read()])
    const { body: asPublic } = await call('GET', `/v1/public/event-types/${id}`)
    expect(asPublic).toMatchObject({ booking_count: 1, bookings_remaining: 0 })
  })

  it('never fall below zero when a cap is set below what is booked', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    await book(id, dayFromNow(1) + 9 * HOUR_MS)
    await book(id, dayFromNow(1) + 12 * HOUR_MS)
    const { body } = await call('PATCH', `/v1/event-types/${id}`, { key, body: { booking_cap: 1 } })
    expect(body).toMatchObject({ booking_count: 2, bookings_remaining: 0 })
  })
})

describe('a public event type', () => {
  it('has every field but whose hours it follows, what it requires, how many hosts take part, whether it can be booked and is listed, and the URLs of its meetings, of where people go afterwards and of its preview', async () => {
    const { liveKey: key } = await createOrganization()
    const {
      custom_meeting_url,
      redirect_url: _back,
      hours_from: _from,
      schedule_id: _schedule,
      requires: _requires,
      pool_size: _size,
      preview_url: _preview,
      bookable: _bookable,
      listed: _listed,
      ...rest
    } = await createEventType(key, {
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/secret-room',
    })
    expect(custom_meeting_url).toBe('https://meet.example.com/secret-room')
    const { status, body } = await call('GET', `/v1/public/event-types/${rest.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ ...rest, updated_at: body.updated_at })
  })

  it('is hidden while it is inactive and when it is test data', async () => {
    const { liveKey, testKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const active = (value: boolean) =>
      call('PATCH', `/v1/event-types/${id}`, { key: liveKey, body: { active: value } })
    await active(false)
    expect((await call('GET', `/v1/public/event-types/${id}`)).status).toBe(404)
    expect((await call('GET', `/v1/event-types/${id}`, { key: liveKey })).status).toBe(200)
    await active(true)
    expect((await call('GET', `/v1/public/event-types/${id}`)).status).toBe(200)
    const sandboxed = await createEventType(testKey)
    expect((await call('GET', `/v1/public/event-types/${sandboxed.id}`)).status).toBe(404)
    expect((await call('GET', `/v1/event-types/${sandboxed.id}`, { key: testKey })).status).toBe(200)
  })
})
