import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  createOrganization,
  dateOf,
  dayFromNow,
  type Organization,
  openStarts,
  unique,
} from '../support/factories.ts'
import { daily } from '../support/hours.ts'

const DAY = dayFromNow(2)

async function bare(key: string, input: Record<string, unknown> = {}): Promise<string> {
  const body = { title: 'Intro', slug: unique('intro'), duration_minutes: 60, ...input }
  const { body: made } = await call('POST', '/v1/event-types', { key, body })
  return made.id
}

async function addSchedule(key: string, from: string, to: string, isDefault = true): Promise<string> {
  const body = { name: 'Hours', rules: daily([from, to]), is_default: isDefault }
  const { status, body: made } = await call('POST', '/v1/schedules', { key, body })
  expect([status, made.is_default, made.member_id]).toEqual([201, isDefault, null])
  return made.id
}

/** The hours of the starts that availability and search offer, which must agree. */
async function hoursOf(id: string): Promise<number[]> {
  const starts = await openStarts(id, DAY)
  const query = `event_type_ids=${id}&from=${dateOf(DAY)}&to=${dateOf(DAY + 86_400_000)}&timezone=UTC&limit=100`
  const { body } = await call('GET', `/v1/availability/search?${query}`)
  expect(body.data.map(({ start_time }: { start_time: string }) => start_time)).toEqual(starts)
  return starts.map((start) => new Date(start).getUTCHours())
}

function bookable(key: string, id: string) {
  return call('GET', `/v1/event-types/${id}`, { key }).then(({ body }) => body.bookable.ok as boolean)
}

async function open(): Promise<Organization & { readonly key: string }> {
  const organization = await createOrganization()
  return { ...organization, key: organization.liveKey }
}

describe("the organization's default schedule", () => {
  it('opens event types without hours of their own, those made before and after it', async () => {
    const { key, testKey } = await open()
    const before = await bare(key)
    const other = await bare(testKey)
    expect([await hoursOf(before), await bookable(key, before)]).toEqual([[], false])
    await addSchedule(key, '09:00', '11:00')
    const after = await bare(key)
    for (const id of [before, after]) {
      expect([await hoursOf(id), await bookable(key, id)]).toEqual([[9, 10], true])
    }
    expect(await hoursOf(other)).toEqual([])
    const { body } = await call('GET', `/v1/event-types/${after}`, { key })
    expect(body.schedule_id).toBe(null)
    const explain = `/v1/event-types/${after}/explain?start_time=${dateOf(DAY)}T12:00:00Z`
    const { body: explained } = await call('GET', explain, { key })
    expect(explained.reasons).toMatchObject([{ code: 'outside_hours', schedule_id: expect.any(String) }])
  })

  it('says when an event type is made that it can be booked', async () => {
    const { key } = await open()
    await addSchedule(key, '09:00', '11:00')
    const body = { title: 'Intro', slug: 'intro', duration_minutes: 30 }
    const { body: made } = await call('POST', '/v1/event-types', { key, body })
    expect(made.bookable).toEqual({ ok: true, reasons: [] })
  })

  it('no longer counts once hours are put on the event type, even none', async () => {
    const { key } = await open()
    await addSchedule(key, '09:00', '11:00')
    const [own, none] = [await bare(key), await bare(key)]
    const put = (id: string, rules: unknown) =>
      call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules } })
    await put(own, daily(['14:00', '15:00']))
    await put(none, [])
    expect([await hoursOf(own), await hoursOf(none)]).toEqual([[14], []])
    await addSchedule(key, '20:00', '21:00')
    expect([await hoursOf(own), await hoursOf(none)]).toEqual([[14], []])
  })

  it('gives way to a schedule that the event type names', async () => {
    const { key } = await open()
    await addSchedule(key, '09:00', '11:00')
    const named = await addSchedule(key, '17:00', '18:00', false)
    const id = await bare(key, { schedule_id: named })
    expect(await hoursOf(id)).toEqual([17])
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { schedule_id: null } })
    expect(await hoursOf(id)).toEqual([9, 10])
  })

  it('is replaced by the next one, follows its changes and ends with it', async () => {
    const { key } = await open()
    const first = await addSchedule(key, '09:00', '11:00')
    const id = await bare(key)
    const second = await addSchedule(key, '20:00', '21:00')
    expect(await hoursOf(id)).toEqual([20])
    const { body } = await call('GET', `/v1/schedules/${first}`, { key })
    expect(body.is_default).toBe(false)
    const change = (schedule: string, changes: Record<string, unknown>) =>
      call('PATCH', `/v1/schedules/${schedule}`, { key, body: changes })
    await change(second, { rules: daily(['07:00', '08:00']) })
    expect(await hoursOf(id)).toEqual([7])
    await change(first, { is_default: true })
    expect(await hoursOf(id)).toEqual([9, 10])
    await change(first, { is_default: false })
    expect([await hoursOf(id), await bookable(key, id)]).toEqual([[], false])
  })

  it('cannot be deleted while an event type has its hours', async () => {
    const { key } = await open()
    const schedule = await addSchedule(key, '09:00', '11:00')
    const id = await bare(key)
    const remove = () => call('DELETE', `/v1/schedules/${schedule}`, { key })
    const refused = await remove()
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { code: 'schedule_in_use', event_type_ids: [id] },
    ])
    await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: [] } })
    expect((await remove()).status).toBe(204)
    expect(await hoursOf(await bare(key))).toEqual([])
  })
})
