import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/platform/auth/secret.ts'
import { call } from '../support/app.ts'
import { createEventType } from '../support/factories.ts'
import {
  addMember,
  ended,
  getImport,
  importFrom,
  importWhole,
  listed,
  openForeign,
  secretOf,
} from '../support/foreign.ts'

const STUDIO = ['ada.berger@example.com', 'BEN.okafor@example.com', 'cem.yilmaz@example.com']

const typesOf = (organization: any) => listed(organization, '/v1/event-types?limit=100')
const bookingsOf = (organization: any) => listed(organization, '/v1/bookings?limit=100')
const whyOf = (job: any, what: string) =>
  job.left_out.filter((one: any) => one.what.includes(what)).map((one: any) => one.why)
const titled = (types: any[], title: string) => types.find((one) => one.title === title)

/** Ends the process that the import runs in. */
async function kill(organization: { id: string }) {
  const object = env.IMPORTS.getByName(`${organization.id}/calendly`)
  await runInDurableObject(object, (_, state) => state.abort('killed')).catch(() => {})
}

describe('an import from Calendly', () => {
  it('makes the hours, event types and upcoming bookings of an organization', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const job = await importWhole('calendly', organization)
    const [types, bookings, schedules] = await Promise.all([
      typesOf(organization),
      bookingsOf(organization),
      listed(organization, '/v1/schedules?limit=100'),
    ])
    expect(job).toMatchObject({
      source: 'calendly',
      status: 'done',
      made: { schedules: schedules.length, event_types: types.length, bookings: bookings.length },
    })
    expect(types.length).toBe(11)
    expect(bookings.length).toBe(9)

    expect(titled(types, 'Consultation')).toMatchObject({
      duration_minutes: 30,
      duration_options: [30, 45, 60, 90],
      buffer_after_minutes: 15,
      slot_interval_minutes: 30,
      hours_from: 'hosts',
      places: [{ kind: 'in_person' }, { kind: 'video_a' }, { kind: 'phone_in', value: '+49 30 1234567' }],
      active: true,
    })
    expect(titled(types, 'Sales call')).toMatchObject({ assignment_strategy: 'round_robin' })
    expect(titled(types, 'Open workshop')).toMatchObject({ max_attendees: 8 })
    expect(titled(types, 'For clients only')).toMatchObject({ listed: false, active: true })
    expect(titled(types, 'Summer special')).toMatchObject({ active: false })
    expect(titled(types, 'Portfolio review (paid)')).toMatchObject({ price_amount: null })
    expect(
      titled(types, 'Intro call').questions.map((one: any) => [one.label, one.type, one.options]),
    ).toEqual([
      ['Company name', 'short_text', null],
      ['What would you like to discuss?', 'long_text', null],
      ['Number of employees', 'choice', ['1', '2-10', '11-20', '20+', 'Other']],
      ['Which topics?', 'choices', ['Design', 'Print', 'Web', 'Other']],
      ['Phone number', 'phone', null],
      ['How did you find us?', 'choice', ['A friend', 'An advert']],
    ])
    const working = schedules.find((one) => one.name === 'Working Hours' && one.overrides.length === 3)
    expect(working).toMatchObject({ timezone: 'Europe/Berlin', is_default: false })
    expect(working.overrides.map((one: any) => one.intervals.length)).toEqual([0, 1, 1])
    expect(schedules.find((one) => one.name === 'Evenings').rules[0]).toEqual({
      day_of_week: 2,
      start_time: '20:00',
      end_time: '24:00',
    })
  })

  it('takes over who booked, what they answered and where they meet', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    await importWhole('calendly', organization)
    const bookings = await bookingsOf(organization)
    const of = (email: string) => bookings.find((one) => one.invitee_email === email)
    expect(of('donald.knuth@example.net')).toMatchObject({
      invitee_timezone: 'America/Los_Angeles',
      conferencing_url: 'https://zoom.us/j/123456',
      overridden: ['hours'],
      status: 'confirmed',
    })
    expect(of('alan.turing@example.net').guests.map((one: any) => one.email)).toEqual([
      'friend@example.net',
      'other@example.net',
    ])
    expect(of('alan.turing@example.net').session_id).toBe(of('edsger.dijkstra@example.net').session_id)
    const { body } = await call('GET', `/v1/bookings/${of('grace.hopper@example.net').id}`, {
      key: organization.liveKey,
    })
    expect(body.invitee_phone).toBe('+12025550123')
    expect(Object.values(body.answers)).toEqual([
      'Navy',
      'Compilers,\nand bugs',
      'about 300000',
      ['Design', 'Web', 'Knots'],
      '+1 202-555-0123',
      'Yes',
    ])
  })

  it('names what it leaves out with the reason', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const job = await importWhole('calendly', organization)
    expect(whyOf(job, 'Pitch')).toEqual(['Here an event type chooses from one group of hosts.'])
    expect(whyOf(job, 'When do we meet?')).toEqual(['Meeting polls have no event type here.'])
    expect(whyOf(job, 'Price of Portfolio review')).toEqual(['Prices are not imported. Set one here.'])
    expect(whyOf(job, 'Old format')).toEqual(['Its event type is gone there, or was not imported.'])
    expect(whyOf(job, 'For clients only, ')).toEqual([
      'Its host, or its event type, has another booking at that time.',
    ])
    expect(whyOf(job, ': Webex')).toEqual(['There is nothing like this place here.'])
    expect(whyOf(job, ': GoTo Meeting').length).toBe(1)
    expect(whyOf(job, ': where the invitee wants to meet').length).toBe(1)
    expect(whyOf(job, 'Minimum notice').length).toBe(1)
  })

  it('invites nobody, emails nobody, and reports itself as one event', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO.slice(0, 1), tier: 'free' })
    const job = await importWhole('calendly', organization)
    expect(whyOf(job, 'Host: Ben Okafor')).toEqual([
      'No member here has this address. Nobody is invited; invite them and add them as a host.',
    ])
    const events = await listed(organization, '/v1/events?limit=100')
    expect(events.map((one) => one.event)).toEqual(['import.finished'])
    expect(events[0].data).toEqual(job)
    const counted = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM emails WHERE organization_id = ?1) + (SELECT count(*) FROM invitations WHERE organization_id = ?1)
        + (SELECT coalesce(sum(bookings), 0) FROM booking_quotas WHERE organization_id = ?1) AS n`,
    )
      .bind(organization.id)
      .first('n')
    expect(counted).toBe(0)
    const { data } = (await call('GET', '/v1/activity?action=import.finished', { key: organization.liveKey }))
      .body
    expect(data.length).toBe(1)
  })

  it('makes nothing twice, and keeps what was changed or deleted here', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const first = await importWhole('calendly', organization)
    const types = await typesOf(organization)
    const changed = titled(types, 'Support')
    await call('PATCH', `/v1/event-types/${changed.id}`, {
      key: organization.liveKey,
      body: { title: 'Help', buffer_after_minutes: 45 },
    })
    await call('DELETE', `/v1/event-types/${titled(types, 'Summer special').id}`, {
      key: organization.liveKey,
    })
    const bookings = await bookingsOf(organization)
    await call('POST', `/v1/bookings/${bookings.at(-1).id}/cancel`, { key: organization.liveKey, body: {} })

    const second = await importWhole('calendly', organization)
    expect(second.id).not.toBe(first.id)
    expect(second.made).toEqual({ schedules: 0, event_types: 0, bookings: 0 })
    const after = await typesOf(organization)
    expect(after.length).toBe(types.length - 1)
    expect(after.find((one) => one.id === changed.id)).toMatchObject({
      title: 'Help',
      buffer_after_minutes: 45,
    })
    expect((await bookingsOf(organization)).length).toBe(bookings.length)
  })

  it('is one job while it runs, goes on after a kill, and then makes what is missing', async () => {
    const { organization, world } = await openForeign('calendly', { emails: STUDIO })
    await world.troubles([{ about: '/invitees', does: 'hangs', times: null }])
    const one = await importFrom('calendly', organization)
    expect(one.headers.get('location')).toBe(`/v1/imports/${one.body.id}`)
    const other = await importFrom('calendly', organization, { token: 'another-one' })
    expect(other.body.id).toBe(one.body.id)
    await expect.poll(async () => (await typesOf(organization)).length, { timeout: 10_000 }).toBe(11)
    expect((await getImport(organization, one.body.id)).status).toBe('running')

    await kill(organization)
    await expect
      .poll(async () => (await getImport(organization, one.body.id)).status, { timeout: 10_000 })
      .toBe('interrupted')
    expect((await bookingsOf(organization)).length).toBe(0)
    await world.noTroubles()
    const again = await importFrom('calendly', organization)
    expect(again.body.id).toBe(one.body.id)
    expect(await ended(organization, again.body.id)).toMatchObject({ status: 'done' })
    expect((await typesOf(organization)).length).toBe(11)
    expect((await bookingsOf(organization)).length).toBe(9)
  })

  it('lists in a dry run what it would make, and makes nothing', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const { status, headers, body } = await importFrom('calendly', organization, undefined, '?dry_run=true')
    expect([status, headers.get('dry-run'), body.status]).toEqual([202, 'true', 'done'])
    expect(body.made).toEqual({ schedules: 0, event_types: 0, bookings: 0 })
    const of = (type: string) => body.would_make.filter((one: any) => one.type === type)
    expect([of('event_type').length, of('schedule').length]).toEqual([11, 4])
    expect(of('booking').length).toBe(9)
    expect((await typesOf(organization)).length).toBe(0)
    expect((await call('GET', `/v1/imports/${body.id}`, { key: organization.liveKey })).status).toBe(404)
  })

  it('names the field whose secret Calendly refuses, and says that Calendly is down', async () => {
    const { organization, world } = await openForeign('calendly')
    const refused = await importFrom('calendly', organization, { token: 'not-a-token' })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details).toEqual({ code: 'refused', field: 'token' })
    expect(JSON.stringify(refused.body)).not.toContain('not-a-token')
    const malformed = await importFrom('calendly', organization, { token: 'with space' })
    expect([malformed.status, Object.keys(malformed.body.error.details)]).toEqual([400, ['token']])
    await world.troubles([{ about: '/users/me', status: 503, times: null }])
    expect((await importFrom('calendly', organization)).status).toBe(502)
    const test = await call('POST', '/v1/import/calendly', {
      key: organization.testKey,
      body: secretOf('calendly'),
    })
    expect(test.status).toBe(403)
    const jobs = await env.DB.prepare('SELECT count(*) AS n FROM import_jobs WHERE organization_id = ?')
      .bind(organization.id)
      .first('n')
    expect(jobs).toBe(0)
  })

  it('waits when it asks too often, and fails with the reason when the secret ends', async () => {
    const { organization, world } = await openForeign('calendly', { emails: STUDIO })
    const late = { status: 429, headers: { 'X-RateLimit-Reset': '0' }, json: {} }
    await world.troubles([{ about: '/scheduled_events', ...late, times: 3 }])
    const job = await importWhole('calendly', organization)
    expect(job).toMatchObject({ status: 'done', made: { bookings: 9 } })
    const next = await openForeign('calendly', { emails: STUDIO })
    await next.world.troubles([{ about: '/event_types', status: 401, json: {}, times: null }])
    const failed = await importWhole('calendly', next.organization)
    expect(failed.status).toBe('failed')
    expect(whyOf(failed, 'Everything else').length).toBe(1)
  })

  it('reads every page, beyond the month of the plan, and sends the secret to no other host', async () => {
    const { organization, world } = await openForeign('calendly', { emails: STUDIO, tier: 'starter' })
    const elsewhere = (await openForeign('calendly')).world
    Object.assign(env, { CALENDLY_API_BASE: world.base })
    await world.set({ origin: elsewhere.base })
    await world.control('POST', '/schedule', { count: 230 })
    const job = await importWhole('calendly', organization)
    expect(job.status).toBe('done')
    expect(job.made.bookings).toBeGreaterThan(100)
    expect((await elsewhere.look()).calls).toEqual([])
    expect((await world.look()).calls!.some(({ query }: any) => query.page_token)).toBe(true)
  })

  it('stores no hash of the secret under an Idempotency-Key, and decides again after a refusal', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const ask = (body: any) =>
      call('POST', '/v1/import/calendly', {
        key: organization.liveKey,
        body,
        headers: { 'Idempotency-Key': 'once' },
      })
    expect((await ask({ token: 'not-a-token' })).status).toBe(400)
    const first = await ask(secretOf('calendly'))
    expect(first.status).toBe(202)
    const again = await ask({ token: 'whichever-it-is' })
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      202,
      first.body.id,
      'true',
    ])
    await ended(organization, first.body.id)
    const { results } = await env.DB.prepare('SELECT request_hash FROM idempotency_keys WHERE scope = ?')
      .bind(`${organization.id}/live`)
      .all<{ request_hash: string }>()
    const target = 'POST /v1/import/calendly?'
    const withSecret = await sha256(`${target}\n${JSON.stringify(secretOf('calendly'))}`)
    const without = await sha256(`${target}\n`)
    expect(results.map((row) => row.request_hash)).toEqual([without])
    expect(without).not.toBe(withSecret)
  })

  it('stores the secret nowhere', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const { token } = secretOf('calendly') as { token: string }
    const hash = await sha256(token)
    const logged = ['log', 'info', 'warn', 'error'].map((how) => vi.spyOn(console, how as 'log'))
    const started = await call('POST', '/v1/import/calendly', {
      key: organization.liveKey,
      body: { token },
      headers: { 'Idempotency-Key': 'with-a-key' },
    })
    expect(JSON.stringify([started.body, [...started.headers]])).not.toContain(token)
    await ended(organization, started.body.id)
    const lines = logged.flatMap((spy) => spy.mock.calls)
    expect(JSON.stringify(lines)).not.toContain(token)
    vi.restoreAllMocks()
    const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    for (const { name } of results as { name: string }[]) {
      if (name.startsWith('sqlite_') || name.startsWith('_cf')) continue
      const rows = await env.DB.prepare(`SELECT * FROM "${name}"`).all()
      expect(JSON.stringify(rows.results)).not.toContain(token)
      expect(JSON.stringify(rows.results)).not.toContain(hash)
    }
    const object = env.IMPORTS.getByName(`${organization.id}/calendly`)
    const kept = await runInDurableObject(object, (_, state) => state.storage.list())
    expect(JSON.stringify([...kept])).not.toContain(token)
  })

  it('imports what a user may read who is not an admin there', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const job = await importWhole('calendly', organization, secretOf('calendly', 'cem'))
    expect(job.status).toBe('done')
    expect((await typesOf(organization)).map((one) => one.title)).toContain('15 Minute Meeting')
    expect(whyOf(job, 'Other people of the organization')).toEqual(['The secret may not read it.'])
  })

  it('never books a host twice, whatever was booked here before', async () => {
    const { organization } = await openForeign('calendly')
    await addMember(organization, 'ada.berger@example.com')
    const { results } = await env.DB.prepare(
      'SELECT id FROM members WHERE organization_id = ? AND user_email = ?',
    )
      .bind(organization.id, 'ada.berger@example.com')
      .all<{ id: string }>()
    const { id } = await createEventType(organization.liveKey, { duration_minutes: 480 })
    await call('POST', `/v1/event-types/${id}/hosts`, {
      key: organization.liveKey,
      body: { member_id: results[0]!.id },
    })
    const preview = await importFrom('calendly', organization, undefined, '?dry_run=true')
    const start = preview.body.would_make
      .find((one: any) => one.what.startsWith('Consultation, '))
      .what.slice(14)
    const booked = await call('POST', '/v1/bookings', {
      key: organization.liveKey,
      body: {
        event_type_id: id,
        start_time: start,
        invitee_name: 'First',
        invitee_email: 'first@example.com',
        override: ['hours', 'grid', 'notice', 'window'],
      },
    })
    expect(booked).toMatchObject({ status: 201 })
    const job = await importWhole('calendly', organization)
    expect(whyOf(job, `Consultation, ${start}`)).toEqual([
      'Its host, or its event type, has another booking at that time.',
    ])
  })
})
