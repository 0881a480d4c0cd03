import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { createOrganization, iso, unique } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { DAY_MS, FIRST, seriesWorld, startsIn, WEEK_MS, weeks } from '../support/series.ts'

/** Instead of a first start and a count. */
const OWN = { start_time: undefined, count: undefined }

describe('a series', () => {
  it('books all starts a week apart, each with a token of its own', async () => {
    const { weekly, booked, key } = await seriesWorld()
    const { status, body } = await weekly(4, { notes: 'With my own guitar', metadata: { room: 3 } })
    expect(status).toBe(201)
    expect(startsIn(body)).toEqual(weeks(4))
    expect(body.skipped).toEqual([])
    const tokens = [body.cancel_token, ...body.bookings.map((one: any) => one.cancel_token)]
    expect(new Set(tokens).size).toBe(5)
    expect(body.bookings.every((one: any) => one.series_id === body.id && one.status === 'confirmed')).toBe(
      true,
    )
    expect(body.bookings[2]).toMatchObject({ notes: 'With my own guitar', metadata: { room: 3 } })
    expect((await booked()).map(({ id }) => id).sort()).toEqual(body.bookings.map(({ id }: any) => id).sort())
    const one = await call('GET', `/v1/bookings/${body.bookings[1].id}`, { key })
    expect(one.body).toMatchObject({ series_id: body.id, start_time: weeks(2)[1] })
  })

  it('takes steps of several weeks, and starts of its own in any order', async () => {
    const { weekly, create } = await seriesWorld()
    const spaced = await weekly(3, { every_weeks: 2 })
    expect(startsIn(spaced.body)).toEqual([0, 2, 4].map((at) => iso(FIRST + at * WEEK_MS)))
    const starts = [3, 1, 2].map((at) => iso(FIRST + at * DAY_MS))
    const own = await create({ starts })
    expect(own.status).toBe(201)
    expect(startsIn(own.body)).toEqual([...starts].sort())
  })

  it.each([
    [{ count: 3, starts: weeks(2) }, ['count', 'start_time']],
    [{ start_time: undefined, count: 2 }, ['start_time']],
    [{ count: undefined }, ['count']],
    [{ count: 1 }, ['count']],
    [{ count: 53 }, ['count']],
    [{ count: 2, every_weeks: 9 }, ['every_weeks']],
    [{ count: 52, every_weeks: 3 }, ['count']],
    [{ ...OWN, starts: [weeks(1)[0], weeks(1)[0]] }, ['starts']],
    [{ ...OWN, starts: [iso(FIRST), iso(FIRST + 60_000)] }, ['starts']],
    [{ ...OWN, starts: [iso(FIRST), iso(FIRST + 800 * DAY_MS)] }, ['starts']],
    [{ ...OWN, starts: weeks(2), every_weeks: 1 }, ['every_weeks']],
    [{ count: 2, on_conflict: 'shift' }, ['on_conflict']],
    [{ count: 2, invitee_email: 'nobody' }, ['invitee_email']],
  ])('with %j is refused by its field and books nothing', async (body, fields) => {
    const { weekly, booked } = await seriesWorld()
    const { status, body: answer } = await weekly(2, body)
    expect([status, answer.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(answer.error.details).sort()).toEqual(fields)
    expect(await booked()).toEqual([])
  })

  it('with a start that is not open books none, and says why of each', async () => {
    const { weekly, book, booked } = await seriesWorld({ booking_window_days: 25 })
    await book(FIRST + WEEK_MS)
    const { status, body } = await weekly(4)
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    expect(body.error.details).toEqual({
      conflicts: [
        { start_time: weeks(2)[1], code: 'booked' },
        { start_time: weeks(4)[3], code: 'too_far' },
      ],
    })
    expect(await booked()).toHaveLength(1)
  })

  it('that skips books the open starts and lists the others', async () => {
    const { weekly, book, read } = await seriesWorld()
    await book(FIRST + WEEK_MS)
    const { status, body } = await weekly(3, { on_conflict: 'skip' })
    const skipped = [{ start_time: weeks(2)[1], code: 'booked' }]
    expect([status, body.skipped]).toEqual([201, skipped])
    expect(startsIn(body)).toEqual([weeks(3)[0], weeks(3)[2]])
    expect((await read(body.id)).body).toMatchObject({ id: body.id, skipped })
  })

  it('that skips everything is refused', async () => {
    const { weekly, book } = await seriesWorld()
    await book(FIRST)
    await book(FIRST + WEEK_MS)
    const { status, body } = await weekly(2, { on_conflict: 'skip' })
    expect([status, body.error.details.conflicts.length]).toEqual([409, 2])
  })

  it('judges each start on the ones before it', async () => {
    const { create, weekly } = await seriesWorld({ buffer_after_minutes: 30 })
    const starts = [0, 1, 2].map((at) => iso(FIRST + at * 1_800_000))
    const { body } = await create({ starts, on_conflict: 'skip' })
    expect(startsIn(body)).toEqual([starts[0], starts[2]])
    expect(body.skipped).toEqual([{ start_time: starts[1], code: 'booked' }])
    const limited = await seriesWorld({ invitee_limit: 2 })
    const third = await limited.weekly(3, { on_conflict: 'skip' })
    expect(third.body.skipped).toEqual([{ start_time: weeks(3)[2], code: 'invitee_limit_reached' }])
    const capped = await seriesWorld({ booking_cap: 2, booking_cap_period: 'total' })
    const full = await capped.weekly(3)
    expect(full.body.error.details.conflicts).toEqual([{ start_time: weeks(3)[2], code: 'cap_reached' }])
    expect(
      (await weekly(2, { start_time: iso(FIRST - 4 * WEEK_MS) })).body.error.details.conflicts[0].code,
    ).toBe('in_past')
  })

  it('names the starts that the invitee has already, to callers with a key', async () => {
    const { weekly, book, email, key } = await seriesWorld()
    await book(FIRST + WEEK_MS, { invitee_email: email })
    const keyed = await weekly(2, {}, { key })
    expect(keyed.body.error.details.conflicts).toEqual([{ start_time: weeks(2)[1], code: 'already_booked' }])
    const keyless = await weekly(2, {}, {})
    expect(keyless.body.error.details.conflicts).toEqual([{ start_time: weeks(2)[1], code: 'booked' }])
  })

  it('joins the sessions of a class, opens the others, and takes no seat twice', async () => {
    const { weekly, book, booked } = await seriesWorld({ max_attendees: 2 })
    const there = await book(FIRST + WEEK_MS)
    const { status, body } = await weekly(3)
    expect(status).toBe(201)
    expect(body.bookings[1].session_id).toBe(there.body.session_id)
    expect(new Set(body.bookings.map((one: any) => one.session_id)).size).toBe(3)
    const again = await weekly(3)
    expect(again.body.error.details.conflicts).toEqual([
      { start_time: weeks(3)[0], code: 'already_booked' },
      { start_time: weeks(3)[1], code: 'already_booked' },
      { start_time: weeks(3)[2], code: 'already_booked' },
    ])
    expect(await booked()).toHaveLength(4)
  })

  it('gives its bookings to hosts by the strategy, one after another', async () => {
    const world = await seriesWorld({ assignment_strategy: 'round_robin' })
    const hosts = await addHosts(world.organization, world.key, world.id, 2)
    const { body } = await world.weekly(4)
    const chosen = body.bookings.map((one: any) => one.assigned_host.member_id)
    expect(chosen).toEqual([chosen[0], chosen[1], chosen[0], chosen[1]])
    expect([chosen[0], chosen[1]].sort()).toEqual([...hosts].sort())
    const listed = await call('GET', `/v1/event-types/${world.id}/hosts`, { key: world.key })
    expect(listed.body.data.map((one: any) => one.total_bookings)).toEqual([2, 2])
  })

  it('counts each of its bookings for all hosts where all are needed', async () => {
    const world = await seriesWorld({ assignment_strategy: 'none' })
    await addHosts(world.organization, world.key, world.id, 2)
    expect((await world.weekly(4)).status).toBe(201)
    const listed = await call('GET', `/v1/event-types/${world.id}/hosts`, { key: world.key })
    expect(listed.body.data.map((one: any) => one.total_bookings)).toEqual([4, 4])
  })

  it('is booked for somebody with only a phone number, with a key', async () => {
    const { weekly } = await seriesWorld({ invitee_limit: 1 })
    const { status, body } = await weekly(2, { invitee_email: null, invitee_phone: '+4930901820' })
    expect([status, body.bookings?.[1].attendees[0].email]).toEqual([201, null])
    const nobody = await weekly(2, { invitee_email: null })
    expect([nobody.status, Object.keys(nobody.body.error.details)]).toEqual([400, ['invitee_phone']])
  })

  it('is refused where bookings cost something, and where the plan ends in the middle', async () => {
    const paid = await seriesWorld({ price_amount: 1000 })
    const refused = await paid.weekly(2)
    expect([refused.status, refused.body.error.details.code]).toEqual([400, 'series_is_paid'])
    const small = await createOrganization({ tier: 'free' })
    const { id } = (
      await call('POST', '/v1/event-types', {
        key: small.liveKey,
        body: { title: 'Lesson', slug: unique('lesson'), duration_minutes: 30 },
      })
    ).body
    const month = new Date().toISOString().slice(0, 7)
    await env.DB.prepare(
      `INSERT INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?, ?, 49, 50)
       ON CONFLICT DO UPDATE SET bookings = 49`,
    )
      .bind(small.id, month)
      .run()
    await call('PUT', `/v1/event-types/${id}/availability`, {
      key: small.liveKey,
      body: {
        rules: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
          day_of_week,
          start_time: '00:00',
          end_time: '24:00',
        })),
      },
    })
    for (const on_conflict of ['fail', 'skip']) {
      const { status, body } = await call('POST', '/v1/series', {
        key: small.liveKey,
        body: {
          event_type_id: id,
          start_time: iso(FIRST),
          count: 2,
          on_conflict,
          invitee_name: 'Ada',
          invitee_email: 'ada@example.com',
        },
      })
      expect([status, body.error.code, body.error.details.limit]).toEqual([
        403,
        'plan_limit_exceeded',
        'bookings_per_month',
      ])
    }
  })

  it('counts each booking in the month and in the hosts’ statistics', async () => {
    const { weekly, organization } = await seriesWorld({}, 'live')
    await weekly(5)
    const counted = await env.DB.prepare(
      'SELECT bookings, days FROM booking_quotas WHERE organization_id = ?',
    )
      .bind(organization.id)
      .first<{ bookings: number; days: string }>()
    expect(counted!.bookings).toBe(5)
    expect(Object.values(JSON.parse(counted!.days))).toEqual([5])
  })

  it('is one event, followed by one of each booking', async () => {
    const { weekly, events, id } = await seriesWorld()
    const { body } = await weekly(3)
    const told = await events()
    expect(told.map(({ event }) => event)).toEqual([
      'series.created',
      'booking.created',
      'booking.created',
      'booking.created',
    ])
    expect(told[0].data).toEqual({
      id: body.id,
      event_type_id: id,
      bookings: body.bookings.map((one: any) => one.id),
      skipped: [],
    })
    expect(told.slice(1).map(({ data }) => data.id)).toEqual(told[0].data.bookings)
    expect(told.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3].map((at) => told[0].sequence + at))
    expect(Object.keys(told[1])).not.toContain('series_bookings')
  })

  it('is the entry of each booking in the activity log', async () => {
    for (const mode of ['live', 'test'] as const) {
      const { weekly, key } = await seriesWorld({}, mode)
      const { body } = await weekly(2)
      const logged = await call('GET', '/v1/activity?action=booking.created', { key })
      expect(logged.body.data.map((one: any) => one.changes.series_id)).toEqual([body.id, body.id])
    }
  })

  it('is found among the bookings by its id', async () => {
    const { weekly, book, key } = await seriesWorld()
    const { body } = await weekly(3)
    await book(FIRST + 3_600_000)
    const listed = await call('GET', `/v1/bookings?series_id=${body.id}`, { key })
    expect(listed.body.data.map(({ id }: any) => id).sort()).toEqual(
      body.bookings.map(({ id }: any) => id).sort(),
    )
    expect((await call('GET', '/v1/bookings?series_id=nothing', { key })).status).toBe(404)
  })

  it('is repeated by its Idempotency-Key, and books nothing in a dry run', async () => {
    const { weekly, booked, key, events } = await seriesWorld()
    const dry = await weekly(3, {}, { key }, '?dry_run=true')
    expect([dry.status, dry.headers.get('Dry-Run'), startsIn(dry.body)]).toEqual([201, 'true', weeks(3)])
    expect([await booked(), await events()]).toEqual([[], []])
    const headers = { 'Idempotency-Key': unique('series') }
    const first = await weekly(3, {}, { key, headers })
    const again = await weekly(3, {}, { key, headers })
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await booked()).toHaveLength(3)
  })

  it('keeps its other bookings when one of them moves or is cancelled', async () => {
    const { weekly, key, read } = await seriesWorld()
    const { body } = await weekly(3)
    const [one, two, three] = body.bookings
    const moved = await call('POST', `/v1/bookings/${one.id}/reschedule?token=${one.cancel_token}`, {
      body: { new_start_time: iso(FIRST + DAY_MS) },
    })
    expect([moved.status, moved.body.series_id]).toEqual([200, body.id])
    await call('POST', `/v1/bookings/${two.id}/cancel`, { key, body: {} })
    const { bookings } = (await read(body.id)).body
    expect(bookings.map((row: any) => [row.id, row.status])).toEqual([
      [one.id, 'rescheduled'],
      [two.id, 'cancelled'],
      [three.id, 'confirmed'],
    ])
  })
})

