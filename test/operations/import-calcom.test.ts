import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { importFrom, importWhole, listed, openForeign, secretOf } from '../support/foreign.ts'

const STUDIO = ['ada.berger@example.com', 'ben.okafor@example.com', 'cem.yilmaz@example.com']

const typesOf = (organization: any) => listed(organization, '/v1/event-types?limit=100')
const bookingsOf = (organization: any) => listed(organization, '/v1/bookings?limit=100')
const whyOf = (job: any, what: string) =>
  job.left_out.filter((one: any) => one.what.includes(what)).map((one: any) => one.why)
const titled = (types: any[], title: string) => types.find((one) => one.title === title)

describe('an import from Cal.com', () => {
  it('makes the hours, event types and upcoming bookings of a team', async () => {
    const { organization } = await openForeign('calcom', { emails: STUDIO })
    const job = await importWhole('calcom', organization)
    expect(job).toMatchObject({ status: 'done', made: { schedules: 4, event_types: 9, bookings: 11 } })
    const types = await typesOf(organization)
    expect(titled(types, 'Intro call')).toMatchObject({
      minimum_notice_minutes: 240,
      buffer_before_minutes: 5,
      buffer_after_minutes: 10,
      slot_interval_minutes: 30,
      booking_cap: 4,
      booking_cap_period: 'daily',
      booking_window_days: 14,
      places: [{ kind: 'phone_out' }],
    })
    expect(titled(types, 'Intro call').questions.map((one: any) => one.type)).toEqual([
      ...['short_text', 'long_text', 'choice', 'choices', 'checkbox', 'choices', 'choice'],
      ...['number', 'url', 'short_text', 'phone', 'long_text', 'date'],
    ])
    expect(titled(types, 'Yoga class')).toMatchObject({ max_attendees: 12, bookable_until: '2031-12-31' })
    expect(titled(types, 'Coaching, weekly')).toMatchObject({ series_max: 4 })
    expect(titled(types, 'Portfolio review')).toMatchObject({ requires_approval: true, price_amount: null })
    expect(titled(types, 'For clients only')).toMatchObject({ listed: false })
    expect(titled(types, 'Sales call')).toMatchObject({ assignment_strategy: 'round_robin' })
    const schedules = await listed(organization, '/v1/schedules?limit=100')
    const working = schedules.find((one) => one.timezone === 'Europe/Berlin')
    expect(working.overrides.slice(1).map((one: any) => one.intervals.length)).toEqual([0, 2])
    expect(schedules.find((one) => one.name === 'Evenings').rules[0].end_time).toBe('24:00')
  })

  it('takes over requests, seats, answers and guests', async () => {
    const { organization } = await openForeign('calcom', { emails: STUDIO })
    await importWhole('calcom', organization)
    const bookings = await bookingsOf(organization)
    const of = (email: string) => bookings.filter((one) => one.invitee_email === email)
    const [pending] = of('hedy.lamarr@example.net')
    expect(pending).toMatchObject({ status: 'pending_approval' })
    const approved = await call('POST', `/v1/bookings/${pending.id}/approve`, {
      key: organization.liveKey,
      body: {},
    })
    expect([approved.status, approved.body.status]).toEqual([200, 'confirmed'])
    const seats = [...of('niklaus.wirth@example.net'), ...of('ken.thompson@example.net')]
    expect(seats.length).toBe(2)
    expect(seats[0].session_id).toBe(seats[1].session_id)
    expect(of('margaret.hamilton@example.net')[0].guests).toEqual([])
    expect(of('grace.hopper@example.net').length).toBe(4)
    const intro = of('grace.hopper@example.net').find((one) => one.guests.length === 1)
    const { body } = await call('GET', `/v1/bookings/${intro.id}`, { key: organization.liveKey })
    expect(body).toMatchObject({
      invitee_phone: '+12025550123',
      notes: 'Compilers,\nand bugs',
      guests: [{ email: 'friend@example.net' }],
      answers: { company: 'Navy', employees: '11-20', topics: ['Design', 'Web'], terms: true, seats: 3 },
    })
    expect(Object.values(body.answers)).toContain('The question is no longer there')
  })

  it('names what it leaves out with the reason', async () => {
    const { organization } = await openForeign('calcom', { emails: STUDIO })
    const job = await importWhole('calcom', organization)
    expect(whyOf(job, 'Price of Portfolio review').length).toBe(1)
    expect(new Set(whyOf(job, ': Cal Video'))).toEqual(new Set(['There is nothing like this place here.']))
    expect(whyOf(job, 'Support group, ')).toEqual(['The other service does not say who booked it.'])
    expect(whyOf(job, 'Old format, ')).toEqual(['Its event type is gone there, or was not imported.'])
    expect(whyOf(job, 'Sales call, ')).toEqual(['Its host does not host this event type here.'])
    expect(whyOf(job, 'Booking limit per week of Intro call')).toEqual(['An event type has one limit here.'])
  })

  it('makes fixed hosts required, and chooses the host of a booking from the others', async () => {
    const { organization, world } = await openForeign('calcom', { emails: STUDIO })
    const { bookings } = await world.look()
    const found = bookings!.find(({ uid }) => uid === 'uidRoundRobin')!
    // The fixed host organizes it, so that the other one is an attendee.
    const ada = bookings!.find(({ uid }) => uid === 'uidCollective')!.hosts
    const both = { hosts: ada, _otherHosts: [(found.hosts as any[])[0].id] }
    await world.control('PUT', `/objects/bookings/${found.id}`, both)
    const job = await importWhole('calcom', organization)
    const sales = titled(await typesOf(organization), 'Sales call')
    const hosts = await listed(organization, `/v1/event-types/${sales.id}/hosts`)
    const partOf = (name: string) => hosts.find((one) => one.member_email.startsWith(name)).part
    expect(['ada', 'ben', 'cem'].map(partOf)).toEqual(['required', 'pool', 'pool'])
    expect(whyOf(job, 'Hosts who always take part')).toEqual([])
    const radia = (await bookingsOf(organization)).find((one) => one.invitee_name === 'Radia Perlman')
    const { body } = await call('GET', `/v1/bookings/${radia.id}`, { key: organization.liveKey })
    expect(body.hosts.map((one: any) => one.member_id).sort()).toEqual(
      ['ada', 'ben'].map((name) => hosts.find((one) => one.member_email.startsWith(name)).member_id).sort(),
    )
    expect(body.guests).toEqual([])
  })

  it('makes nothing twice, not a seat either', async () => {
    const { organization } = await openForeign('calcom', { emails: STUDIO })
    await importWhole('calcom', organization)
    const again = await importWhole('calcom', organization)
    expect(again.made).toEqual({ schedules: 0, event_types: 0, bookings: 0 })
    expect((await bookingsOf(organization)).length).toBe(11)
    const { results } = await env.DB.prepare('SELECT source FROM imported_from WHERE organization_id = ?')
      .bind(organization.id)
      .all()
    expect(JSON.stringify(results)).not.toContain('@')
  })

  it('reads every page, lists a dry run, and names a refused key', async () => {
    const { organization, world } = await openForeign('calcom', { emails: ['sol.marin@example.com'] })
    await world.control('POST', '/book', { count: 230 })
    const dry = await importFrom('calcom', organization, secretOf('calcom', 'sol'), '?dry_run=true')
    expect(dry.body.would_make.filter((one: any) => one.type === 'booking').length).toBeGreaterThan(200)
    const job = await importWhole('calcom', organization, secretOf('calcom', 'sol'))
    expect(job.made.bookings).toBeGreaterThan(200)
    const refused = await importFrom('calcom', organization, { api_key: 'cal_live_wrong' })
    expect([refused.status, refused.body.error.details]).toEqual([400, { code: 'refused', field: 'api_key' }])
  })
})
