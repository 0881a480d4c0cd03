import { describe, expect, it, vi } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Rule,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(3)
const NINE = DAY + 9 * HOUR_MS
const MORNING: readonly Rule[] = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '11:00',
}))

async function morning(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { duration_minutes: 60, ...input }, MORNING)
  return { organization, key, id: id as string }
}

function slotsOf(id: string, more = '', key?: string) {
  const date = dateOf(DAY)
  const path = `/v1/availability?event_type_id=${id}&start=${date}&end=${date}&timezone=UTC${more}`
  return call('GET', path, key === undefined ? {} : { key })
}

const startsIn = ({ body }: { body: any }) => body.slots.map((slot: any) => slot.start_time)

describe('the starts for a move', () => {
  it('leave the booking out, with a key or its token, and nobody else sees them', async () => {
    const { key, id } = await morning({ booking_cap: 1, booking_cap_period: 'daily' })
    const { body: booked } = await book(id, NINE)
    const both = [iso(NINE), iso(NINE + HOUR_MS)]
    expect(startsIn(await slotsOf(id))).toEqual([])
    expect(startsIn(await slotsOf(id, `&booking_id=${booked.id}`, key))).toEqual(both)
    expect(startsIn(await slotsOf(id, `&booking_id=${booked.id}&token=${booked.cancel_token}`))).toEqual(both)
    expect(startsIn(await slotsOf(id))).toEqual([])
    expect(startsIn(await slotsOf(id, '', key))).toEqual([])
    const moved = await call('POST', `/v1/bookings/${booked.id}/reschedule`, {
      key,
      body: { new_start_time: both[1] },
    })
    expect(moved.status).toBe(200)
  })

  it('are for the seats and the length of the booking', async () => {
    const { key, id } = await morning({ duration_minutes: 30, duration_options: [30, 60], max_attendees: 3 })
    const { body: booked } = await book(id, NINE, { duration: 60 })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { duration_options: null } })
    const { body } = await slotsOf(id, `&booking_id=${booked.id}`, key)
    expect(body.slots[0].end_time).toBe(iso(NINE + HOUR_MS))
    const other = await slotsOf(id, `&booking_id=${booked.id}&duration=45`, key)
    expect(other.status).toBe(400)
  })

  it('are refused for a wrong token, another event type, another key and a cancelled booking', async () => {
    const { key, id } = await morning()
    const other = await morning()
    const { body: booked } = await book(id, NINE)
    const named = `&booking_id=${booked.id}`
    expect((await slotsOf(id, `${named}&token=wrong`)).status).toBe(401)
    expect((await slotsOf(id, named)).status).toBe(401)
    expect((await slotsOf(id, named, other.key)).status).toBe(404)
    const { id: second } = await createEventType(key, {})
    expect((await slotsOf(second, named, key)).status).toBe(400)
    expect((await slotsOf(id, '&booking_id=nothing', key)).status).toBe(404)
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    expect((await slotsOf(id, named, key)).status).toBe(409)
  })

  it('are found by a search and explained, too', async () => {
    const { key, id } = await morning()
    const { id: second } = await createEventType(key, { duration_minutes: 60 }, MORNING)
    const { body: booked } = await book(id, NINE)
    await book(second, NINE)
    const search = (more: string) =>
      call(
        'GET',
        `/v1/availability/search?event_type_ids=${id},${second}&from=${iso(DAY)}&to=${iso(DAY + 86_400_000)}${more}`,
      )
    const named = `&booking_id=${booked.id}&token=${booked.cancel_token}`
    const found = async (more: string) =>
      (await search(more)).body.data.map((one: any) => [one.event_type_id, one.start_time])
    const ten = iso(NINE + HOUR_MS)
    expect(await found('')).toEqual([
      [id, ten],
      [second, ten],
    ])
    expect(await found(named)).toEqual([
      [id, iso(NINE)],
      [id, ten],
      [second, ten],
    ])
    const explain = (more: string) =>
      call('GET', `/v1/event-types/${id}/explain?start_time=${iso(NINE)}${more}`, { key })
    expect((await explain('')).body.bookable).toBe(false)
    expect((await explain(`&booking_id=${booked.id}`)).body).toMatchObject({ bookable: true, reasons: [] })
  })

  it('are explained as open where the move succeeds although no new booking would', async () => {
    const { organization, key, id } = await morning()
    const { body: booked } = await book(id, NINE)
    const ten = iso(NINE + HOUR_MS)
    const token = `&token=${booked.cancel_token}`
    const told = async (more: string, withKey: boolean) => {
      const asked = `start_time=${ten}&booking_id=${booked.id}${more}`
      const { body } = await call('GET', `/v1/event-types/${id}/explain?${asked}`, withKey ? { key } : {})
      return [body.bookable, body.reasons.map(({ code }: any) => code)]
    }
    const moves = async (more: string, withKey: boolean) => {
      const path = `/v1/bookings/${booked.id}/reschedule?dry_run=true${more}`
      return (await call('POST', path, { ...(withKey && { key }), body: { new_start_time: ten } })).status
    }
    const suspend = (suspended: boolean) =>
      callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended } })
    const change = (body: Record<string, unknown>) => call('PATCH', `/v1/event-types/${id}`, { key, body })

    await suspend(true)
    expect([await told('', true), await moves('', true)]).toEqual([[true, []], 200])
    expect([await told(token, false), await moves(token, false)]).toEqual([[true, []], 200])
    await suspend(false)
    await change({ price_amount: 3000 })
    expect([await told(token, false), await moves(token, false)]).toEqual([[true, []], 200])
    await change({ active: false })
    expect([await told('', true), await moves('', true)]).toEqual([[true, []], 200])
    expect([await told(token, false), await moves(token, false)]).toEqual([[false, ['inactive']], 409])
    const { body: day } = await call(
      'GET',
      `/v1/event-types/${id}/explain?date=${dateOf(DAY)}&timezone=UTC&booking_id=${booked.id}`,
      { key },
    )
    expect(day.open).toEqual([{ start_time: iso(NINE), end_time: iso(NINE + 2 * HOUR_MS) }])
  })
})

