import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { consoleTrips } from '../support/console-trips.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  openStarts,
} from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, linksOf, type Visited, visit, wordsOf } from '../support/pages.ts'

const LIST = '/console/event-types'

async function told(organization: Organization, path: string, key = organization.liveKey) {
  return (await call('GET', path, { key })).body
}

async function editorOf(path = '') {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { booking_page_enabled: true })
  const browser = await enter(organization)
  const at = `${LIST}/${id}${path}`
  const page = await browser.visit(at)
  return { organization, id, browser, at, page, eventType: () => told(organization, `/v1/event-types/${id}`) }
}

/** The fields of a form with all their values, some of them replaced. */
function pairs(page: Visited, which: string, changes: Readonly<Record<string, string | readonly string[]>>) {
  const own = formOf(page, which).pairs.filter(([name]) => !(name in changes))
  const changed = Object.entries(changes).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  )
  return [...own, ...changed]
}

describe('the list of event types', () => {
  it('begins empty, and leads from a new event type to its page, open at once', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    expect(wordsOf(await browser.visit(LIST))).toContain('No event types yet')
    const form = await browser.visit(`${LIST}/new`)
    const made = await browser.send(form, `${LIST}/new`, { title: 'First Meeting', duration_minutes: '45' })
    expect(made.status).toBe(303)
    const { data } = await told(organization, '/v1/event-types')
    expect(data).toMatchObject([
      { title: 'First Meeting', slug: 'first-meeting', duration_minutes: 45, booking_page_enabled: true },
    ])
    const editor = await browser.follow(made)
    expect(wordsOf(editor)).toContain('The event type was created.')
    expect(linksOf(await browser.visit(LIST))).toContain(`/book/${organization.slug}/first-meeting`)
    const hours = await told(organization, `/v1/event-types/${data[0].id}/availability`)
    expect(hours.rules).toHaveLength(5)
  })

  it('makes its creator the host, who is booked in one place at a time, beside a room without hosts', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const make = async (title: string, isHosted: boolean) => {
      const { host, ...fields } = formOf(await browser.visit(`${LIST}/new`), `${LIST}/new`).fields
      const typed = { ...fields, title, ...(isHosted && { host: host! }) }
      const made = await browser.visit(`${LIST}/new`, { form: typed })
      return new URL(made.headers.get('location')!, 'https://holdfast.test').pathname.split('/').at(-1)!
    }
    const [lesson, trial, room] = [
      await make('Lesson', true),
      await make('Trial', true),
      await make('Room', false),
    ]
    const [start] = await openStarts(lesson, dayFromNow(1), dayFromNow(7))
    const booked = [lesson, trial, room].map(
      async (id) => (await bookAsAnother(id, Date.parse(start!))).status,
    )
    expect((await Promise.all(booked)).sort()).toEqual([201, 201, 409])
    expect(await openStarts(room, Date.parse(start!))).not.toContain(start)
  })

  it('says at the field when another event type has the address, and makes nothing', async () => {
    const { browser, organization, eventType } = await editorOf()
    const { slug } = await eventType()
    const form = await browser.visit(`${LIST}/new`)
    const refused = await browser.send(form, `${LIST}/new`, { title: 'Again', slug })
    expect([refused.status, refused.text.includes('id="slug-error"')]).toEqual([409, true])
    expect((await told(organization, '/v1/event-types')).data).toHaveLength(1)
  })

  it('shows them under their headings in the order of the public, moved by buttons and by dragging', async () => {
    const organization = await createOrganization()
    const make = (title: string, group: string | null) =>
      createEventType(organization.liveKey, { title, group })
    const [a, b, c, d] = [
      await make('Aa', null),
      await make('Bb', null),
      await make('Cc', 'Courses'),
      await make('Dd', 'Courses'),
    ]
    const browser = await enter(organization)
    const shown = async () => {
      const page = await browser.visit(LIST)
      return [...page.text.matchAll(/data-id="([^"]+)"/g)].map(([, id]) => id)
    }
    expect(await shown()).toEqual([a.id, b.id, c.id, d.id])
    const page = await browser.visit(LIST)
    expect(wordsOf(page)).toContain('Courses')
    const moved = await browser.send(page, '/console/event-types/order', { down: a.id })
    expect([moved.status, moved.headers.get('location')]).toEqual([303, `${LIST}#${a.id}`])
    expect(await shown()).toEqual([b.id, a.id, c.id, d.id])
    await browser.send(page, `${LIST}/order`, { up: c.id })
    expect(await shown()).toEqual([b.id, a.id, c.id, d.id])
    const unknown = await browser.send(page, `${LIST}/order`, { down: 'not\0an id' })
    expect([unknown.status, unknown.headers.get('location')]).toEqual([303, LIST])
    await browser.send(page, `${LIST}/order`, { order: [a.id, b.id, d.id, c.id].join() })
    expect(await shown()).toEqual([a.id, b.id, d.id, c.id])
    const { data } = await told(organization, '/v1/event-types')
    const positions = new Map(data.map(({ id, position }: any) => [id, position]))
    expect([a, b, d, c].map(({ id }) => positions.get(id))).toEqual([0, 1, 2, 3])
  })
})