describe('a series without a key', () => {
  it('has at most as many starts as the event type allows', async () => {
    const { weekly, id } = await seriesWorld({ series_max: 3 })
    expect((await weekly(3, {}, {})).status).toBe(201)
    const { status, body } = await weekly(4, { start_time: iso(FIRST + DAY_MS) }, {})
    expect([status, body.error.code, body.error.details.code]).toEqual([403, 'forbidden', 'series_limit'])
    for (const series_max of [0, 1]) {
      const none = await seriesWorld({ series_max })
      expect((await none.weekly(2, {}, {})).body.error.details.code).toBe('series_limit')
      expect((await none.weekly(2)).status).toBe(201)
    }
    expect(id).toBeDefined()
  })

  it('counts once for its address, and per booking for its network', async () => {
    const world = await seriesWorld({ series_max: 10 })
    const { organization, weekly } = world
    const asked = { headers: { 'CF-Connecting-IP': '198.51.100.7' } }
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { active_per_email: 2, bookings_per_network_hour: 6 } },
    })
    expect((await weekly(3, {}, asked)).status).toBe(201)
    const second = await weekly(4, { start_time: iso(FIRST + DAY_MS) }, asked)
    expect([second.status, second.body.error.details.limit]).toEqual([429, 'bookings_per_network_hour'])
    const fits = await weekly(3, { start_time: iso(FIRST + DAY_MS) }, asked)
    expect(fits.status).toBe(201)
    const other = { headers: { 'CF-Connecting-IP': '198.51.100.8' } }
    const third = await weekly(2, { start_time: iso(FIRST + 2 * DAY_MS) }, other)
    expect([third.status, third.body.error.details.limit]).toEqual([429, 'active_per_email'])
  })
})

