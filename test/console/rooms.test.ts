import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, linksOf, wordsOf } from '../support/pages.ts'
import { createRoom } from '../support/rooms.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function world() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const browser = await enter(organization)
  const read = async (path: string) => (await call('GET', path, { key })).body
  return { organization, key, browser, read }
}

it('creates, changes and deletes a room', async () => {
  const { browser, read } = await world()
  const empty = await browser.visit('/console/rooms')
  expect(wordsOf(empty)).toContain('There are no rooms or equipment yet')
  const form = await browser.visit('/console/rooms/new')
  const wrong = await browser.send(form, '/console/rooms/new', { name: 'Studio', quantity: '51' })
  expect([wrong.status, wrong.text.includes('id="quantity-error"')]).toEqual([422, true])
  const made = await browser.send(form, '/console/rooms/new', {
    name: 'Studio',
    kind: 'other',
    quantity: '2',
  })
  const [room] = (await read('/v1/resources')).data
  expect(room).toMatchObject({ name: 'Studio', kind: 'other', quantity: 2, active: true, schedule_id: null })
  expect(made.headers.get('location')).toBe(`/console/rooms/${room.id}?done=saved`)
  const page = await browser.visit(`/console/rooms/${room.id}`)
  const { action, fields } = formOf(page, `/console/rooms/${room.id}`)
  const { active: _, ...rest } = fields
  await browser.visit(action, { form: { ...rest, name: 'Hall', notes: 'Upstairs' } })
  expect(await read(`/v1/resources/${room.id}`)).toMatchObject({
    name: 'Hall',
    active: false,
    notes: 'Upstairs',
  })
  const list = await browser.visit('/console/rooms')
  expect(wordsOf(list)).toContain('Other · 2 units')
  expect(wordsOf(list)).toContain('Closed')
  const german = await browser.visit(`/console/rooms/${room.id}`, { headers: { 'Accept-Language': 'de' } })
  expect(wordsOf(german)).toContain('Anzahl der Einheiten')
  const gone = await browser.send(await browser.visit(`/console/rooms/${room.id}`), '/delete')
  expect(gone.headers.get('location')).toBe('/console/rooms?done=removed')
  expect((await read('/v1/resources')).data).toEqual([])
})

it('closes a room, lists its bookings then, and opens it again', async () => {
  const { browser, key, read } = await world()
  const room = await createRoom(key, { name: 'Studio' })
  const { id } = await createEventType(key, { requires: [{ resource_ids: [room.id] }] })
  const { body: booked } = await book(id, SLOT)
  const path = `/console/rooms/${room.id}` as const
  const page = await browser.visit(path)
  const late = await browser.send(page, '/time-off', { start: '2027-02-02', end: '2027-02-01' })
  expect(late.status).toBe(422)
  const asked = await browser.send(page, '/time-off', { start: dateOf(SLOT), reason: 'Paint' })
  expect(wordsOf(asked)).toContain('Not saved yet: 1 booking is in a time that you close.')
  expect(linksOf(asked)).toContain(`/console/bookings/${booked.id}`)
  expect((await read(`/v1/time-off?resource_id=${room.id}`)).data).toEqual([])
  const closed = await browser.send(asked, '/time-off')
  const after = await browser.follow(closed)
  expect(linksOf(after)).toContain(`/console/bookings/${booked.id}`)
  expect(wordsOf(after)).toContain('Paint')
  const [off] = (await read(`/v1/time-off?resource_id=${room.id}`)).data
  expect(off).toMatchObject({ resource_id: room.id, start: dateOf(SLOT), end: dateOf(SLOT) })
  expect(wordsOf(await browser.visit('/console/hours'))).not.toContain('Paint')
  const opened = await browser.send(after, `/console/hours/time-off/${off.id}`, { remove: '1' })
  expect(opened.headers.get('location')).toBe(`${path}?done=removed`)
  expect((await read(`/v1/time-off?resource_id=${room.id}`)).data).toEqual([])
})

