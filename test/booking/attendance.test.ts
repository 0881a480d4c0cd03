import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(20) + 10 * HOUR_MS

/** A sandbox with a booking of three, where time is what a test says. */
async function booked() {
  const organization = await createOrganization()
  const key = organization.testKey
  const { id: eventTypeId } = await createEventType(key, { max_attendees: 5 })
  const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
  await setClock(SLOT - 24 * HOUR_MS)
  const guests = ['bob', 'cleo'].map((name) => ({ name, email: `${name}@example.com` }))
  const { body: booking } = await book(eventTypeId, SLOT, { attendees: guests })
  const ids = booking.attendees.map(({ id }: { id: string }) => id) as string[]
  const path = `/v1/bookings/${booking.id}`
  const tell = (body: unknown, how: object = {}) => call('POST', `${path}/attendance`, { key, body, ...how })
  const read = async () => (await call('GET', path, { key })).body
  const events = async () =>
    (await call('GET', '/v1/events', { key })).body.data.filter(
      ({ event }: { event: string }) => event === 'booking.attendance',
    )
  const counts = async () => {
    const { body } = await call('GET', '/v1/usage/summary', { key })
    return [body.attendance.no_shows, body.attendance.host_absent]
  }
  return { organization, key, eventTypeId, booking, ids, path, setClock, tell, read, events, counts }
}

const absent = ({ attendees }: any) => attendees.map(({ no_show }: { no_show: boolean }) => no_show)

describe('the attendance of a booking', () => {
  it('is recorded from the start of the booking on, can be recorded again, and the latest record counts', async () => {
    const { booking, ids, setClock, tell, read, events, counts } = await booked()
    expect([absent(booking), booking.host_absent]).toEqual([[false, false, false], false])
    await setClock(SLOT - 1)
    const early = await tell({ no_shows: [ids[1]] })
    expect([early.status, early.body.error.code]).toEqual([409, 'conflict'])
    await setClock(SLOT)
    const { status, body } = await tell({ no_shows: [ids[1], ids[2]!.toUpperCase()], host_absent: true })
    expect([status, absent(body), body.host_absent]).toEqual([200, [false, true, true], true])
    expect(await counts()).toEqual([2, 1])
    const { event_type, answers, allowed_actions, invitee_phone, sms_consent, ...record } = await read()
    expect(record).toEqual(body)
    const again = await tell({ no_shows: [ids[2], ids[1], ids[1]], host_absent: true })
    expect(again.body).toEqual(body)
    const other = await tell({ no_shows: [ids[0]] })
    expect([absent(other.body), other.body.host_absent]).toEqual([[true, false, false], false])
    expect(await counts()).toEqual([1, 0])
    const [first, second, ...more] = await events()
    expect(more).toEqual([])
    expect([absent(first.data), absent(second.data)]).toEqual([absent(body), absent(other.body)])
    expect(JSON.stringify([first, second])).not.toContain('token')
  })

  it('makes one event even if everybody came', async () => {
    const { setClock, tell, events, key, booking } = await booked()
    await setClock(SLOT + HOUR_MS)
    for (let at = 0; at < 2; at++) {
      const { status, body } = await tell({ no_shows: [] })
      expect([status, absent(body)]).toEqual([200, [false, false, false]])
    }
    expect(await events()).toHaveLength(1)
    const { body } = await call('GET', `/v1/activity?resource_id=${booking.id}`, { key })
    expect(body.data[0].action).toBe('booking.attendance_recorded')
  })

  it('is refused by the name of what is wrong, and for a cancelled booking', async () => {
    const { ids, setClock, tell, read, path, key, events, organization } = await booked()
    await setClock(SLOT + HOUR_MS)
    const wrong: readonly (readonly [unknown, string])[] = [
      [{}, 'no_shows'],
      [{ no_shows: ids[0] }, 'no_shows'],
      [{ no_shows: [ids[0], 'nobody'] }, 'no_shows.1'],
      [{ no_shows: [7] }, 'no_shows.0'],
      [{ no_shows: [], host_absent: 'yes' }, 'host_absent'],
    ]
    for (const [body, field] of wrong) {
      const told = await tell(body)
      expect([body, told.status, Object.keys(told.body.error.details)]).toEqual([body, 400, [field]])
      expect(told.body.error.details[field]).toMatch(/^(Must|Is required\.)/)
    }
    expect((await tell({ no_shows: [] }, { key: organization.liveKey })).status).toBe(404)
    expect((await tell({ no_shows: [] }, { key: undefined })).status).toBe(401)
    expect(absent(await read())).toEqual([false, false, false])
    await setClock(SLOT - HOUR_MS)
    await call('POST', `${path}/cancel`, { key })
    await setClock(SLOT + HOUR_MS)
    expect((await tell({ no_shows: [] })).status).toBe(409)
    expect(await events()).toEqual([])
  })

  it('says nothing of a meeting that is still to be: a move begins again, a cancel keeps it', async () => {
    const { ids, setClock, tell, read, path, key, counts } = await booked()
    await setClock(SLOT + HOUR_MS)
    await tell({ no_shows: [ids[0]], host_absent: true })
    const to = { new_start_time: iso(SLOT + 48 * HOUR_MS) }
    const moved = await call('POST', `${path}/reschedule`, { key, body: to })
    expect([moved.status, absent(moved.body), moved.body.host_absent]).toEqual([
      200,
      [false, false, false],
      false,
    ])
    expect(await counts()).toEqual([0, 0])
    expect((await tell({ no_shows: [] })).status).toBe(409)
    await setClock(SLOT + 49 * HOUR_MS)
    await tell({ no_shows: [ids[2]] })
    await call('POST', `${path}/cancel`, { key })
    expect(absent(await read())).toEqual([false, false, true])
    expect(await counts()).toEqual([1, 0])
    await call('DELETE', '/v1/test-data', { key })
    expect(await counts()).toEqual([0, 0])
  })

  it('is consistent when many record it at the same time, and recorded once per Idempotency-Key', async () => {
    const { ids, setClock, tell, read, events, counts } = await booked()
    await setClock(SLOT + HOUR_MS)
    const headers = { 'Idempotency-Key': 'once' }
    const first = await tell({ no_shows: [ids[1]] }, { headers })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => tell({ no_shows: [ids[at % 3]], host_absent: at % 2 === 0 })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const replay = await tell({ no_shows: [ids[1]] }, { headers })
    expect([replay.body, replay.headers.get('Idempotent-Replayed')]).toEqual([first.body, 'true'])
    const last = await read()
    const told = await events()
    expect([absent(last), last.host_absent]).toEqual([absent(told.at(-1).data), told.at(-1).data.host_absent])
    expect(await counts()).toEqual([1, Number(last.host_absent)])
  })
})
