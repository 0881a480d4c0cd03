import { describe, expect, it } from 'vitest'
import { connectAgent } from '../support/agent.ts'
import { call, callAsService } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { formOf, visit, wordsOf } from '../support/pages.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000

const others = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `Guest ${at}`, email: `guest-${at}@example.com` }))

async function world(limit?: number | null) {
  const organization = await createOrganization()
  const set = (attendees_per_booking: unknown) =>
    callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { attendees_per_booking } },
    })
  if (limit !== undefined) await set(limit)
  const eventType = await createEventType(organization.liveKey, {
    max_attendees: 30,
    booking_page_enabled: true,
  })
  return {
    ...organization,
    id: eventType.id as string,
    slug: eventType.slug as string,
    page: organization.slug,
    set,
  }
}

const refused = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error?.code,
  body.error?.details,
]
const OVER = [400, 'bad_request', { limit: 'attendees_per_booking', field: 'attendees' }]

describe('the attendees of a booking without a key', () => {
  it('are at most ten with the invitee, and as many as there are seats with a key', async () => {
    const { id, liveKey: key } = await world()
    expect((await book(id, SLOT, { attendees: others(9) })).status).toBe(201)
    const later = SLOT + 3_600_000
    expect(refused(await book(id, later, { attendees: others(10) }))).toEqual(OVER)
    const dry = await call('POST', '/v1/bookings?dry_run=true', {
      body: {
        event_type_id: id,
        start_time: iso(later),
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
        attendees: others(10),
      },
    })
    expect(refused(dry)).toEqual(OVER)
    // The invitee may be repeated, and counts once.
    const self = [...others(9), { name: 'Ada', email: 'ADA@example.com' }]
    expect((await book(id, later, { attendees: self })).status).toBe(201)
    const body = {
      event_type_id: id,
      start_time: iso(SLOT + 7_200_000),
      invitee_name: 'Ada',
      invitee_email: 'ada@example.com',
      attendees: others(20),
    }
    expect((await call('POST', '/v1/bookings', { key, body })).status).toBe(201)
  })

  it('are limited in a hold that is confirmed, too, which stays held', async () => {
    const { id, liveKey: key } = await world()
    const asked = { event_type_id: id, start_time: iso(SLOT), seats: 12 }
    const { body: held } = await call('POST', '/v1/holds', { body: asked })
    const confirm = (count: number, as?: string) =>
      call('POST', `/v1/holds/${held.id}/confirm?token=${held.token}`, {
        body: { invitee_name: 'Ada', invitee_email: 'ada@example.com', attendees: others(count) },
        ...(as && { key: as }),
      })
    expect(refused(await confirm(10))).toEqual(OVER)
    expect((await confirm(10, key)).status).toBe(201)
  })

  it('are limited for agents, and on the page, which says so', async () => {
    const { id, slug, page } = await world(3)
    const agent = await connectAgent()
    const { body } = await agent.call('book', {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Ada',
      invitee_email: 'ada@example.com',
      attendees: others(3),
    })
    expect([body.error.code, body.error.details]).toEqual([
      'bad_request',
      { limit: 'attendees_per_booking', field: 'attendees' },
    ])
    const path = `/book/${page}/${slug}?tz=UTC&time=${iso(SLOT)}`
    const form = formOf(await visit(path), '/book/')
    const guests = others(3)
      .map(({ email }) => email)
      .join('\n')
    const answer = await visit(form.action, {
      form: { ...form.fields, name: 'Ada', email: `${unique('ada')}@example.com`, guests },
    })
    expect([answer.status, wordsOf(answer)]).toEqual([
      422,
      expect.stringContaining('So many people cannot be booked at once here.'),
    ])
  })

  it('are limited by what the organization sets from 1 to 100, at once', async () => {
    const { id, set } = await world()
    expect((await book(id, SLOT, { attendees: others(1) })).status).toBe(201)
    const { status, body } = await set(1)
    expect([status, body.public_limits.attendees_per_booking]).toEqual([200, 1])
    expect(refused(await book(id, SLOT + 3_600_000, { attendees: others(1) }))).toEqual(OVER)
    for (const wrong of [0, 101, 1.5, '5']) {
      const told = await set(wrong)
      expect([wrong, told.status, Object.keys(told.body.error.details)]).toEqual([
        wrong,
        400,
        ['public_limits.attendees_per_booking'],
      ])
    }
    expect((await set(null)).body.public_limits.attendees_per_booking).toBe(10)
    expect((await book(id, SLOT + 3_600_000, { attendees: others(1) })).status).toBe(201)
  })
})