describe('why a booking cannot move to a start', () => {
  const explained = (id: string, query: string) => call('GET', `/v1/event-types/${id}/explain?${query}`)

  it('is shown to its invitee without ids, hosts and what has the time', async () => {
    const { organization, key, id } = await morning({ assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    const { body: booked } = await book(id, NINE)
    await bookAsAnother(id, NINE + HOUR_MS)
    const off = { member_ids: [host], start: iso(DAY + 86_400_000), end: iso(DAY + 2 * 86_400_000) }
    expect((await call('POST', '/v1/time-off', { key, body: off })).status).toBe(201)
    const named = `booking_id=${booked.id}&token=${booked.cancel_token}`
    const own = await explained(id, `start_time=${iso(NINE)}&${named}`)
    expect(own.body).toMatchObject({ bookable: true, reasons: [], hosts: [] })
    const taken = [{ code: 'booked', message: 'This time is taken.' }]
    for (const start of [NINE + HOUR_MS, NINE + 86_400_000]) {
      const { body } = await explained(id, `start_time=${iso(start)}&${named}`)
      expect(body).toMatchObject({ bookable: false, reasons: taken, hosts: [] })
    }
    const { body: day } = await explained(id, `date=${dateOf(DAY)}&timezone=UTC&hosts=true&${named}`)
    expect(day.open).toEqual([{ start_time: iso(NINE), end_time: iso(NINE + HOUR_MS) }])
    expect(JSON.stringify(day)).not.toContain('_id')
  })

  it('is refused for a wrong token, none, another event type, and once the booking has begun', async () => {
    const { key, id } = await morning()
    const { body: booked } = await book(id, NINE)
    const { id: second } = await createEventType(key, {})
    const at = `start_time=${iso(NINE)}&booking_id=${booked.id}`
    expect((await explained(id, `start_time=${iso(NINE)}`)).status).toBe(401)
    expect((await explained(id, at)).status).toBe(401)
    expect((await explained(id, `${at}&token=wrong`)).status).toBe(401)
    expect((await explained(second, `${at}&token=${booked.cancel_token}`)).status).toBe(400)
    vi.useFakeTimers({ now: NINE + 1, toFake: ['Date'] })
    const begun = await explained(id, `${at}&token=${booked.cancel_token}`)
    vi.useRealTimers()
    expect([begun.status, begun.body.error.details.code]).toEqual([403, 'too_late'])
  })
})

describe('the starts of one host', () => {
  it('are those that they can take, with a key or if the event type says so', async () => {
    const { organization, key, id } = await morning({ assignment_strategy: 'round_robin' })
    const [one, two] = await addHosts(organization, key, id, 2)
    await book(id, NINE)
    const ofHost = (host: string, of?: string) => slotsOf(id, `&member_id=${host}`, of)
    expect(startsIn(await ofHost(one!, key))).toEqual([iso(NINE + HOUR_MS)])
    expect(startsIn(await ofHost(two!, key))).toHaveLength(2)
    expect((await ofHost(one!)).status).toBe(400)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { host_choice: 'optional' } })
    expect(startsIn(await ofHost(one!))).toEqual([iso(NINE + HOUR_MS)])
    expect((await ofHost('nobody', key)).status).toBe(400)
    const { body } = await call(
      'GET',
      `/v1/event-types/${id}/explain?start_time=${iso(NINE)}&member_id=${one}`,
      { key },
    )
    expect(body).toMatchObject({ bookable: false, hosts: [{ member_id: one, bookable: false }] })
    await bookAsAnother(id, NINE)
    expect(startsIn(await slotsOf(id))).toEqual([iso(NINE + HOUR_MS)])
  })
})
