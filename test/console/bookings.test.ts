import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function studio(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, input)
  return { organization, eventType }
}

const get = async (key: string, id: string) => (await call('GET', `/v1/bookings/${id}`, { key })).body

describe('the bookings', () => {
  it('are listed by day in the viewer’s time zone, with past and cancelled ones apart', async () => {
    const { organization, eventType } = await studio()
    const { body: first } = await book(eventType.id, SLOT, { invitee_name: 'Ada Lovelace' })
    const { body: gone } = await book(eventType.id, SLOT + HOUR_MS, { invitee_name: 'Grace Hopper' })
    await call('POST', `/v1/bookings/${gone.id}/cancel`, { key: organization.liveKey })
    const browser = await enter(organization)
    const upcoming = await browser.visit('/console/bookings')
    expect(upcoming.text).toContain(`href="/console/bookings/${first.id}"`)
    expect(wordsOf(upcoming)).toContain('10:00')
    expect(wordsOf(upcoming)).not.toContain('Grace Hopper')
    expect(wordsOf(await browser.visit('/console/bookings?view=cancelled'))).toContain('Grace Hopper')
    expect(wordsOf(await browser.visit('/console/bookings?view=past'))).toContain('No past bookings')
    expect(wordsOf(await browser.visit('/console/bookings?view=today'))).toContain('No more bookings today')
    await call('PATCH', `/v1/organizations/${organization.id}`, {
      key: env.SERVICE_KEY,
      body: { timezone: 'Asia/Kolkata' },
    })
    expect(wordsOf(await browser.visit('/console/bookings'))).toMatch(/3:30/)
  })

  it('are shown a part at a time, each of them once', async () => {
    const { organization, eventType } = await studio({ max_attendees: 100, duration_minutes: 15 })
    for (let at = 0; at < 60; at++) {
      const answer = await book(eventType.id, SLOT + Math.floor(at / 20) * HOUR_MS, {
        invitee_email: `guest-${at}@example.com`,
      })
      expect(answer.status).toBe(201)
    }
    const browser = await enter(organization)
    const idsIn = (text: string) =>
      [...text.matchAll(/href="\/console\/bookings\/([0-9a-f-]{36})"/g)].map(([, id]) => id)
    const first = await browser.visit('/console/bookings')
    const more = /href="(\/console\/bookings\?view=upcoming&amp;after=[^"]+)"/.exec(first.text)![1]!
    const second = await browser.visit(more.replaceAll('&amp;', '&'))
    expect([idsIn(first.text).length, idsIn(second.text).length]).toEqual([50, 10])
    expect(new Set([...idsIn(first.text), ...idsIn(second.text)]).size).toBe(60)
  })

  it('are found by part of a name and by the beginning of an address', async () => {
    const { organization, eventType } = await studio()
    await book(eventType.id, SLOT, { invitee_name: 'Ada Lovelace', invitee_email: 'Countess@example.com' })
    await book(eventType.id, SLOT + HOUR_MS, {
      invitee_name: 'Grace 100% Hopper',
      invitee_email: 'grace@example.com',
    })
    const other = await studio()
    await book(other.eventType.id, SLOT, {
      invitee_name: 'Ada Foreign',
      invitee_email: 'countess@example.org',
    })
    const browser = await enter(organization)
    const found = async (q: string) =>
      wordsOf(await browser.visit(`/console/bookings?q=${encodeURIComponent(q)}`))
    expect(await found('lovel')).toContain('Ada Lovelace')
    expect(await found('countess@')).toContain('Ada Lovelace')
    expect(await found('countess@')).not.toContain('Ada Foreign')
    expect(await found('100%')).toContain('Grace 100% Hopper')
    expect(await found('%')).not.toContain('Ada Lovelace')
    await book(eventType.id, SLOT + 3 * HOUR_MS, { invitee_name: '王 伟' })
    expect([await found('王'), await found('伟')].every((page) => page.includes('王 伟'))).toBe(true)
    const address = `${'l'.repeat(50)}@example.com`
    await book(eventType.id, SLOT + 2 * HOUR_MS, { invitee_name: 'Long', invitee_email: address })
    expect(await found(address)).toContain('Long')
    expect(await found('nobody')).toContain('No booking matches')
  })

  it('are narrowed to dates, a host, an event type and a status, in the list and in its file', async () => {
    const { organization, eventType } = await studio({ assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, organization.liveKey, eventType.id, 1)
    const other = await createEventType(organization.liveKey, { title: 'Other' })
    await book(eventType.id, SLOT, { invitee_name: 'Ada Lovelace' })
    await book(other.id, SLOT + HOUR_MS, { invitee_name: 'Grace Hopper' })
    const { body: gone } = await book(other.id, SLOT + 25 * HOUR_MS, { invitee_name: 'Alan Turing' })
    await call('POST', `/v1/bookings/${gone.id}/cancel`, { key: organization.liveKey })
    const browser = await enter(organization)
    const names = async (query: string) => {
      const { text } = await browser.visit(`/console/bookings?view=all&${query}`)
      return [...text.matchAll(/row-link[^>]*><bdi>([^<]*)/g)].map(([, name]) => name)
    }
    const [ada, grace, alan] = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing']
    expect(await names('')).toEqual([alan, grace, ada])
    expect(await names(`from=${dateOf(SLOT)}`)).toEqual([ada, grace, alan])
    expect(await names(`until=${dateOf(SLOT)}`)).toEqual([grace, ada])
    expect(await names(`from=${dateOf(SLOT + 24 * HOUR_MS)}`)).toEqual([alan])
    expect(await names(`host=${host}`)).toEqual([ada])
    expect(await names(`type=${other.id}&status=confirmed`)).toEqual([grace])
    expect(await names(`q=hop&type=${other.id}`)).toEqual([grace])
    const page = await browser.visit(`/console/bookings?view=all&type=${other.id}&status=cancelled`)
    const link = /href="(\/console\/bookings\/download[^"]*)"/.exec(page.text)![1]!
    const { text } = await browser.visit(link.replaceAll('&amp;', '&'))
    expect([text.includes(alan!), text.includes(grace!)]).toEqual([true, false])
  })

  it('are cancelled together, and what is refused stays and says why', async () => {
    const { organization, eventType } = await studio()
    const made = await Promise.all([0, 1, 2].map((at) => book(eventType.id, SLOT + at * HOUR_MS)))
    const ids = made.map(({ body }) => body.id as string)
    const browser = await enter(organization)
    const chosen = (list: string, booking: readonly string[], act: string, csrf: string) => {
      const form: [string, string][] = booking.map((id) => ['booking', id])
      return browser.visit('/console/bookings/chosen', {
        form: [...form, ['act', act], ['list', list], ['csrf', csrf], ['reason', 'Ill'], ['notify', 'on']],
      })
    }
    const csrf = async () =>
      /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/bookings')).text)![1]!
    const nothing = await chosen('?view=upcoming', [], 'cancel', await csrf())
    expect([nothing.status, wordsOf(nothing).includes('Tick at least one booking.')]).toEqual([422, true])
    const done = await chosen('?view=upcoming', ids.slice(0, 2), 'cancel', await csrf())
    expect(done.status).toBe(303)
    expect(wordsOf(await browser.follow(done))).toContain('2 bookings were cancelled.')
    const stays = await get(organization.liveKey, ids[2]!)
    const first = await get(organization.liveKey, ids[0]!)
    expect([first.status, first.cancel_reason, stays.status]).toEqual(['cancelled', 'Ill', 'confirmed'])
    const mixed = await chosen('?view=all', [ids[2]!, crypto.randomUUID()], 'cancel', await csrf())
    expect(mixed.status).toBe(422)
    expect(wordsOf(mixed)).toContain('1 booking was cancelled. 1 was left as it was:')
  })

  it('are approved together in the list of requests', async () => {
    const { organization, eventType } = await studio({ requires_approval: true })
    const made = await Promise.all([0, 1].map((at) => book(eventType.id, SLOT + at * HOUR_MS)))
    const browser = await enter(organization)
    const page = await browser.visit('/console/bookings?view=requests')
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)![1]!
    const form = made.map(({ body }): [string, string] => ['booking', body.id])
    const done = await browser.visit('/console/bookings/chosen', {
      form: [...form, ['act', 'approve'], ['list', '?view=requests'], ['csrf', csrf]],
    })
    expect(wordsOf(await browser.follow(done))).toContain('2 requests were approved.')
    for (const { body } of made) expect((await get(organization.liveKey, body.id)).status).toBe('confirmed')
  })

  it('of another organization and of the other data are not there', async () => {
    const { organization } = await studio()
    const other = await studio()
    const { body } = await book(other.eventType.id, SLOT)
    const browser = await enter(organization)
    for (const rest of ['', '/move', `/move?type=${other.eventType.id}&duration=30`]) {
      const page = await browser.visit(`/console/bookings/${body.id}${rest}`)
      expect([page.status, page.text.includes('Ada')]).toEqual([404, false])
    }
    const test = await createEventType(organization.testKey)
    const { body: sandboxed } = await book(test.id, SLOT)
    expect((await browser.visit(`/console/bookings/${sandboxed.id}`)).status).toBe(404)
    await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
    const shown = await browser.visit(`/console/bookings/${sandboxed.id}`)
    expect([shown.status, wordsOf(shown).includes('You are in test mode')]).toEqual([200, true])
  })

  it('can be exported for a spreadsheet, in which no name becomes a formula', async () => {
    const { organization, eventType } = await studio()
    await book(eventType.id, SLOT, { invitee_name: '=HYPERLINK("//evil.example")' })
    const file = await (await enter(organization)).visit('/console/bookings/download?view=upcoming')
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="bookings-upcoming.csv"')
    expect(file.text).toContain(`"'=HYPERLINK(""//evil.example"")"`)
    expect(file.text.split('\r\n')[1]).toContain(iso(SLOT))
  })

  it.each([
    ['\uff1d1+1', "'\uff1d1+1"],
    ['\uff0b1', "'\uff0b1"],
    ['\uff0d1', "'\uff0d1"],
    ['\uff20SUM(A1)', "'\uff20SUM(A1)"],
    ['\ufe661', "'\ufe661"],
    ['\u22121', "'\u22121"],
    ['\u200b\u00a0=1', "\u200b\u00a0'=1"],
    ['Ada; \uff1d1', "Ada; '\uff1d1"],
    ['Ada Byron-King', 'Ada Byron-King'],
    ['Ada =1', 'Ada =1'],
  ])('can be exported for a spreadsheet that reads %s', async (invitee_name, cell) => {
    const { organization, eventType } = await studio()
    await book(eventType.id, SLOT, { invitee_name })
    const file = await (await enter(organization)).visit('/console/bookings/download?view=upcoming')
    expect(file.text.split('\r\n')[1]!.split(',')[4]).toBe(cell)
  })

  it('can be exported with a tab or a line end before a sign, as in an event type’s title', async () => {
    const { organization, eventType } = await studio()
    await book(eventType.id, SLOT)
    for (const title of ['\t=1', ' \t@1', '\r+1', '\tplain']) {
      await env.DB.prepare('UPDATE event_types SET title = ? WHERE id = ?').bind(title, eventType.id).run()
      const file = await (await enter(organization)).visit('/console/bookings/download?view=upcoming')
      expect(file.text).toMatch(title === '\tplain' ? /'\tplain/ : /,"?'?\s*'[=@+]1/)
    }
  })

  it('can be exported with the paid amounts', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.testKey, { price_amount: 4_950 })
    await book(eventType.id, SLOT)
    const browser = await enter(organization)
    await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
    expect((await browser.visit('/console/bookings/download?view=upcoming')).text).toContain(',49.50,usd,')
  })

  it('can be exported with local times, phone, notes and answers', async () => {
    const { organization, eventType } = await studio({
      questions: [{ key: 'topic', label: 'Topic?', type: 'short_text' }],
    })
    await env.DB.prepare("UPDATE organizations SET timezone = 'Asia/Tokyo' WHERE id = ?")
      .bind(organization.id)
      .run()
    const input = { notes: 'Ring twice', invitee_phone: '+4930123456', answers: { topic: 'Engines' } }
    expect((await book(eventType.id, SLOT, input)).status).toBe(201)
    const file = await (await enter(organization)).visit('/console/bookings/download?view=upcoming')
    const local = (at: number) => new Date(at + 9 * HOUR_MS).toISOString().slice(0, 16).replace('T', ' ')
    const cells = file.text.split('\r\n')[1]!.split(',').slice(11)
    expect(cells[0]).toBe(local(SLOT))
    expect(cells.slice(2)).toEqual(['Asia/Tokyo', '+4930123456', 'Ring twice', 'Topic?: Engines'])
  })

  it('can be exported with semicolons between cells, in which no part of a name becomes a formula', async () => {
    const { organization, eventType } = await studio()
    await book(eventType.id, SLOT, { invitee_name: 'Ada;=2+5;"@SUM(A1);Lovelace' })
    const file = await (await enter(organization)).visit('/console/bookings/download?view=upcoming')
    expect(file.text).toContain(`"Ada;'=2+5;""'@SUM(A1);Lovelace"`)
  })

  it('link to an email to the invitee alone, whatever characters the address has', async () => {
    const { organization, eventType } = await studio()
    const { body } = await book(eventType.id, SLOT, {
      invitee_email: 'ada?cc=eve%40example.com&x@example.org',
    })
    const page = await (await enter(organization)).visit(`/console/bookings/${body.id}`)
    expect(page.text).toContain('href="mailto:ada%3Fcc%3Deve%2540example.com%26x%40example.org"')
  })

  it('ask the database twice for each screen', async () => {
    const { organization, eventType } = await studio({
      waitlist_enabled: true,
      questions: [{ key: 'topic', label: 'Topic?', type: 'short_text' }],
    })
    const { body } = await book(eventType.id, SLOT, { answers: { topic: 'Engines' } })
    const start_time = iso(SLOT + HOUR_MS)
    const { body: held } = await call('POST', '/v1/holds', {
      key: organization.liveKey,
      body: { event_type_id: eventType.id, start_time },
    })
    const { body: waiting } = await call('POST', '/v1/waitlist', {
      key: organization.liveKey,
      body: { event_type_id: eventType.id, invitee_name: 'Grace', invitee_email: 'grace@example.com' },
    })
    const browser = await enter(organization)
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const tripsOf = async (path: string) => {
      const counted = countedEnv(env)
      const request = browserRequest(path, { headers: { Cookie } })
      expect((await answerConsole(request, counted.env, new URL(request.url).pathname)).status).toBe(200)
      return counted.trips.count
    }
    const own = `/console/bookings/${body.id}`
    const paths = [
      ...[
        '',
        '?view=all',
        '?view=today',
        '?view=past',
        '?view=requests',
        '?view=cancelled',
        '?view=waitlist',
      ].map((query) => `/console/bookings${query}`),
      own,
      `${own}/move?type=${eventType.id}&duration=30`,
      `/console/bookings/new?type=${eventType.id}`,
      `/console/bookings/holds/${held.id}?type=${eventType.id}&token=${held.token}`,
      '/console/bookings/waitlist/new',
      `/console/bookings/waitlist/${waiting.id}?type=${eventType.id}`,
      `/console/hours?done=taken&n=1&booked=${body.id}`,
      '/console/start',
    ]
    // What is open is remembered once somebody asked.
    await browser.visit(`/console/bookings/new?type=${eventType.id}`)
    const told: Record<string, number> = {}
    for (const path of paths)
      told[path.replace(body.id, ':id').replace(eventType.id, ':type')] = await tripsOf(path)
    expect(Object.entries(told).filter(([, trips]) => trips > 2)).toEqual([])
    // Words that were just written are kept first.
    await tripsOf('/console/bookings?q=ada')
    expect(await tripsOf('/console/bookings?q=ada')).toBe(5)
  })
})

