import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { type Browser, enter } from '../support/console.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { addHost } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, unescaped, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const QUESTIONS = [
  { key: 'topic', label: 'What is it about?', type: 'choice', required: true, options: ['Hiring', 'Other'] },
  { key: 'site', label: 'Your site', type: 'url' },
]

async function studio(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, input)
  return { organization, eventType, browser: await enter(organization) }
}

const get = async (key: string, path: string) => (await call('GET', path, { key })).body
const csrfOf = async (browser: Browser) =>
  /name="csrf" value="([^"]*)"/.exec((await browser.visit('/console/bookings')).text)![1]!

describe('requests', () => {
  it('are listed separately, oldest first, and are approved there', async () => {
    const { organization, eventType, browser } = await studio({ requires_approval: true })
    const { body: first } = await book(eventType.id, SLOT, { invitee_name: 'Ada Lovelace' })
    const { body: second } = await book(eventType.id, SLOT + HOUR_MS, {
      invitee_name: 'Grace Hopper',
      invitee_email: 'grace@example.com',
    })
    const list = await browser.visit('/console/bookings?view=requests')
    expect(wordsOf(list)).toMatch(/Ada Lovelace.*Decide by.*Grace Hopper/)
    const done = await browser.send(list, `${second.id}/approve`)
    expect(done.headers.get('location')).toBe('/console/bookings?view=requests&done=approved')
    const after = await browser.follow(done)
    expect(wordsOf(after)).toContain('The request was approved')
    expect(wordsOf(after)).not.toContain('Grace Hopper')
    const states = [first, second].map(({ id }) => get(organization.liveKey, `/v1/bookings/${id}`))
    expect((await Promise.all(states)).map(({ status }) => status)).toEqual(['pending_approval', 'confirmed'])
  })

  it('are declined on their own screen, with a reason; one decided in the meantime says so', async () => {
    const { organization, eventType, browser } = await studio({ requires_approval: true })
    const { body } = await book(eventType.id, SLOT)
    const list = await browser.visit('/console/bookings?view=requests')
    expect(list.text).toContain(`/console/bookings/${body.id}?decline=1#decline`)
    const page = await browser.visit(`/console/bookings/${body.id}?decline=1`)
    expect(page.text).toMatch(/<details[^>]*id="decline"[^>]*open|<details[^>]*open[^>]*id="decline"/)
    const long = await browser.send(page, '/decline', { decline_reason: 'x'.repeat(501) })
    expect([long.status, /id="decline_reason-error"/.test(long.text)]).toEqual([422, true])
    const done = await browser.send(page, '/decline', { decline_reason: 'I am away' })
    expect(wordsOf(await browser.follow(done))).toContain('The request was declined')
    expect(await get(organization.liveKey, `/v1/bookings/${body.id}`)).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'I am away',
    })
    const late = await browser.send(page, '/approve')
    expect([late.status, wordsOf(late).includes('A cancelled booking cannot be approved.')]).toEqual([
      409,
      true,
    ])
  })

  it('of another organization and of the other data are not there, and viewers decide nothing', async () => {
    const { organization, eventType } = await studio({ requires_approval: true })
    const { body } = await book(eventType.id, SLOT)
    const test = await createEventType(organization.testKey, { requires_approval: true })
    await book(test.id, SLOT, { invitee_name: 'Sandboxed' })
    const stranger = (await studio()).browser
    expect(wordsOf(await stranger.visit('/console/bookings?view=requests'))).toContain('No pending requests')
    const form = { csrf: await csrfOf(stranger) }
    expect((await stranger.visit(`/console/bookings/${body.id}/approve`, { form })).status).toBe(404)
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    const list = await viewer.visit('/console/bookings?view=requests')
    expect([wordsOf(list).includes('Sandboxed'), list.text.includes('/approve"')]).toEqual([false, false])
    const forged = { csrf: await csrfOf(viewer) }
    for (const verb of ['approve', 'decline']) {
      const sent = await viewer.visit(`/console/bookings/${body.id}/${verb}`, { form: forged })
      expect(sent.status).toBe(403)
    }
    expect((await get(organization.liveKey, `/v1/bookings/${body.id}`)).status).toBe('pending_approval')
  })

  it('are decided by their hosts, even if they are viewers', async () => {
    const { organization, eventType } = await studio({ requires_approval: true })
    const { body: another } = await book(eventType.id, SLOT)
    const host = await memberWithRole(organization, 'viewer')
    const hosted = await createEventType(organization.liveKey, {
      requires_approval: true,
      assignment_strategy: 'round_robin',
    })
    await addHost(organization.liveKey, hosted.id, host.id)
    const { body: theirs } = await book(hosted.id, SLOT + HOUR_MS)
    const viewer = await enter(organization, host.userId)
    const list = (await viewer.visit('/console/bookings?view=requests')).text
    const forms = [theirs, another].map(({ id }) => list.includes(`/${id}/approve"`))
    expect(forms).toEqual([true, false])
    expect((await viewer.visit(`/console/bookings/${another.id}`)).text).not.toContain('/decline"')
    const page = await viewer.visit(`/console/bookings/${theirs.id}`)
    const done = await viewer.send(page, '/decline', { decline_reason: 'I am away' })
    expect(wordsOf(await viewer.follow(done))).toContain('The request was declined')
    expect(page.text).not.toContain('/cancel"')
  })
})

