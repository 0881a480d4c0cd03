import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import {
  book,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Rule,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const NIGHT = dayFromNow(3) + 3 * HOUR_MS
const WHO = { name: 'Ada', email: 'ada@example.com', zone: 'UTC' }

const BY_DAY: readonly Rule[] = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '17:00',
}))

async function stage(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { reminder_intervals: [], ...input }, BY_DAY)
  const browser = await enter(organization)
  const list = async () => (await call('GET', '/v1/bookings', { key })).body.data
  const read = async (booking: string) => (await call('GET', `/v1/bookings/${booking}`, { key })).body
  const create = `/console/bookings/new?type=${id}&from=${dateOf(SLOT)}`
  return { organization, key, id: id as string, browser, list, read, create }
}

const wall = (at: number) => iso(at).slice(0, 16)

describe('rules that are set aside in the console', () => {
  it('are named, and let a member book a closed time', async () => {
    const { browser, create, list } = await stage()
    const page = await browser.visit(create)
    for (const text of ['set rules aside', 'Opening hours', 'Busy times of calendars']) {
      expect(wordsOf(page)).toContain(text)
    }
    const closed = await browser.send(page, '/new', { ...WHO, at: wall(NIGHT) })
    expect(closed.status).toBe(409)
    expect(formOf(closed, '/new').fields.at).toBe(wall(NIGHT))
    const booked = await browser.send(page, '/new', { ...WHO, at: wall(NIGHT), override: 'hours' })
    expect(booked.headers.get('location')).toMatch(/done=booked$/)
    expect(await list()).toMatchObject([{ start_time: iso(NIGHT), overridden: ['hours'] }])
  })

  it('let a member move and hand over a booking', async () => {
    const { organization, key, id, browser, read } = await stage({ assignment_strategy: 'round_robin' })
    const [first, second] = await addHosts(organization, key, id, 2)
    const { body } = await call('POST', '/v1/bookings', {
      key,
      body: {
        ...{
          event_type_id: id,
          start_time: iso(SLOT),
          invitee_name: 'Ada',
          invitee_email: 'ada@example.com',
        },
        member_id: first,
      },
    })
    const at = `/console/bookings/${body.id}`
    const move = await browser.visit(`${at}/move?type=${id}&duration=30`)
    expect((await browser.send(move, '/move', { at: wall(NIGHT) })).status).toBe(409)
    const moved = await browser.send(move, '/move', { at: wall(NIGHT), override: 'hours' })
    expect(moved.status).toBe(303)
    expect(await read(body.id)).toMatchObject({ start_time: iso(NIGHT), overridden: ['hours'] })
    const off = { member_ids: [second], start: dateOf(NIGHT), end: dateOf(NIGHT) }
    expect((await call('POST', '/v1/time-off', { key, body: off })).status).toBe(201)
    const over = await browser.visit(`${at}/hand-over?type=${id}`)
    expect((await browser.send(over, '/hand-over', { to: second! })).status).toBe(409)
    expect((await browser.send(over, '/hand-over', { to: second!, override: 'hours' })).status).toBe(303)
    expect(await read(body.id)).toMatchObject({
      assigned_host: { member_id: second },
      overridden: ['hours'],
    })
  })
})

describe('the open times in the console', () => {
  it('are those of a chosen host, who gets the booking', async () => {
    const { organization, key, id, browser, list, create } = await stage({
      assignment_strategy: 'round_robin',
    })
    const [first, second] = (await addHosts(organization, key, id, 2)) as [string, string]
    const busy = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Bob',
      invitee_email: 'bob@example.com',
    }
    await call('POST', '/v1/bookings', { key, body: { ...busy, member_id: second } })
    const any = await browser.visit(create)
    expect(any.text).toContain(`name="member-${id}"`)
    expect(any.text).toContain(`value="${iso(SLOT)}"`)
    const theirs = await browser.visit(`${create}&member-${id}=${second}`)
    expect(theirs.text).not.toContain(`value="${iso(SLOT)}"`)
    const done = await browser.send(theirs, '/new', { ...WHO, start: iso(SLOT + HOUR_MS) })
    expect(done.status).toBe(303)
    const [made] = await list()
    expect([made.assigned_host.member_id, first === second]).toEqual([second, false])
  })

  it('begin at a date that a member goes to', async () => {
    const { id, browser } = await stage()
    const { body } = await book(id, SLOT)
    const later = dayFromNow(40) + 10 * HOUR_MS
    const page = await browser.visit(
      `/console/bookings/${body.id}/move?type=${id}&duration=30&from=${dateOf(later)}`,
    )
    expect(page.text).toMatch(/type="date"[^>]*name="from"|name="from"[^>]*type="date"/)
    expect(page.text).toContain(`value="${iso(later)}"`)
  })
})

describe('a booking whose calendar event was moved', () => {
  async function dragged(length = HOUR_MS / 2) {
    const found = await stage()
    const { body } = await book(found.id, SLOT)
    const start = SLOT + 2 * HOUR_MS
    const outOfSync = JSON.stringify({ startTime: start, endTime: start + length })
    await env.DB.prepare('UPDATE bookings SET out_of_sync = ? WHERE id = ?').bind(outOfSync, body.id).run()
    return { ...found, booking: body.id as string, at: `/console/bookings/${body.id}`, start }
  }

  it('shows where the event is, and moves there', async () => {
    const { browser, at, booking, read, start } = await dragged()
    const page = await browser.visit(at)
    expect(wordsOf(page)).toContain('The calendar event was moved')
    const form = formOf(page, '/event')
    const done = await browser.visit(form.action, { form: { ...form.fields, answer: 'move' } })
    expect(done.headers.get('location')).toBe(`${at}?done=moved`)
    expect(await read(booking)).toMatchObject({
      start_time: iso(start),
      out_of_sync: null,
      rescheduled_by: { type: 'member' },
    })
    expect(wordsOf(await browser.visit(at))).not.toContain('The calendar event was moved')
  })

  it('has its event put back', async () => {
    const { browser, at, booking, read } = await dragged()
    const form = formOf(await browser.visit(at), '/event')
    const done = await browser.visit(form.action, { form: { ...form.fields, answer: 'restore' } })
    expect(done.headers.get('location')).toBe(`${at}?done=eventRestored`)
    expect(await read(booking)).toMatchObject({ start_time: iso(SLOT), out_of_sync: null })
    expect((await browser.visit(form.action, { form: { ...form.fields, answer: 'move' } })).status).toBe(409)
  })

  it('says why it cannot move there, offers no move to whole days, and is not moved by viewers', async () => {
    const { browser, at, id, start, organization } = await dragged()
    await book(id, start, { invitee_email: 'bob@example.com' })
    const form = formOf(await browser.visit(at), '/event')
    const taken = await browser.visit(form.action, { form: { ...form.fields, answer: 'move' } })
    expect([taken.status, wordsOf(taken).includes('not open')]).toEqual([409, true])
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    expect((await viewer.visit(at)).text).not.toContain(`${at}/event`)
    const whole = await dragged(24 * HOUR_MS)
    const day = await whole.browser.visit(whole.at)
    expect([day.text.includes('value="move"'), day.text.includes('value="restore"')]).toEqual([false, true])
  })
})
