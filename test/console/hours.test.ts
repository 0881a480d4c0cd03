import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
} from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, type Visited, wordsOf } from '../support/pages.ts'

const HOURS = '/console/hours'
/** What is over is not listed. */
const dateIn = (days: number) => iso(dayFromNow(days)).slice(0, 10)

async function told(organization: Organization, path: string) {
  return (await call('GET', path, { key: organization.liveKey })).body
}

function csrfOf({ text }: Visited): string {
  return /name="csrf" value="([^"]*)"/.exec(text)![1]!
}

async function atWork() {
  const organization = await createOrganization()
  const browser = await enter(organization)
  const { data } = await told(organization, `/v1/organizations/${organization.id}/members`)
  return { organization, browser, ownerId: data[0].id as string }
}

/** The fields of a form with all their values, some of them replaced. */
function pairs(page: Visited, which: string, changes: Readonly<Record<string, string | readonly string[]>>) {
  const own = formOf(page, which).pairs.filter(([name]) => !(name in changes))
  const changed = Object.entries(changes).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  )
  return [...own, ...changed]
}

describe('schedules', () => {
  it('are created, changed and deleted, with several times a day and single dates', async () => {
    const { organization, browser, ownerId } = await atWork()
    const blank = await browser.visit(`${HOURS}/new`)
    const changes = { name: 'Mornings', member_id: ownerId, is_default: 'on', timezone: 'Europe/Berlin' }
    const week = { d3_from: ['08:00', '14:00'], d3_to: ['10:00', '16:00'], o_date: ['2027-02-01'] }
    const form = pairs(blank, `${HOURS}/new`, { ...changes, ...week, o_from: [''], o_to: [''] })
    expect((await browser.visit(`${HOURS}/new`, { form })).status).toBe(303)
    const { data } = await told(organization, '/v1/schedules')
    expect(data).toMatchObject([
      { name: 'Mornings', member_id: ownerId, is_default: true, rules: { length: 6 } },
    ])
    expect(data[0].overrides).toEqual([{ date: '2027-02-01', intervals: [] }])
    const list = await browser.visit(HOURS)
    expect(wordsOf(list)).toContain('Mornings')
    const own = `${HOURS}/${data[0].id}`
    const page = await browser.visit(own)
    const renamed = await browser.visit(own, { form: pairs(page, own, { name: 'Early' }) })
    expect(renamed.status).toBe(303)
    const saved = await told(organization, `/v1/schedules/${data[0].id}`)
    expect(saved).toMatchObject({ name: 'Early', rules: data[0].rules, overrides: data[0].overrides })
    const kept = await browser.send(page, `${own}/delete`)
    expect([kept.status, kept.text.includes('This schedule is in use')]).toEqual([409, true])
    const free = formOf(await browser.visit(own), own).pairs.filter(([name]) => name !== 'is_default')
    await browser.visit(own, { form: free })
    expect((await browser.send(page, `${own}/delete`)).status).toBe(303)
    expect((await told(organization, '/v1/schedules')).data).toEqual([])
  })

  it('show the error at the day, and keep what was typed', async () => {
    const { organization, browser } = await atWork()
    const blank = await browser.visit(`${HOURS}/new`)
    const form = pairs(blank, `${HOURS}/new`, { name: '', d6_from: ['18:00'], d6_to: ['09:00'] })
    const wrong = await browser.visit(`${HOURS}/new`, { form })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('id="name-error"')
    expect(wrong.text).toMatch(/id="day_6"[\s\S]*?value="18:00"[\s\S]*?Must be after the start\./)
    expect((await told(organization, '/v1/schedules')).data).toEqual([])
  })
})