describe('attendance', () => {
  it('is recorded once the meeting has begun, and can be undone', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.testKey, { max_attendees: 5 })
    const { body } = await book(eventType.id, SLOT, {
      attendees: [{ name: 'Grace Hopper', email: 'grace@example.com' }],
    })
    const browser = await enter(organization)
    await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
    const own = `/console/bookings/${body.id}`
    expect((await browser.visit(own)).text).not.toContain('/attendance"')
    const early = await browser.visit(`${own}/attendance`, { form: { csrf: await csrfOf(browser) } })
    expect(early.status).toBe(409)
    await call('PUT', '/v1/test-data/clock', {
      key: organization.testKey,
      body: { now: iso(SLOT + HOUR_MS) },
    })
    const [ada, grace] = body.attendees
    const form = { csrf: await csrfOf(browser), no_show: grace.id, host_absent: 'on' }
    const done = await browser.visit(`${own}/attendance`, { form })
    expect(wordsOf(await browser.follow(done))).toContain('No-show')
    const told = await get(organization.testKey, `/v1/bookings/${body.id}`)
    expect(told.host_absent).toBe(true)
    expect(told.attendees.map(({ id, no_show }: any) => [id, no_show])).toEqual([
      [ada.id, false],
      [grace.id, true],
    ])
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    await viewer.send(await viewer.visit('/console/bookings'), '/console/mode', { mode: 'test' })
    const forged = await viewer.visit(`${own}/attendance`, { form: { csrf: await csrfOf(viewer) } })
    expect(forged.status).toBe(403)
    const back = await browser.visit(`${own}/attendance`, { form: { csrf: await csrfOf(browser) } })
    expect(back.status).toBe(303)
    const after = await get(organization.testKey, `/v1/bookings/${body.id}`)
    expect(after.attendees.some(({ no_show }: any) => no_show)).toBe(false)
  })
})