describe('a booking in the console', () => {
  it('is moved, and the invitee is given the reason', async () => {
    const { organization, eventType } = await studio()
    const { body } = await book(eventType.id, SLOT)
    const browser = await enter(organization)
    const page = await browser.visit(`/console/bookings/${body.id}`)
    const link = /href="(\/console\/bookings\/[^"]+\/move[^"]*)"/
      .exec(page.text)![1]!
      .replaceAll('&amp;', '&')
    const form = await browser.visit(`${link}&from=${iso(SLOT).slice(0, 10)}`)
    expect(form.text).toContain(`value="${iso(SLOT + HOUR_MS)}"`)
    const none = await browser.send(form, '/move')
    expect([none.status, none.text.includes('Choose a time.')]).toEqual([422, true])
    const moved = await browser.send(form, '/move', { start: iso(SLOT + HOUR_MS), reason: 'A train' })
    expect(moved.headers.get('location')).toBe(`/console/bookings/${body.id}?done=moved`)
    expect(wordsOf(await browser.follow(moved))).toContain('The booking was rescheduled')
    expect(await get(organization.liveKey, body.id)).toMatchObject({
      status: 'rescheduled',
      start_time: iso(SLOT + HOUR_MS),
    })
    await book(eventType.id, SLOT + 5 * HOUR_MS)
    const taken = await browser.send(form, '/move', { start: iso(SLOT + 5 * HOUR_MS) })
    expect([taken.status, /<div class="problems"/.test(taken.text)]).toEqual([409, true])
  })

  it('can be moved by less than its duration, because it does not block itself', async () => {
    const { organization, eventType } = await studio({ duration_minutes: 60, slot_interval_minutes: 30 })
    const { body } = await book(eventType.id, SLOT)
    await book(eventType.id, SLOT + 2 * HOUR_MS)
    const browser = await enter(organization)
    const at = `/console/bookings/${body.id}/move?type=${eventType.id}&duration=60`
    const form = await browser.visit(`${at}&from=${iso(SLOT).slice(0, 10)}`)
    const isOffered = (hours: number) => form.text.includes(`value="${iso(SLOT + hours * HOUR_MS)}"`)
    expect([-1, -0.5, 0, 0.5, 1, 1.5, 2, 3].filter(isOffered)).toEqual([-1, -0.5, 0.5, 1, 3])
    const moved = await browser.send(form, '/move', { start: iso(SLOT + HOUR_MS / 2) })
    expect(moved.status).toBe(303)
  })

  it('is moved only if all its attendees get a seat, here and by its invitee', async () => {
    const { organization, eventType } = await studio({ duration_minutes: 60, max_attendees: 3 })
    const attendees = [{ name: 'Grace', email: 'grace@example.com' }]
    const { body } = await book(eventType.id, SLOT, { attendees })
    for (const [hours, guests] of [
      [1, attendees],
      [2, []],
    ] as const)
      await book(eventType.id, SLOT + hours * HOUR_MS, {
        invitee_email: 'edith@example.com',
        attendees: guests,
      })
    const date = iso(SLOT).slice(0, 10)
    const at = `/console/bookings/${body.id}/move?type=${eventType.id}&duration=60&from=${date}`
    const form = await (await enter(organization)).visit(at)
    const own = `/bookings/${body.id}/reschedule?token=${body.cancel_token}&date=${date}`
    const page = (await visit(own)).text.replaceAll('%3A', ':')
    const offered = (text: string) =>
      [0, 1, 2, 3].filter((hours) => text.includes(iso(SLOT + hours * HOUR_MS)))
    expect([offered(form.text), offered(page)]).toEqual([
      [2, 3],
      [2, 3],
    ])
  })

  it('lists how many have a seat besides the invitee, and does not call them guests', async () => {
    const { organization, eventType } = await studio({ max_attendees: 3, max_guests: 1 })
    const attendees = [{ name: 'Grace', email: 'grace@example.com' }]
    await book(eventType.id, SLOT, { attendees, guests: [{ email: 'bob@example.com' }] })
    const list = wordsOf(await (await enter(organization)).visit('/console/bookings'))
    expect([list.includes('1 more attendee'), /\d guest/.test(list)]).toEqual([true, false])
  })

  it('is cancelled, with a reason', async () => {
    const { organization, eventType } = await studio()
    const { body } = await book(eventType.id, SLOT)
    const browser = await enter(organization)
    const page = await browser.visit(`/console/bookings/${body.id}`)
    const long = await browser.send(page, '/cancel', { reason: 'x'.repeat(501) })
    expect([long.status, long.text.includes('Must have at most 500 characters.')]).toEqual([422, true])
    const done = await browser.send(page, '/cancel', { reason: 'I am ill' })
    expect(done.status).toBe(303)
    const after = await browser.follow(done)
    expect(wordsOf(after)).toContain('I am ill')
    expect(after.text).not.toContain('/cancel"')
    expect(await get(organization.liveKey, body.id)).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'I am ill',
    })
  })

  it('is refunded in the sandbox, once however often the form is sent', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.testKey, { price_amount: 5_000 })
    const { body } = await book(eventType.id, SLOT)
    await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key: organization.testKey })
    const browser = await enter(organization)
    await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
    const page = await browser.visit(`/console/bookings/${body.id}`)
    for (const amount of ['much', '0']) {
      const wrong = await browser.send(page, '/refund', { amount })
      expect([wrong.status, wrong.text.includes('Enter an amount such as 25.00.')]).toEqual([422, true])
    }
    for (let time = 0; time < 2; time++) {
      expect((await browser.send(page, '/refund', { amount: '12,50' })).status).toBe(303)
    }
    const { body: payment } = await call('GET', `/v1/payments/${body.payment.id}`, {
      key: organization.testKey,
    })
    expect(payment).toMatchObject({ status: 'partially_refunded' })
    const { body: log } = await call('GET', '/v1/activity?resource_type=payment', {
      key: organization.testKey,
    })
    const refunds = log.data.filter(({ action }: any) => action.startsWith('payment.refund'))
    expect(refunds.map(({ actor_type }: any) => actor_type)).toEqual(['user'])
    const other = await browser.visit(`/console/bookings/${body.id}`)
    expect((await browser.send(other, '/refund')).status).toBe(303)
    const late = await browser.send(other, '/refund', { form_key: crypto.randomUUID() })
    expect([late.status, wordsOf(late).includes('At most $0.00 can still be refunded.')]).toEqual([422, true])
  })

  it('is made for somebody, once however often the form is sent', async () => {
    const { organization, eventType } = await studio()
    const browser = await enter(organization)
    const page = await browser.visit(
      `/console/bookings/new?type=${eventType.id}&from=${iso(SLOT).slice(0, 10)}`,
    )
    const fields = { start: iso(SLOT), name: 'Grace Hopper', email: 'grace@example.com' }
    const bad = await browser.send(page, '/console/bookings/new', { ...fields, email: 'nobody' })
    expect([bad.status, /id="email-error"/.test(bad.text)]).toEqual([422, true])
    const [one, two] = [
      await browser.send(page, '/console/bookings/new', fields),
      await browser.send(page, '/console/bookings/new', fields),
    ]
    expect(one.headers.get('location')).toMatch(/^\/console\/bookings\/[0-9a-f-]{36}\?done=booked$/)
    expect(two.headers.get('location')).toBe(one.headers.get('location'))
  })

  it('is not called booked while it waits for approval', async () => {
    const { organization, eventType } = await studio({ requires_approval: true })
    const { body } = await book(eventType.id, SLOT)
    const browser = await enter(organization)
    const words = wordsOf(await browser.visit(`/console/bookings/${body.id}?done=booked`))
    expect(words).toContain('It is booked when somebody approves it.')
    expect(words).not.toContain('The booking was created, and')
  })

  it('cannot be changed by viewers, and is refunded by administrators only', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.testKey, { price_amount: 5_000 })
    const { body } = await book(eventType.id, SLOT)
    await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key: organization.testKey })
    for (const role of ['viewer', 'member'] as const) {
      const { userId } = await memberWithRole(organization, role)
      const browser = await enter(organization, userId)
      await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
      const page = await browser.visit(`/console/bookings/${body.id}`)
      expect([page.text.includes('/cancel"'), page.text.includes('/refund"')]).toEqual([
        role === 'member',
        false,
      ])
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
      const decides = 'Viewers decide only about bookings that they host.'
      const WHY: Record<string, string> = { approve: decides, decline: decides }
      const refused = async (rest: string, form: Record<string, string> = {}) => {
        const answer = await browser.visit(`/console/bookings/${body.id}/${rest}`, {
          form: { csrf, ...form },
        })
        const isSaid = wordsOf(answer).split(WHY[rest] ?? 'Your role does not allow this.').length === 2
        expect([role, rest, answer.status, isSaid]).toEqual([role, rest, 403, true])
      }
      await refused('refund')
      if (role === 'viewer') {
        for (const rest of ['cancel', 'approve', 'decline', 'attendance']) await refused(rest)
        await refused('move', { start: iso(SLOT + HOUR_MS), type: eventType.id, duration: '30' })
      }
    }
    expect((await get(organization.testKey, body.id)).status).toBe('confirmed')
  })
})