describe('cancelling a series', () => {
  it('cancels all that have not begun, with one event each, and again changes nothing', async () => {
    const { weekly, cancel, events, booked } = await seriesWorld()
    const { body } = await weekly(3)
    const ids = body.bookings.map((one: any) => one.id)
    const dry = await cancel(body.id, {}, undefined, '?dry_run=true')
    expect([dry.status, dry.body.cancelled]).toEqual([200, ids])
    const { status, body: after } = await cancel(body.id, { reason: 'Moved away' })
    expect([status, after.id, after.cancelled]).toEqual([200, body.id, ids])
    expect(after.bookings.every((one: any) => one.status === 'cancelled')).toBe(true)
    expect((await booked()).every((one) => one.cancel_reason === 'Moved away')).toBe(true)
    const told = (await events()).filter(({ event }) => event === 'booking.cancelled')
    expect(told.map(({ data }) => data.id)).toEqual(ids)
    const again = await cancel(body.id)
    expect([again.status, again.body.cancelled]).toEqual([200, []])
    const { results } = await env.DB.prepare(
      'SELECT holder_id FROM holds WHERE holder_id IN (SELECT id FROM bookings WHERE series_id = ?)',
    )
      .bind(body.id)
      .all()
    expect(results).toEqual([])
  })

  it('cancels from an instant on, where the bookings are now', async () => {
    const { weekly, cancel, key } = await seriesWorld()
    const { body } = await weekly(3)
    const [one, two, three] = body.bookings
    await call('POST', `/v1/bookings/${one.id}/reschedule`, {
      key,
      body: { new_start_time: iso(FIRST + 5 * WEEK_MS) },
    })
    const { body: after } = await cancel(body.id, { from: iso(FIRST + 2 * WEEK_MS) })
    expect(after.cancelled.sort()).toEqual([one.id, three.id].sort())
    expect(after.bookings.find((row: any) => row.id === two.id).status).toBe('confirmed')
  })

  it('takes the series’ token, and no token of a booking', async () => {
    const { weekly, cancel, read } = await seriesWorld()
    const { body } = await weekly(2)
    const [one] = body.bookings
    const wrong = await cancel(body.id, {}, {}, `?token=${one.cancel_token}`)
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'unauthorized'])
    const other = await call('GET', `/v1/bookings/${one.id}?token=${body.cancel_token}`)
    expect(other.status).toBe(401)
    const seen = await call('GET', `/v1/series/${body.id}`, {
      headers: { Authorization: `Bearer ${body.cancel_token}` },
    })
    expect([seen.status, startsIn(seen.body)]).toEqual([200, weeks(2)])
    const done = await cancel(body.id, {}, {}, `?token=${body.cancel_token}`)
    expect([done.status, done.body.cancelled.length]).toEqual([200, 2])
    expect(done.body.bookings[0].cancelled_by).toEqual({ type: 'invitee' })
    expect((await read(body.id)).body.bookings[0].status).toBe('cancelled')
  })

  it('by the token is judged by the notice of each booking, all or none', async () => {
    const notice = { cancel_notice_minutes: 43_200 }
    const { weekly, cancel, booked } = await seriesWorld(notice)
    const { body } = await weekly(6)
    const token = `?token=${body.cancel_token}`
    const late = await cancel(body.id, {}, {}, token)
    expect([late.status, late.body.error.details.code]).toEqual([403, 'too_late'])
    expect((await booked()).every(({ status }) => status === 'confirmed')).toBe(true)
    const rest = await cancel(body.id, { from: iso(FIRST + 4 * WEEK_MS) }, {}, token)
    expect([rest.status, rest.body.cancelled.length]).toEqual([200, 2])
  })

  it('leaves bookings alone that went to another address, and hides them from the token', async () => {
    const { weekly, cancel, key } = await seriesWorld()
    const { body } = await weekly(3)
    const [one] = body.bookings
    await call('PATCH', `/v1/bookings/${one.id}`, { key, body: { invitee_email: 'grace@example.com' } })
    const token = `?token=${body.cancel_token}`
    const seen = await call('GET', `/v1/series/${body.id}${token}`)
    expect(startsIn(seen.body)).toEqual(weeks(3).slice(1))
    const { body: after } = await cancel(body.id, {}, {}, token)
    expect(after.cancelled).toHaveLength(2)
  })

  it('offers the released times to the waitlist before anybody else', async () => {
    const { weekly, cancel, id, key, booked } = await seriesWorld({ waitlist_enabled: true })
    const { body } = await weekly(3)
    const joined = []
    for (const start_time of weeks(2)) {
      const invitee_email = `${unique('waiting')}@example.com`
      const asked = { event_type_id: id, invitee_name: 'Wanda', invitee_email, start_time }
      joined.push((await call('POST', '/v1/waitlist', { body: asked })).body)
    }
    expect((await cancel(body.id)).status).toBe(200)
    for (const { id: entry } of joined) {
      expect((await call('GET', `/v1/waitlist/${entry}`, { key })).body.status).toBe('promoted')
    }
    const active = (await booked()).filter(({ status }) => status === 'confirmed')
    expect(active.map(({ start_time }) => start_time).sort()).toEqual(weeks(2))
  })

  it('of another organization or mode is not found', async () => {
    const { weekly, organization } = await seriesWorld()
    const { body } = await weekly(2)
    const stranger = await createOrganization()
    for (const key of [stranger.testKey, organization.liveKey]) {
      expect((await call('GET', `/v1/series/${body.id}`, { key })).status).toBe(404)
      expect((await call('POST', `/v1/series/${body.id}/cancel`, { key, body: {} })).status).toBe(404)
    }
    expect((await call('GET', '/v1/series/nothing', { key: stranger.testKey })).status).toBe(404)
  })
})