describe('hours that close times', () => {
  /** An event type with a booking at noon, by hours of a schedule that is open all week. */
  async function booked(of: 'member' | 'organization') {
    const { organization, browser, ownerId } = await atWork()
    const key = organization.liveKey
    const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      ...{ day_of_week, start_time: '09:00', end_time: '17:00' },
    }))
    const body = { name: 'Week', timezone: 'UTC', rules, member_id: of === 'member' ? ownerId : null }
    const schedule = (await call('POST', '/v1/schedules', { key, body })).body
    const { id } = await createEventType(key)
    if (of === 'organization') {
      await call('PATCH', `/v1/event-types/${id}`, { key, body: { schedule_id: schedule.id } })
    } else {
      const host = { member_id: ownerId, schedule_id: schedule.id }
      await call('POST', `/v1/event-types/${id}/hosts`, { key, body: host })
    }
    const { body: booking } = await book(id, dayFromNow(9) + 12 * 3_600_000)
    const own = `${HOURS}/${schedule.id}`
    return { organization, browser, schedule, booking, own, form: await browser.visit(own) }
  }
  const date = dateIn(9)

  it.each(['member', 'organization'] as const)(
    'are saved the second time, after the bookings of the %s in them were named',
    async (of) => {
      const { organization, browser, schedule, booking, own, form } = await booked(of)
      const close = { o_date: [date], o_from: [''], o_to: [''], name: 'Changed' }
      const asked = await browser.visit(own, { form: pairs(form, own, close) })
      expect(asked.status).toBe(200)
      expect(wordsOf(asked)).toContain('Not saved yet: 1 booking is in a time that you close.')
      expect(asked.text).toContain(`href="/console/bookings/${booking.id}"`)
      const saved = () => told(organization, `/v1/schedules/${schedule.id}`)
      expect(await saved()).toMatchObject({ name: 'Week', overrides: [] })
      const again = await browser.visit(own, { form: pairs(asked, own, {}) })
      expect(again.status).toBe(303)
      expect(await saved()).toMatchObject({ name: 'Changed', overrides: [{ date, intervals: [] }] })
    },
  )

  it('are saved at once if nothing is booked in what they close', async () => {
    const { browser, own, form } = await booked('member')
    const shorter = { o_date: [date], o_from: ['11:00'], o_to: ['14:00'] }
    expect((await browser.visit(own, { form: pairs(form, own, shorter) })).status).toBe(303)
    const open = { o_date: [date], o_from: ['11:00'], o_to: ['12:10'] }
    const page = await browser.visit(own)
    expect((await browser.visit(own, { form: pairs(page, own, open) })).status).toBe(200)
  })

  it('are not saved over a change of somebody else since the form was shown', async () => {
    const { organization, browser, schedule, own, form } = await booked('member')
    const asked = await browser.visit(own, {
      form: pairs(form, own, { o_date: [date], o_from: [''], o_to: [''] }),
    })
    const path = `/v1/schedules/${schedule.id}`
    await call('PATCH', path, { key: organization.liveKey, body: { name: 'Other' } })
    expect((await browser.visit(own, { form: pairs(asked, own, {}) })).status).toBe(409)
    expect(await told(organization, path)).toMatchObject({ name: 'Other', overrides: [] })
  })
})

describe('a time that is blocked every week', () => {
  it('becomes overrides of the schedule, which leave the rest of each day open', async () => {
    const { organization, browser, ownerId } = await atWork()
    const rules = [
      { day_of_week: 3, start_time: '09:00', end_time: '12:00' },
      { day_of_week: 3, start_time: '13:00', end_time: '17:00' },
    ]
    const overrides = [{ date: '2031-01-08', intervals: [] }]
    const body = { name: 'Week', timezone: 'UTC', rules, overrides, member_id: ownerId }
    const { id } = (await call('POST', '/v1/schedules', { key: organization.liveKey, body })).body
    const page = await browser.visit(`${HOURS}/block`)
    const block = { day: '3', from: '11:00', to: '14:00', first: '2031-01-01', until: '2031-01-21' }
    const wrong = await browser.send(page, `${HOURS}/block`, { ...block, to: '10:00', until: '2030-01-01' })
    expect(wrong.status).toBe(422)
    expect([wrong.text.includes('id="to-error"'), wrong.text.includes('id="until-error"')]).toEqual([
      true,
      true,
    ])
    const nothing = await browser.send(page, `${HOURS}/block`, { ...block, day: '2' })
    expect(wordsOf(nothing)).toContain('The schedule is not open at this time on any of these days.')
    expect((await told(organization, `/v1/schedules/${id}`)).overrides).toEqual(overrides)
    expect((await browser.send(page, `${HOURS}/block`, block)).status).toBe(303)
    const intervals = [
      { start_time: '09:00', end_time: '11:00' },
      { start_time: '14:00', end_time: '17:00' },
    ]
    expect((await told(organization, `/v1/schedules/${id}`)).overrides).toEqual([
      { date: '2031-01-01', intervals },
      { date: '2031-01-08', intervals: [] },
      { date: '2031-01-15', intervals },
    ])
    const far = await browser.send(page, `${HOURS}/block`, { ...block, until: '2041-01-01' })
    expect([far.status, far.text.includes('id="until-error"')]).toEqual([422, true])
    const other = await enter(organization, (await memberWithRole(organization, 'member')).userId)
    const csrf = csrfOf(await other.visit(HOURS))
    const refused = await other.visit(`${HOURS}/block`, { form: { ...block, csrf, schedule: id } })
    expect(refused.status).toBe(403)
  })
})