describe('booking for somebody', () => {
  it('shows the week again in which a time was chosen, for moving a booking too, where something else is missing', async () => {
    const { eventType, browser } = await studio()
    const later = SLOT + 28 * 24 * HOUR_MS
    const week = `from=${iso(later).slice(0, 10)}`
    const page = await browser.visit(`/console/bookings/new?type=${eventType.id}&${week}`)
    const typed = { start: iso(later), name: 'Grace Hopper', email: '' }
    const bad = await browser.send(page, '/console/bookings/new', typed)
    expect([bad.status, formOf(bad, '/console/bookings/new').fields.start]).toEqual([422, iso(later)])
    const { body } = await book(eventType.id, SLOT)
    const own = `/console/bookings/${body.id}/move`
    const move = await browser.visit(`${own}?type=${eventType.id}&duration=30&${week}`)
    const wrong = await browser.send(move, own, { start: iso(later), reason: 'x'.repeat(501) })
    expect([wrong.status, formOf(wrong, own).fields.start]).toEqual([422, iso(later)])
  })

  it('asks the questions of the event type, reports missing answers, and shows the answers', async () => {
    const { eventType, browser, organization } = await studio({
      questions: QUESTIONS,
      duration_options: [30, 60],
    })
    const day = iso(SLOT).slice(0, 10)
    const at = `/console/bookings/new?type=${eventType.id}&duration-${eventType.id}=60&from=${day}`
    const page = await browser.visit(at)
    expect(wordsOf(page)).toContain('What is it about?')
    const fields = { start: iso(SLOT), name: 'Grace Hopper', email: '' }
    const bad = await browser.send(page, '/console/bookings/new', {
      ...fields,
      'answers[site]': 'not a site',
    })
    expect(bad.status).toBe(422)
    for (const field of ['email', 'answers\\[topic\\]', 'answers\\[site\\]']) {
      expect(bad.text).toMatch(new RegExp(`id="${field}-error"`))
    }
    expect(bad.text).toContain('value="not a site"')
    const good = await browser.send(page, '/console/bookings/new', {
      ...fields,
      email: 'grace@example.com',
      'answers[topic]': 'Hiring',
    })
    const shown = await browser.follow(good)
    expect(wordsOf(shown)).toMatch(/What is it about\? Hiring/)
    const id = /bookings\/([0-9a-f-]{36})/.exec(good.headers.get('location')!)![1]
    expect(await get(organization.liveKey, `/v1/bookings/${id}`)).toMatchObject({
      end_time: iso(SLOT + HOUR_MS),
      answers: { topic: 'Hiring' },
    })
  })

  it('keeps a title that reads from right to left apart from the length beside it', async () => {
    const { browser } = await studio({ title: 'مكالمة' })
    expect(wordsOf(await browser.visit('/console/bookings/new'))).toContain('\u2068مكالمة\u2069 · 30 minutes')
  })

  it('leads from a week without times to the date of the next one, in the time zone there', async () => {
    const timezone = 'Pacific/Honolulu'
    const organization = await createOrganization({ timezone })
    const evening = [{ day_of_week: 1, start_time: '20:00', end_time: '20:30' }]
    const [bookable_from, bookable_until] = [20, 26].map((days) => iso(dayFromNow(days)).slice(0, 10))
    const limits = { timezone, bookable_from, bookable_until }
    const { id } = await createEventType(organization.liveKey, limits, evening)
    const browser = await enter(organization)
    const page = await browser.visit(`/console/bookings/new?type=${id}`)
    const [, link] = /href="([^"]*)"[^>]*>Next available time: /.exec(page.text)!
    expect(wordsOf(await browser.visit(unescaped(link!)))).toContain('8:00 PM')
  })

  it('holds a time first where somebody makes up their mind, which is booked or released', async () => {
    const { eventType, browser, organization } = await studio({ questions: QUESTIONS })
    const day = iso(SLOT).slice(0, 10)
    const page = await browser.visit(`/console/bookings/new?type=${eventType.id}&from=${day}`)
    const held = await browser.send(page, '/console/bookings/new', { start: iso(SLOT), hold: '1' })
    const at = held.headers.get('location')!
    expect(at).toMatch(/^\/console\/bookings\/holds\//)
    expect(await openStarts(eventType.id, SLOT)).not.toContain(iso(SLOT))
    const hold = await browser.visit(at)
    expect(wordsOf(hold)).toContain('Nobody else can book it')
    const bad = await browser.send(hold, '/confirm', { name: 'Grace' })
    expect([bad.status, /id="email-error"/.test(bad.text)]).toEqual([422, true])
    const booked = await browser.send(bad, '/confirm', {
      email: 'grace@example.com',
      'answers[topic]': 'Other',
    })
    expect(wordsOf(await browser.follow(booked))).toContain('The booking was created')
    expect(wordsOf(await browser.visit(at))).toContain('This time is booked')

    const other = await browser.send(page, '/console/bookings/new', { start: iso(SLOT + HOUR_MS), hold: '1' })
    const second = await browser.visit(other.headers.get('location')!)
    expect(wordsOf(await browser.follow(await browser.send(second, '/release')))).toContain('available again')
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    const form = { csrf: await csrfOf(viewer), start: iso(SLOT + 2 * HOUR_MS), type: eventType.id, hold: '1' }
    expect((await viewer.visit('/console/bookings/new', { form })).status).toBe(403)
    expect((await viewer.visit('/console/bookings/new')).status).toBe(403)
  })

  it('says where something is offered no longer', async () => {
    const { organization, eventType, browser } = await studio()
    await createEventType(organization.liveKey)
    const day = iso(SLOT).slice(0, 10)
    const page = await browser.visit(`/console/bookings/new?type=${eventType.id}&from=${day}`)
    await call('PATCH', `/v1/event-types/${eventType.id}`, {
      key: organization.liveKey,
      body: { active: false },
    })
    const late = await browser.send(page, '/console/bookings/new', {
      ...{ start: iso(SLOT), name: 'Grace Hopper', email: 'grace@example.com' },
    })
    expect([late.status, late.text.includes('class="problems"')]).toEqual([404, true])
    expect(wordsOf(late)).toContain('No such event type.')
  })

  it('books nothing that somebody else holds: only their token does', async () => {
    const { eventType, browser, organization } = await studio()
    const { body } = await call('POST', '/v1/holds', {
      body: { event_type_id: eventType.id, start_time: iso(SLOT) },
    })
    const own = `/console/bookings/holds/${body.id}`
    const page = await browser.visit(`${own}?type=${eventType.id}`)
    expect([page.text.includes('/confirm"'), page.text.includes('/release"')]).toEqual([false, true])
    const form = { csrf: await csrfOf(browser), name: 'Mine', email: 'mine@example.com', token: 'guessed' }
    expect((await browser.visit(`${own}/confirm`, { form })).status).toBeGreaterThanOrEqual(400)
    expect((await get(organization.liveKey, `/v1/holds/${body.id}`)).status).toBe('held')
  })
})

