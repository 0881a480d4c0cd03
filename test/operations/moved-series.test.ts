import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { exportTextOf, forgetEverything, importText, linesOf } from '../support/moves.ts'
import { createRoom } from '../support/rooms.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const CLOSED = dayFromNow(5)

/** Two units of a room, one of which a series holds, and which is closed on a day. */
async function moved() {
  const { liveKey: key } = await createOrganization()
  const room = await createRoom(key, { quantity: 2, kind: 'equipment', notes: 'Upstairs' })
  const places = [{ id: 'here', kind: 'in_person', label: 'Here', value: 'Main Street 1' }]
  const { id } = await createEventType(key, {
    ...{ series_max: 4, places, requires: [{ resource_ids: [room.id], count: 1 }] },
  })
  const other = await createEventType(key, { requires: [{ resource_ids: [room.id], count: 2 }] })
  const third = await createEventType(key, { requires: [{ resource_ids: [room.id], count: 1 }] })
  const { body: series } = await call('POST', '/v1/series', {
    key,
    body: {
      ...{ event_type_id: id, starts: [SLOT, SLOT + WEEK_MS].map(iso), invitee_name: 'Ada' },
      invitee_email: `${unique('ada')}@example.com`,
    },
  })
  const off = { resource_ids: [room.id], start: dateOf(CLOSED), end: dateOf(CLOSED) }
  await call('POST', '/v1/time-off', { key, body: off })
  const read = async () => [
    (await call('GET', `/v1/series/${series.id}`, { key })).body,
    (await call('GET', '/v1/resources', { key })).body,
    (await call('GET', `/v1/time-off?resource_id=${room.id}`, { key })).body,
    (await call('GET', `/v1/event-types/${id}`, { key })).body.requires,
  ]
  const before = await read()
  const text = await exportTextOf(key)
  await forgetEverything()
  const imported = await importText(text)
  return {
    key,
    room,
    id,
    other: other.id as string,
    third: third.id as string,
    series,
    read,
    before,
    text,
    imported,
  }
}

describe('a series in a room, at another deployment', () => {
  let world: Awaited<ReturnType<typeof moved>>
  beforeAll(async () => {
    world = await moved()
  })

  it('is the same, with its room, its time off and what event types require', async () => {
    const { imported, text, read, before, series } = world
    expect(imported.status).toBe(201)
    const rows = linesOf(text).at(-1).rows
    expect([rows.series, rows.resources, rows.bookings]).toEqual([1, 1, 2])
    expect(await read()).toEqual(before)
    expect(before[0].bookings.map(({ id }: { id: string }) => id)).toEqual(
      series.bookings.map(({ id }: { id: string }) => id),
    )
  })

  it('holds its unit, is opened by its token, and frees the unit when it is cancelled', async () => {
    const { id, other, third, room, series } = world
    expect((await book(other, SLOT)).status).toBe(409)
    const beside = await book(third, SLOT)
    expect(beside.body.resources).toMatchObject([{ id: room.id, unit: 2 }])
    expect((await book(third, CLOSED + 10 * HOUR_MS)).status).toBe(409)
    const path = `/v1/series/${series.id}/cancel?token=${series.cancel_token}`
    const { body } = await call('POST', path, { body: {} })
    expect(body.cancelled).toHaveLength(2)
    expect((await book(id, SLOT)).body.resources).toMatchObject([{ id: room.id, unit: 1 }])
    expect((await book(other, SLOT + WEEK_MS)).status).toBe(201)
  })

  it('keeps the room from being deleted while event types require it', async () => {
    const { key, room, id, other, third } = world
    const refused = await call('DELETE', `/v1/resources/${room.id}`, { key })
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.body.error.details.event_type_ids.sort()).toEqual([id, other, third].sort())
  })
})