describe('time off', () => {
  it('closes a week for everybody in two clicks, and names what is booked in it', async () => {
    const { organization, browser, ownerId } = await atWork()
    const { id } = await createEventType(organization.liveKey)
    await call('POST', `/v1/event-types/${id}/hosts`, {
      key: organization.liveKey,
      body: { member_id: ownerId },
    })
    const page = await browser.visit(HOURS)
    const weeks = [...page.text.matchAll(/href="(\/console\/hours\/week\?from=([^"]+))"/g)]
    expect(weeks).toHaveLength(4)
    const [, link, monday] = weeks[2]!
    const start = Date.parse(`${monday}T12:00:00Z`)
    const booked = await book(id, start)
    const question = await browser.visit(link!)
    const done = await browser.send(question, `${HOURS}/time-off`, { who: 'all' })
    expect(done.status).toBe(303)
    const { data } = await told(organization, '/v1/time-off')
    const sunday = new Date(Date.parse(monday!) + 6 * 86_400_000).toISOString().slice(0, 10)
    expect(data).toMatchObject([
      { member_id: null, start: monday, end: sunday },
      { member_id: ownerId, start: monday, end: sunday },
    ])
    const after = await browser.follow(done)
    expect(wordsOf(after)).toContain('1 existing booking falls in this time')
    expect(after.text).toContain(`/console/bookings/${booked.body.id}`)
  })

  it('names event types that stay open though everybody is off, until they have a host', async () => {
    const { organization, browser, ownerId } = await atWork()
    const { id } = await createEventType(organization.liveKey)
    const note = `href="/console/event-types/${id}/hosts"`
    const pages = [HOURS, `${HOURS}/time-off`, `${HOURS}/week?from=${dateIn(9)}`]
    const areTold = () => Promise.all(pages.map(async (at) => (await browser.visit(at)).text.includes(note)))
    expect(await areTold()).toEqual([true, true, true])
    const body = { member_id: ownerId }
    await call('POST', `/v1/event-types/${id}/hosts`, { key: organization.liveKey, body })
    expect(await areTold()).toEqual([false, false, false])
  })

  it('is created, changed and removed', async () => {
    const { organization, browser, ownerId } = await atWork()
    const form = await browser.visit(`${HOURS}/time-off`)
    const days = { who: ownerId, start: dateIn(60), end: dateIn(71), reason: 'Holidays' }
    const wrong = await browser.send(form, `${HOURS}/time-off`, { ...days, end: dateIn(59) })
    expect([wrong.status, wrong.text.includes('value="Holidays"')]).toEqual([422, true])
    for (const [end, why] of [
      [dateIn(59), 'Das Ende darf nicht vor dem Anfang liegen.'],
      ['12.3.', 'Geben Sie ein Datum wie 2026-03-09 ein.'],
    ] as const) {
      const sent = pairs(form, `${HOURS}/time-off`, { ...days, end })
      const german = await browser.visit(`${HOURS}/time-off`, {
        form: sent,
        headers: { 'Accept-Language': 'de' },
      })
      expect(wordsOf(german)).toContain(why)
    }
    expect((await browser.send(form, `${HOURS}/time-off`, days)).status).toBe(303)
    const { data } = await told(organization, '/v1/time-off')
    expect(data).toMatchObject([{ start: days.start, end: days.end, reason: 'Holidays' }])
    const own = `${HOURS}/time-off/${data[0].id}`
    await browser.send(await browser.visit(own), own, { end: dateIn(64), reason: '' })
    expect((await told(organization, '/v1/time-off')).data).toMatchObject([{ end: dateIn(64), reason: null }])
    const list = await browser.visit(HOURS)
    expect((await browser.send(list, own, { remove: '1' })).status).toBe(303)
    expect((await told(organization, '/v1/time-off')).data).toEqual([])
  })
})