describe('a series that needs an approval', () => {
  const decide = (seriesId: string, verb: string, key: string, query = '') =>
    call('POST', `/v1/series/${seriesId}/${verb}${query}`, { key, body: {} })

  it('is requested whole and approved whole', async () => {
    const { weekly, key, events, booked } = await seriesWorld({
      requires_approval: true,
      approval_ttl_minutes: 10_080,
    })
    const { body } = await weekly(3)
    expect(body.bookings.map((one: any) => one.status)).toEqual(Array(3).fill('pending_approval'))
    expect((await decide(body.id, 'approve', key, '?dry_run=true')).body.bookings[0].status).toBe('confirmed')
    const { status, body: after } = await decide(body.id, 'approve', key)
    expect([status, after.bookings.map((one: any) => one.status)]).toEqual([200, Array(3).fill('confirmed')])
    expect((await booked()).every((one) => one.status === 'confirmed')).toBe(true)
    expect((await decide(body.id, 'approve', key)).status).toBe(200)
    expect((await decide(body.id, 'decline', key)).status).toBe(409)
    const kinds = (await events()).map(({ event }) => event)
    expect(kinds).toEqual([
      'series.created',
      ...Array(3).fill('booking.requested'),
      ...Array(3).fill('booking.confirmed'),
    ])
    const { results } = await env.DB.prepare(
      'SELECT reminder_minutes, next_reminder_at - start_time AS ahead FROM bookings WHERE series_id = ?',
    )
      .bind(body.id)
      .all()
    expect(results).toEqual(Array(3).fill({ reminder_minutes: '[60]', ahead: -3_600_000 }))
  })

  it('is declined whole, and counts no longer in the month', async () => {
    const { weekly, key, booked, organization } = await seriesWorld({ requires_approval: true }, 'live')
    const { body } = await weekly(3)
    const { status, body: after } = await decide(body.id, 'decline', key)
    expect([status, after.bookings.map((one: any) => one.status)]).toEqual([200, Array(3).fill('cancelled')])
    expect((await booked()).every((one) => one.declined_by !== null)).toBe(true)
    const counted = await env.DB.prepare('SELECT bookings FROM booking_quotas WHERE organization_id = ?')
      .bind(organization.id)
      .first<{ bookings: number }>()
    expect(counted!.bookings).toBe(0)
    expect((await decide(body.id, 'decline', key)).status).toBe(200)
    expect((await decide(body.id, 'approve', key)).status).toBe(409)
  })

  it('of a caller without a key counts once among the pending ones of its network', async () => {
    const { weekly } = await seriesWorld({ requires_approval: true })
    const asked = { headers: { 'CF-Connecting-IP': '198.51.100.9' } }
    expect((await weekly(8, {}, asked)).status).toBe(201)
    for (let at = 1; at < 5; at++) {
      expect((await weekly(2, { start_time: iso(FIRST + at * DAY_MS) }, asked)).status).toBe(201)
    }
    const sixth = await weekly(2, { start_time: iso(FIRST + 5 * DAY_MS) }, asked)
    expect([sixth.status, sixth.body.error.details.limit]).toEqual([429, 'pending_per_network'])
  })

  it('expires one by one where nobody decides in time, and then cannot be approved', async () => {
    const { weekly, key } = await seriesWorld({ requires_approval: true, approval_ttl_minutes: 60 })
    const { body } = await weekly(2)
    await env.DB.prepare(
      'UPDATE slot_holds SET expires_at = 1 WHERE booking_id IN (SELECT id FROM bookings WHERE series_id = ?)',
    )
      .bind(body.id)
      .run()
    const { status, body: answer } = await decide(body.id, 'approve', key)
    expect([status, answer.error.code]).toEqual([409, 'conflict'])
  })
})