describe('a room that closes', () => {
  const WEEK = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
    ...{ day_of_week, start_time: '09:00', end_time: '17:00' },
  }))

  async function booked() {
    const { browser, key, read } = await world()
    const [open, short] = await Promise.all(
      [WEEK, WEEK.map((rule) => ({ ...rule, start_time: '12:00' }))].map(async (rules) => {
        const body = { name: 'Week', timezone: 'UTC', rules }
        return (await call('POST', '/v1/schedules', { key, body })).body
      }),
    )
    const room = await createRoom(key, { name: 'Studio', schedule_id: open.id, quantity: 3 })
    const { id } = await createEventType(key, { requires: [{ resource_ids: [room.id] }] })
    const { body: booking } = await book(id, SLOT)
    const path = `/console/rooms/${room.id}` as const
    return { browser, key, read, room, booking, path, open, short }
  }

  it('names its bookings before it is taken out of use, and is saved the second time', async () => {
    const { browser, read, room, booking, path } = await booked()
    const { pairs } = formOf(await browser.visit(path), path)
    const form = pairs.filter(([name]) => name !== 'active')
    const asked = await browser.visit(path, { form: [...form, ['name', 'Hall']] })
    expect(asked.status).toBe(200)
    expect(linksOf(asked)).toContain(`/console/bookings/${booking.id}`)
    expect(await read(`/v1/resources/${room.id}`)).toMatchObject({ name: 'Studio', active: true })
    const again = await browser.visit(path, { form: formOf(asked, path).pairs })
    expect(again.status).toBe(303)
    expect(await read(`/v1/resources/${room.id}`)).toMatchObject({ name: 'Hall', active: false })
    const opened = await browser.send(await browser.visit(path), path, { active: 'on' })
    expect(opened.status).toBe(303)
  })

  it('names them before it follows shorter hours, and not before it follows longer ones', async () => {
    const { browser, booking, path, short } = await booked()
    const page = await browser.visit(path)
    const asked = await browser.send(page, path, { schedule_id: short.id })
    expect(linksOf(asked)).toContain(`/console/bookings/${booking.id}`)
    expect((await browser.send(page, path, { schedule_id: '' })).status).toBe(303)
  })

  it('names them before its schedule closes', async () => {
    const { browser, read, booking, open } = await booked()
    const at = `/console/hours/${open.id}` as const
    const { pairs } = formOf(await browser.visit(at), at)
    const form = [...pairs, ['o_date', dateOf(SLOT)], ['o_from', ''], ['o_to', '']] as const
    const asked = await browser.visit(at, { form })
    expect(linksOf(asked)).toContain(`/console/bookings/${booking.id}`)
    expect((await read(`/v1/schedules/${open.id}`)).overrides).toEqual([])
  })
})

it('says which rooms a booking has, and leads to the calendars of a room', async () => {
  const { browser, key } = await world()
  const room = await createRoom(key, { name: 'Studio' })
  const { id } = await createEventType(key, { requires: [{ resource_ids: [room.id] }] })
  const { body: booked } = await book(id, SLOT)
  const page = await browser.visit(`/console/bookings/${booked.id}`)
  expect(wordsOf(page)).toContain('Studio, unit 1')
  expect(linksOf(page)).toContain(`/console/rooms/${room.id}`)
  const connect = linksOf(await browser.visit(`/console/rooms/${room.id}`)).find((to) => to.includes('/feed'))
  expect((await browser.visit(connect!)).text).toContain(`name="resource" value="${room.id}"`)
})

it('sets what an event type requires, and keeps the order in which it was chosen', async () => {
  const { browser, key, read } = await world()
  const [one, two] = [await createRoom(key, { name: 'A' }), await createRoom(key, { name: 'B' })]
  const { id } = await createEventType(key, { requires: [{ resource_ids: [two.id, one.id] }] })
  const path = `/console/event-types/${id}/rooms` as const
  const { fields } = formOf(await browser.visit(path), path)
  expect([fields.count0, fields.count1]).toEqual(['1', '1'])
  const sent = (more: Record<string, string>) =>
    browser.visit(path, {
      form: { csrf: fields.csrf!, updated_at: fields.updated_at!, was: fields.was!, ...more },
    })
  const wrong = await sent({ count0: '11', of0: one.id })
  expect([wrong.status, wrong.text.includes('class="error"')]).toEqual([422, true])
  expect((await sent({ count0: '2', of0: one.id, count1: '1', of1: two.id })).status).toBe(303)
  expect((await read(`/v1/event-types/${id}`)).requires).toEqual([
    { resource_ids: [one.id], count: 2 },
    { resource_ids: [two.id], count: 1 },
  ])
  expect((await sent({ count0: '1' })).status).toBe(409)
  const fresh = formOf(await browser.visit(path), path).fields
  await browser.visit(path, {
    form: { csrf: fresh.csrf!, updated_at: fresh.updated_at!, was: fresh.was!, count0: '1' },
  })
  expect((await read(`/v1/event-types/${id}`)).requires).toEqual([])
})

it('lets other members look, and change nothing', async () => {
  const { organization, browser, key, read } = await world()
  const room = await createRoom(key, { name: 'Studio' })
  const { userId } = await memberWithRole(organization, 'member')
  const member = await enter(organization, userId)
  const path = `/console/rooms/${room.id}` as const
  const page = await member.visit(path)
  expect([page.status, page.text.includes(`action="${path}`)]).toEqual([200, false])
  expect((await member.visit('/console/rooms/new')).status).toBe(403)
  const { csrf } = formOf(await member.visit('/console/settings'), '/console').fields
  for (const at of [path, `${path}/delete`, `${path}/time-off`, '/console/rooms/new'] as const) {
    const form = { csrf: csrf!, name: 'Mine', kind: 'room', quantity: '1', start: '2027-02-02' }
    expect((await member.visit(at, { form })).status).toBe(403)
  }
  expect((await read('/v1/resources')).data).toMatchObject([{ id: room.id, name: 'Studio' }])
  expect((await browser.visit('/console/rooms/nothing')).status).toBe(404)
})