describe('time off by hours', () => {
  it('is created in the zone of its reader, listed with its times, and stays as it is if only its reason changes', async () => {
    const { organization, browser, ownerId } = await atWork()
    const path = `/v1/organizations/${organization.id}/members/${ownerId}`
    await call('PATCH', path, { key: organization.liveKey, body: { timezone: 'America/New_York' } })
    const year = Number(dateIn(0).slice(0, 4)) + 1
    const day = `${year}-07-06`
    const form = await browser.visit(`${HOURS}/time-off`)
    expect(wordsOf(form)).toContain('Times are in America/New York.')
    const hours = { who: ownerId, start: day, start_time: '13:00', end: '', end_time: '15:30' }
    expect((await browser.send(form, `${HOURS}/time-off`, hours)).status).toBe(303)
    const saved = { start: `${day}T17:00:00.000Z`, end: `${day}T19:30:00.000Z` }
    const list = async () => (await told(organization, '/v1/time-off')).data
    expect(await list()).toMatchObject([saved])
    expect(wordsOf(await browser.visit(HOURS))).toMatch(/Jul 6, 1:00.PM – 3:30.PM/)
    const german = await browser.visit(HOURS, { headers: { 'Accept-Language': 'de' } })
    expect(wordsOf(german)).toMatch(/6\. Juli, 13:00 – 15:30/)
    const own = `${HOURS}/time-off/${(await list())[0].id}`
    const twice = { start: `${year}-11-01T05:30:00.250Z`, end: `${year}-11-09T07:00:00.000Z` }
    await call('PATCH', `/v1/time-off/${(await list())[0].id}`, { key: organization.liveKey, body: twice })
    await browser.send(await browser.visit(own), own, { reason: 'Course' })
    expect(await list()).toMatchObject([{ ...twice, reason: 'Course' }])
    await browser.send(await browser.visit(own), own, {
      start: day,
      start_time: '09:00',
      end: day,
      end_time: '',
    })
    expect(await list()).toMatchObject([
      { start: `${day}T13:00:00.000Z`, end: `${year}-07-07T04:00:00.000Z` },
    ])
    await browser.send(await browser.visit(own), own, { start_time: '', end_time: '' })
    expect(await list()).toMatchObject([{ start: day, end: `${year}-07-07` }])
  })

  it('is refused at its fields, which keep what was typed', async () => {
    const { organization, browser, ownerId } = await atWork()
    const form = await browser.visit(`${HOURS}/time-off`)
    const hours = { who: ownerId, start: dateIn(60), start_time: '13:00', end: dateIn(60), end_time: '12:00' }
    const early = await browser.send(form, `${HOURS}/time-off`, hours)
    expect([early.status, early.text.includes('id="end-error"')]).toEqual([422, true])
    expect(early.text).toContain('value="13:00"')
    const wrong = await browser.send(form, `${HOURS}/time-off`, { ...hours, start_time: '1 pm' })
    expect([wrong.status, wrong.text.includes('id="start-error"')]).toEqual([422, true])
    expect((await told(organization, '/v1/time-off')).data).toEqual([])
  })
})

describe('roles', () => {
  it('let members change what is their own, and viewers nothing', async () => {
    const { organization, browser, ownerId } = await atWork()
    const blank = await browser.visit(`${HOURS}/new`)
    await browser.send(blank, `${HOURS}/new`, { name: 'Of the house' })
    await browser.send(await browser.visit(`${HOURS}/time-off`), `${HOURS}/time-off`, {
      ...{ who: ownerId, start: dateIn(60), end: dateIn(61) },
    })
    const [shared] = (await told(organization, '/v1/schedules')).data
    const [off] = (await told(organization, '/v1/time-off')).data
    for (const role of ['member', 'viewer'] as const) {
      const { id, userId } = await memberWithRole(organization, role)
      const other = await enter(organization, userId)
      const csrf = csrfOf(await other.visit(HOURS))
      const away = { csrf, start: dateIn(60), end: dateIn(61) }
      const forbidden = [
        [`${HOURS}/time-off`, { ...away, who: ownerId }],
        [`${HOURS}/time-off`, { ...away, who: 'all' }],
        [`${HOURS}/time-off/${off.id}`, away],
        [`${HOURS}/time-off/${off.id}`, { csrf, remove: '1' }],
        [`${HOURS}/${shared.id}`, { csrf, name: 'Mine', timezone: 'UTC' }],
        [`${HOURS}/${shared.id}`, { csrf, name: '', timezone: 'UTC' }],
        [`${HOURS}/${shared.id}/delete`, { csrf }],
        [`${HOURS}/new`, { csrf, name: 'For all', timezone: 'UTC', member_id: '' }],
        [`${HOURS}/new`, { csrf, name: '', timezone: 'UTC', member_id: '' }],
      ] as const
      for (const [path, form] of forbidden) {
        const refused = await other.visit(path, { form })
        const isSaid = wordsOf(refused).includes('Your role does not allow this')
        expect([path, refused.status, isSaid]).toEqual([path, 403, true])
      }
      const own = await other.visit(`${HOURS}/time-off`, { form: { ...away, who: id } })
      expect(own.status).toBe(role === 'member' ? 303 : 403)
    }
    expect((await told(organization, '/v1/schedules')).data).toMatchObject([{ name: 'Of the house' }])
    expect((await told(organization, '/v1/time-off')).data).toHaveLength(2)
  })

  it('show nothing of another organization', async () => {
    const { organization, browser } = await atWork()
    await browser.send(await browser.visit(`${HOURS}/new`), `${HOURS}/new`, { name: 'Ours' })
    const [{ id }] = (await told(organization, '/v1/schedules')).data
    const stranger = await enter(await createOrganization())
    expect((await stranger.visit(`${HOURS}/${id}`)).status).toBe(404)
    const csrf = csrfOf(await stranger.visit(HOURS))
    expect((await stranger.visit(`${HOURS}/${id}/delete`, { form: { csrf } })).status).toBe(404)
  })
})