it('lists titles as people of the language of the organization look them up, as its page does', async () => {
  const organization = await createOrganization()
  for (const title of ['Zoo', 'apple', 'Ärger', 'Banane'])
    await createEventType(organization.liveKey, { title })
  // Where Ä is a letter of its own, behind Z.
  await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { locale: 'sv' } })
  const page = await (await enter(organization)).visit(LIST)
  expect([...page.text.matchAll(/class="row-link"[^>]*><bdi>([^<]*)/g)].map(([, title]) => title)).toEqual([
    'apple',
    'Banane',
    'Zoo',
    'Ärger',
  ])
})

describe('the editor of an event type', () => {
  it('changes the basics, and keeps what was typed if something is refused', async () => {
    const { browser, page, at, eventType } = await editorOf()
    const form = pairs(page, at, {
      title: 'Long talk',
      description: 'About everything.',
      duration_options: ['30'],
      duration_other: ['60'],
      max_guests: '2',
      reminders: ['60', '2880'],
      cancel_notice_minutes: '2',
      cancel_notice_minutes_unit: '1440',
      requires_approval: 'on',
      approval_ttl_minutes: '3',
      approval_ttl_minutes_unit: '60',
      group: 'Talks',
    })
    expect((await browser.visit(at, { form })).status).toBe(303)
    expect(await eventType()).toMatchObject({
      title: 'Long talk',
      max_guests: 2,
      description: 'About everything.',
      duration_options: [30, 60],
      reminder_intervals: [60, 2880],
      cancel_notice_minutes: 2880,
      requires_approval: true,
      approval_ttl_minutes: 180,
      group: 'Talks',
    })
    const wrong = await browser.send(page, at, {
      title: '',
      duration_minutes: 'long',
      location: 'Somewhere 5',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('id="title-error"')
    expect(wrong.text).toContain('id="duration_minutes-error"')
    expect(wrong.text).toContain('value="Somewhere 5"')
    expect(await eventType()).toMatchObject({ title: 'Long talk', location: null })
    const lengths = await browser.send(page, at, { duration_other: 'long' })
    expect(lengths.text).toMatch(/href="#duration_options"/)
    expect(lengths.text).toContain('id="duration_options-error"')
  })

  it('reports at the reminders that one of them is not a number, and drops it from the form', async () => {
    const { browser, at, page, eventType } = await editorOf()
    const before = await eventType()
    const refused = await browser.visit(at, { form: pairs(page, at, { reminders: ['60', 'soon'] }) })
    expect([refused.status, wordsOf(refused)]).toEqual([422, expect.stringContaining('a number')])
    expect(wordsOf(refused)).not.toContain('NaN')
    expect(formOf(refused, at).pairs.filter(([name]) => name === 'reminders')).toEqual([['reminders', '60']])
    expect(await eventType()).toEqual(before)
  })

  it('names the field of each error above the form, in the order of the fields', async () => {
    const { browser, page, at } = await editorOf()
    const wrong = await browser.send(page, at, { title: '', waitlist_max: 'x', duration_minutes: 'long' })
    const [, summary] = /<div class="problems"[^>]*>([\s\S]*?)<\/div>/.exec(wrong.text)!
    const errors = [...summary!.matchAll(/href="#(\w+)"><bdi>([^<]+)<\/bdi>:/g)].map(([, ...one]) => one)
    expect(errors).toEqual([
      ['title', 'Title'],
      ['duration_minutes', 'Duration in minutes'],
      ['waitlist_max', 'Waitlist limit'],
    ])
  })

  it('puts the focus on the problems of a refused form, and on the first field of a new one', async () => {
    const { browser, page, at } = await editorOf()
    const wrong = await browser.send(page, at, { title: '' })
    const looked = ({ text }: Visited) => /<[^>]* autofocus[^>]*>/.exec(text)![0]
    expect(looked(wrong)).toContain('class="problems"')
    const form = await browser.visit(`${LIST}/new`)
    const refused = await browser.send(form, `${LIST}/new`, { title: 'Talk', duration_minutes: '' })
    expect([looked(form), looked(refused)]).toMatchObject([
      expect.stringContaining('name="title"'),
      expect.stringContaining('class="problems"'),
    ])
    expect(formOf(refused, `${LIST}/new`).fields.duration_minutes).toBe('')
  })

  it('accepts several times a day, an end at midnight and single dates without a script', async () => {
    const { browser, page, at, id, organization, eventType } = await editorOf('/hours')
    const cleared = Object.fromEntries(
      [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
        [`d${day}_from`, ['']],
        [`d${day}_to`, ['']],
      ]),
    )
    const form = pairs(page, at, {
      ...cleared,
      d1_from: ['09:00', '13:00', ''],
      d1_to: ['12:00', '00:00', ''],
      o_date: ['2027-01-04', '2027-01-05', '2027-01-05', ''],
      o_from: ['', '10:00', '14:00', ''],
      o_to: ['', '11:00', '15:00', ''],
      timezone: 'Europe/Berlin',
      minimum_notice_minutes: '3',
      minimum_notice_minutes_unit: '60',
      booking_cap: '4',
      booking_cap_period: 'weekly',
      slot_interval_minutes: '',
    })
    expect((await browser.visit(at, { form })).status).toBe(303)
    const hours = await told(organization, `/v1/event-types/${id}/availability`)
    expect(
      hours.rules.map(({ day_of_week, start_time, end_time }: any) => [day_of_week, start_time, end_time]),
    ).toEqual([
      [1, '09:00', '12:00'],
      [1, '13:00', '24:00'],
    ])
    expect(hours.overrides).toMatchObject([
      { date: '2027-01-04', intervals: [] },
      { date: '2027-01-05', intervals: [{ start_time: '10:00' }, { start_time: '14:00' }] },
    ])
    expect(await eventType()).toMatchObject({
      timezone: 'Europe/Berlin',
      minimum_notice_minutes: 180,
      booking_cap: 4,
      booking_cap_period: 'weekly',
      slot_interval_minutes: null,
    })
    const again = await browser.visit(at)
    expect(
      formOf(again, at)
        .pairs.filter(([name]) => name === 'd1_to')
        .slice(0, 2),
    ).toEqual([
      ['d1_to', '12:00'],
      ['d1_to', '00:00'],
    ])
    const wrong = await browser.visit(at, {
      form: pairs(again, at, { d2_from: ['17:00'], d2_to: ['09:00'] }),
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/id="day_2"[\s\S]*?Must be after the start\.[\s\S]*?id="day_3"/)
    const dates = {
      o_date: ['2027-01-05', '2027-01-06'],
      o_from: ['10:00', '15:00'],
      o_to: ['11:00', '14:00'],
    }
    const late = await browser.visit(at, { form: pairs(again, at, dates) })
    expect(late.text).toContain('href="#override_1_0"')
    expect(late.text).toMatch(/id="override_1_0"[\s\S]*?Must be after the start[\s\S]*?id="override_new"/)
    expect((await told(organization, `/v1/event-types/${id}/availability`)).rules).toHaveLength(2)
  })

  it('leaves the hours unchanged if a limit beside them is refused', async () => {
    const { browser, page, at, id, organization, eventType } = await editorOf('/hours')
    const hours = () => told(organization, `/v1/event-types/${id}/availability`)
    const before = [await hours(), await eventType()]
    const changed = { d1_from: ['10:00', ''], d1_to: ['11:00', ''], timezone: 'Europe/Berlin' }
    for (const wrong of [
      { booking_cap: 'many' },
      { bookable_from: '2027-05-01', bookable_until: '2027-04-01' },
      { schedule_id: crypto.randomUUID() },
    ]) {
      const refused = await browser.visit(at, { form: pairs(page, at, { ...changed, ...wrong }) })
      expect([wrong, refused.status]).toEqual([wrong, 'schedule_id' in wrong ? 404 : 422])
      expect(formOf(refused, at).pairs).toContainEqual(['d1_from', '10:00'])
    }
    expect([await hours(), await eventType()]).toEqual(before)
  })

  it('adds, changes and removes hosts, and says who takes a booking', async () => {
    const { browser, page, at, id, organization, eventType } = await editorOf('/hosts')
    const { id: memberId } = await memberWithRole(organization, 'member')
    const hosts = async () => (await told(organization, `/v1/event-types/${id}/hosts`)).data
    const add = (member_id: string) =>
      browser.visit(`${at}/add`, { form: { ...formOf(page, at).fields, member_id } })
    expect((await add(memberId)).status).toBe(303)
    const [host] = await hosts()
    expect(host).toMatchObject({ member_id: memberId, priority: 50, weight: 100 })
    expect((await add(memberId)).status).toBe(409)
    const with1 = await browser.visit(at)
    const named = (values: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}-${host.id}`, value]))
    const { body: hours } = await call('POST', '/v1/schedules', {
      key: organization.liveKey,
      body: { name: 'Mornings', timezone: 'UTC', rules: [] },
    })
    const wrong = await browser.send(with1, at, named({ priority: '0', schedule_id: hours.id }))
    expect([wrong.status, formOf(wrong, at).fields[`schedule_id-${host.id}`]]).toEqual([422, hours.id])
    expect(wrong.text).toContain(`href="#priority-${host.id}"`)
    expect(wrong.text).toContain(`id="priority-${host.id}-error"`)
    const gone = crypto.randomUUID()
    const late = await browser.send(with1, at, named({ priority: '4', schedule_id: gone }))
    expect([late.status, formOf(late, at).fields[`priority-${host.id}`]]).toEqual([404, '4'])
    expect(late.text).toContain(`id="schedule_id-${host.id}-error"`)
    expect(late.text).toContain('No such schedule.')
    expect(await hosts()).toMatchObject([{ priority: 50, schedule_id: null }])
    const left = await add(gone)
    expect([left.status, left.text.includes('No such member.')]).toEqual([404, true])
    await browser.send(with1, at, named({ priority: '3', weight: '7' }))
    expect(await hosts()).toMatchObject([{ priority: 3, weight: 7 }])
    const strategy = formOf(await browser.visit(at), at, 'assignment_strategy')
    const chosen = { assignment_strategy: 'round_robin', host_choice: 'optional' }
    expect(strategy.fields.host_choice).toBe('none')
    await browser.visit(at, { form: { ...strategy.fields, ...chosen } })
    expect(await eventType()).toMatchObject(chosen)
    const remove = () => browser.visit(`${at}/${host.id}`, { form: formOf(with1, at).fields })
    await remove()
    expect(await hosts()).toEqual([])
    expect((await browser.send(with1, at, named({ priority: '5' }))).status).toBe(409)
    const again = await remove()
    expect([again.status, wordsOf(again).includes('No such host.')]).toEqual([404, true])
  })

  it('asks questions in their order, and keeps the key of one whose text is changed', async () => {
    const { browser, page, at, eventType } = await editorOf('/form')
    await browser.send(page, at, { q0_label: 'Größe?', q0_type: 'choice', q0_options: 'S\nM\n\nL' })
    expect((await eventType()).questions).toMatchObject(
      [{ key: 'große', label: 'Größe?', options: ['S', 'M', 'L'] }].map((one) => ({
        ...one,
        key: expect.stringMatching(/^[a-z0-9_]+$/),
      })),
    )
    const [{ key }] = (await eventType()).questions
    const second = await browser.visit(at)
    await browser.send(second, at, { q0_label: 'Size?', q0_place: '2', q1_label: 'Why?', q1_place: '1' })
    expect((await eventType()).questions).toMatchObject([
      { key: 'why', label: 'Why?', type: 'short_text' },
      { key, label: 'Size?' },
    ])
    const third = await browser.visit(at)
    const wrong = await browser.send(third, at, { q0_type: 'choices', q0_options: 'only one' })
    expect([wrong.status, wrong.text.includes('only one')]).toEqual([422, true])
    expect(wrong.text).toContain('href="#questions.0"')
    await browser.send(third, at, { q0_label: '' })
    expect((await eventType()).questions).toMatchObject([{ label: 'Size?' }])
    const fourth = await browser.visit(at)
    const nameless = await browser.send(fourth, at, { q1_type: 'choice', q1_options: 'red\nblue' })
    expect([nameless.status, nameless.text.includes('red\nblue')]).toEqual([422, true])
    expect(nameless.text).toContain('href="#questions.1"')
  })

  it('accepts prices as people write them, in the digits of the currency, and refund rules', async () => {
    const { browser, page, at, eventType } = await editorOf('/payment')
    const rules = { until_0: '1', until_0_unit: '1440', percent_0: '100' }
    await browser.send(page, at, { price_amount: '45,50', price_currency: 'eur', ...rules })
    expect(await eventType()).toMatchObject({
      price_amount: 4550,
      price_currency: 'eur',
      refund_policy: [{ until_minutes_before: 1440, percent: 100 }],
    })
    const again = await browser.visit(at)
    const half = await browser.send(again, at, { ...rules, percent_0: '' })
    expect([half.status, formOf(half, at).fields.until_0]).toEqual([422, '1'])
    const none = { until_0: '', percent_0: '' }
    await browser.send(again, at, { price_amount: '5000', price_currency: 'jpy', ...none })
    expect(await eventType()).toMatchObject({ price_amount: 5000, price_currency: 'jpy', refund_policy: [] })
    const shown = await browser.visit(at)
    expect(formOf(shown, at).fields.price_amount).toBe('5000')
    for (const price_amount of ['much', '1.200', '1,200.50']) {
      const wrong = await browser.send(shown, at, { price_amount, price_currency: 'eur' })
      expect([wrong.status, wrong.text.includes(`value="${price_amount}"`)]).toEqual([422, true])
    }
  })

  it('shows the minimum price as people write it, in German too', async () => {
    const { browser, page, at } = await editorOf('/payment')
    const cheap = { price_amount: '0.30', price_currency: 'gbp' }
    const wrong = await browser.send(page, at, cheap)
    expect(wordsOf(wrong)).toContain('Must be at least £1.00, the minimum that can be charged in gbp.')
    const form = pairs(page, at, cheap)
    const german = await browser.visit(at, { form, headers: { 'Accept-Language': 'de' } })
    expect(wordsOf(german)).toContain('Mindestens 1,00')
  })

  it('uses text fields for numbers, because browsers send nothing if a number field has other text', async () => {
    const { browser, at, page, eventType } = await editorOf()
    const others = await Promise.all(
      ['/hours', '/hosts', '/form', '/payment'].map((part) => browser.visit(at + part)),
    )
    for (const { text } of [page, ...others, await browser.visit(`${LIST}/new`)]) {
      expect(text).not.toContain('type="number"')
    }
    const typed = { cancel_notice_minutes: '1.000', cancel_notice_minutes_unit: '60' }
    const wrong = await browser.send(page, at, typed)
    expect([wrong.status, wrong.text.includes('value="1.000"')]).toEqual([422, true])
    const again = await browser.send(wrong, at, { cancel_notice_minutes: '4.1' })
    expect([again.status, (await eventType()).cancel_notice_minutes]).toEqual([303, 246])
    const rule = { percent_0: '50 %', until_0: '1' }
    const refused = await browser.send(await browser.visit(`${at}/payment`), `${at}/payment`, rule)
    expect([refused.status, refused.text.includes('href="#refund_policy"')]).toEqual([422, true])
  })

  it('shows its page beside it as the public sees it, and none while there is none', async () => {
    const { browser, organization, page, at, eventType } = await editorOf()
    const { slug } = await eventType()
    const framed = /<iframe[^>]*src="([^"]+)"/.exec(page.text)![1]!
    expect(framed).toBe(`/book/${organization.slug}/${slug}?embed=1`)
    expect(page.headers.get('Content-Security-Policy')).toContain("frame-src 'self'")
    expect((await visit(framed)).headers.get('Content-Security-Policy')).toContain('frame-ancestors *')
    const look = await browser.visit(`${at}/look`)
    const form = formOf(look, `${at}/look`).pairs.filter(([name]) => name !== 'booking_page_enabled')
    await browser.visit(`${at}/look`, {
      form: [...form.filter(([n]) => n !== 'color'), ['color', '#123456']],
    })
    expect(await eventType()).toMatchObject({ color: '#123456', booking_page_enabled: false })
    expect((await browser.visit(at)).text).not.toContain('<iframe')
  })

  it('previews test event types by their link', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.testKey, { booking_page_enabled: true })
    const browser = await enter(organization)
    await browser.send(await browser.visit(LIST), '/console/mode', { mode: 'test' })
    const page = await browser.visit(`${LIST}/${id}`)
    const framed = /<iframe[^>]*src="([^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    expect((await visit(framed)).status).toBe(200)
  })

  it('is deleted after a confirmation that names its upcoming bookings', async () => {
    const { browser, page, at, id, organization } = await editorOf()
    expect(linksOf(page)).toContain(`${at}/delete`)
    const start = dayFromNow(3) + 36_000_000
    const booked = await book(id, start)
    expect(booked.status).toBe(201)
    const over = await book(id, start + 3_600_000)
    await call('POST', `/v1/bookings/${over.body.id}/cancel`, { key: organization.liveKey })
    const question = await browser.visit(`${at}/delete`)
    expect(wordsOf(question)).toContain('1 upcoming booking stays')
    const named = linksOf(question).filter((link) => link.startsWith('/console/bookings/'))
    expect(named).toEqual([`/console/bookings/${booked.body.id}`])
    expect((await told(organization, '/v1/event-types')).data).toHaveLength(1)
    const done = await browser.follow(await browser.send(question, `${at}/delete`))
    expect(wordsOf(done)).toContain('The event type was deleted.')
    expect((await told(organization, '/v1/event-types')).data).toEqual([])
    expect((await browser.visit(at)).status).toBe(404)
  })
})

describe('roles and organizations', () => {
  it('lets viewers and members look at everything and change nothing', async () => {
    const { organization, id, at, eventType } = await editorOf()
    const before = await eventType()
    for (const role of ['viewer', 'member'] as const) {
      const browser = await enter(organization, (await memberWithRole(organization, role)).userId)
      const list = await browser.visit(LIST)
      expect([list.status, list.text.includes(`${LIST}/order`), list.text.includes(`${LIST}/new`)]).toEqual([
        200,
        false,
        false,
      ])
      const csrf = /name="csrf" value="([^"]*)"/.exec(list.text)![1]!
      expect((await browser.visit(`${LIST}/new`)).status).toBe(403)
      expect((await browser.visit(`${at}/delete`)).status).toBe(403)
      for (const path of ['', '/hours', '/hosts', '/form', '/payment', '/look']) {
        const page = await browser.visit(at + path)
        expect([page.status, page.text.includes('fieldset class="steps plain-set" disabled')]).toEqual([
          200,
          true,
        ])
        const form = { csrf, title: 'Mine', color: '#000000', timezone: 'UTC', q0_label: 'Mine' }
        const refused = await browser.visit(at + path, { form })
        expect([refused.status, wordsOf(refused).includes('Your role does not allow this')]).toEqual([
          403,
          true,
        ])
      }
      const posts = [`${at}/delete`, `${at}/hosts/add`, `${LIST}/order`, `${LIST}/new`]
      for (const path of posts) {
        const form = { csrf, down: id, order: id, title: 'Mine', duration_minutes: '30', member_id: id }
        expect([path, (await browser.visit(path, { form })).status]).not.toEqual([path, 200])
      }
    }
    expect(await eventType()).toEqual(before)
    expect((await told(organization, '/v1/event-types')).data).toHaveLength(1)
  })

  it('knows nothing of what another organization offers', async () => {
    const { at } = await editorOf()
    const browser = await enter(await createOrganization())
    for (const path of ['', '/hours', '/hosts', '/form', '/payment', '/look', '/delete']) {
      expect((await browser.visit(at + path)).status).toBe(404)
    }
  })

  it('asks the database twice a screen', async () => {
    const { browser, at } = await editorOf()
    const parts = ['', '/hours', '/hosts', '/form', '/payment', '/look', '/delete']
    const told = await consoleTrips(browser, [LIST, `${LIST}/new`, ...parts.map((part) => at + part)])
    expect(told.filter(({ trips }) => trips > 2)).toEqual([])
  })

  it('speaks German', async () => {
    const { browser, at } = await editorOf()
    const headers = { 'Accept-Language': 'de' }
    expect(wordsOf(await browser.visit(LIST, { headers }))).toContain('Neue Terminart')
    expect(wordsOf(await browser.visit(`${at}/hours`, { headers }))).toContain('Mindestvorlauf')
  })
})