describe('a waitlist', () => {
  it('accepts an entry for one time or for any, once, with answers, and lets it be removed', async () => {
    const { eventType, browser, organization } = await studio({
      waitlist_enabled: true,
      questions: QUESTIONS,
    })
    const page = await browser.visit('/console/bookings/waitlist/new')
    const fields = { name: 'Grace Hopper', email: 'grace@example.com', 'answers[topic]': 'Other' }
    const half = await browser.send(page, '/waitlist/new', { ...fields, day: iso(SLOT).slice(0, 10) })
    expect([half.status, /id="day-error"/.test(half.text)]).toEqual([422, true])
    const timed = { ...fields, day: iso(SLOT).slice(0, 10), time: '10:00' }
    const done = await browser.send(page, '/waitlist/new', timed)
    const list = await browser.follow(done)
    expect(wordsOf(list)).toMatch(/on the waitlist and get an email.*Grace Hopper/)
    const again = await browser.send(
      await browser.visit('/console/bookings/waitlist/new'),
      '/waitlist/new',
      timed,
    )
    expect([again.status, wordsOf(again).includes('already waiting for this slot')]).toEqual([409, true])
    const { data } = await get(organization.liveKey, `/v1/waitlist?event_type_id=${eventType.id}`)
    expect(data.map(({ start_time }: any) => start_time)).toEqual([iso(SLOT)])
    const [{ id }] = data
    const entry = await browser.visit(`/console/bookings/waitlist/${id}`)
    expect(wordsOf(entry)).toMatch(/Grace Hopper.*What is it about\? Other/)
    const left = await browser.send(entry, `/console/bookings/waitlist/${id}/leave`)
    expect(wordsOf(await browser.follow(left))).toContain('The entry was removed from the waitlist')
    expect((await get(organization.liveKey, `/v1/waitlist/${id}`)).status).toBe('cancelled')
  })

  it('is closed to viewers and to other organizations', async () => {
    const { eventType, organization } = await studio({ waitlist_enabled: true })
    const { body } = await call('POST', '/v1/waitlist', {
      body: { event_type_id: eventType.id, invitee_name: 'Ada', invitee_email: 'ada@example.com' },
    })
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    const stranger = (await studio()).browser
    expect((await viewer.visit('/console/bookings/waitlist/new')).status).toBe(403)
    expect((await stranger.visit(`/console/bookings/waitlist/${body.id}`)).status).toBe(404)
    const leave = async (browser: Browser) => {
      const form = { csrf: await csrfOf(browser) }
      return (await browser.visit(`/console/bookings/waitlist/${body.id}/leave`, { form })).status
    }
    expect([await leave(viewer), await leave(stranger)]).toEqual([403, 404])
    const form = { csrf: await csrfOf(viewer), type: eventType.id, name: 'Eve', email: 'eve@example.com' }
    expect((await viewer.visit('/console/bookings/waitlist/new', { form })).status).toBe(403)
    expect((await get(organization.liveKey, `/v1/waitlist/${body.id}`)).status).toBe('waiting')
  })
})
