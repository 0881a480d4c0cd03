import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { manyListed } from '../support/many-listed.ts'
import { formOf, linksOf, type Visited, wordsOf } from '../support/pages.ts'

const NOON = dayFromNow(9) + 12 * 3_600_000
const week = (start_time: string, end_time: string) =>
  [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({ day_of_week, start_time, end_time }))

/** An event type that is open all week, with a booking at noon. */
async function booked() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key)
  const rules = week('09:00', '17:00')
  await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { timezone: 'UTC', rules } })
  const { body: booking } = await book(id, NOON)
  const browser = await enter(organization)
  const own = `/console/event-types/${id}/hours` as const
  const read = async (path: string) => (await call('GET', path, { key })).body
  const saved = () => read(`/v1/event-types/${id}/availability`)
  const scheduleOf = async (schedule: object) => {
    const body = { name: 'Week', timezone: 'UTC', ...schedule }
    return (await call('POST', '/v1/schedules', { key, body })).body.id as string
  }
  return { organization, key, id, browser, booking, own, saved, scheduleOf, page: await browser.visit(own) }
}

/** A form with other values; null leaves a field out. */
function changed(page: Visited, own: string, changes: Readonly<Record<string, string | null>>) {
  const { pairs } = formOf(page, own)
  const typed = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  )
  return [...pairs.filter(([name]) => !(name in changes)), ...typed]
}

/** The fields of a week that is open so every day. */
const daily = (from: string, to: string) =>
  Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
      [`d${day}_from`, from],
      [`d${day}_to`, to],
    ]),
  )

describe('hours of an event type that close times', () => {
  it('are saved the second time, after the bookings in them were named', async () => {
    const { browser, booking, own, saved, page } = await booked()
    const close = { o_date: dateOf(NOON), o_from: '', o_to: '', minimum_notice_minutes: '3' }
    const asked = await browser.visit(own, { form: changed(page, own, close) })
    expect(asked.status).toBe(200)
    expect(wordsOf(asked)).toContain('Not saved yet: 1 booking is in a time that you close.')
    expect(linksOf(asked)).toContain(`/console/bookings/${booking.id}`)
    expect((await saved()).overrides).toEqual([])
    const german = await browser.visit(own, {
      form: changed(page, own, close),
      headers: { 'Accept-Language': 'de' },
    })
    expect(wordsOf(german)).toContain('Noch nicht gespeichert: 1 Buchung liegt in einer Zeit')
    const again = await browser.visit(own, { form: formOf(asked, own).pairs })
    expect(again.status).toBe(303)
    expect((await saved()).overrides).toMatchObject([{ date: dateOf(NOON), intervals: [] }])
  })

  it('are saved at once if nothing is booked in what they close', async () => {
    const { browser, own, saved, page } = await booked()
    const close = { o_date: dateOf(NOON - 86_400_000), o_from: '', o_to: '' }
    expect((await browser.visit(own, { form: changed(page, own, close) })).status).toBe(303)
    expect((await saved()).overrides).toHaveLength(1)
  })

  it('are those of a schedule that is chosen in their place', async () => {
    const { browser, own, booking, scheduleOf } = await booked()
    const short = await scheduleOf({ rules: week('14:00', '17:00') })
    const long = await scheduleOf({ rules: week('08:00', '18:00') })
    const page = await browser.visit(own)
    const asked = await browser.visit(own, { form: changed(page, own, { schedule_id: short }) })
    expect(linksOf(asked)).toContain(`/console/bookings/${booking.id}`)
    expect((await browser.visit(own, { form: changed(page, own, { schedule_id: long }) })).status).toBe(303)
  })

  it('are those of the hosts, if theirs count in their place, and the other way round', async () => {
    const { organization, key, id, browser, own, booking, scheduleOf } = await booked()
    const members = (await call('GET', `/v1/organizations/${organization.id}/members`, { key })).body.data
    const short = await scheduleOf({ rules: week('14:00', '17:00'), member_id: members[0].id })
    const host = await call('POST', `/v1/event-types/${id}/hosts`, {
      key,
      body: { member_id: members[0].id, schedule_id: short },
    })
    const page = await browser.visit(own)
    const form = changed(page, own, { hours_from: 'hosts' })
    expect(linksOf(await browser.visit(own, { form }))).toContain(`/console/bookings/${booking.id}`)
    await call('PATCH', `/v1/schedules/${short}`, { key, body: { rules: week('10:00', '13:00') } })
    expect((await browser.visit(own, { form })).status).toBe(303)
    await call('PATCH', `/v1/event-types/${id}/hosts/${host.body.id}`, { key, body: { schedule_id: null } })
    expect(host.status).toBe(201)
  })

  it('are those of more than a hundred event types with one schedule', async () => {
    const { organization, id } = await manyListed(100)
    const key = organization.liveKey
    const body = { name: 'Usual', timezone: 'UTC', rules: week('09:00', '17:00') }
    const { body: schedule } = await call('POST', '/v1/schedules', { key, body })
    const ofAll = "UPDATE event_types SET schedule_id = ?1, id = iif(id = ?2, id, '0' || id)"
    await env.DB.prepare(`${ofAll} WHERE organization_id = ?3`).bind(schedule.id, id, organization.id).run()
    const { body: booking } = await book(id, NOON)
    const browser = await enter(organization)
    const own = `/console/hours/${schedule.id}` as const
    const form = changed(await browser.visit(own), own, { o_date: dateOf(NOON), o_from: '', o_to: '' })
    expect(linksOf(await browser.visit(own, { form }))).toContain(`/console/bookings/${booking.id}`)
  })

  it('are named when they are saved with another tab, and when the default schedule ends', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const body = { name: 'Usual', timezone: 'UTC', rules: week('09:00', '17:00'), is_default: true }
    await call('POST', '/v1/schedules', { key, body })
    const made = await call('POST', '/v1/event-types', {
      key,
      body: { title: 'Talk', slug: 'talk', duration_minutes: 30 },
    })
    const { id } = made.body
    const { body: booking } = await book(id, NOON)
    const browser = await enter(organization)
    const own = `/console/event-types/${id}/hours` as const
    const page = await browser.visit(own)
    const hours = changed(page, own, { d1_from: '18:00', d1_to: '20:00' })
    const basics = await browser.visit(`/console/event-types/${id}/switch`, {
      form: [...hours, ['to', '']],
    })
    const asked = await browser.visit(`/console/event-types/${id}`, {
      form: formOf(basics, `/console/event-types/${id}`).pairs,
    })
    expect(asked.status).toBe(200)
    expect(linksOf(asked)).toContain(`/console/bookings/${booking.id}`)
    const again = await browser.visit(`/console/event-types/${id}`, {
      form: formOf(asked, `/console/event-types/${id}`).pairs,
    })
    expect(again.status).toBe(303)
    expect((await call('GET', `/v1/event-types/${id}/availability`, { key })).body.rules).toHaveLength(1)
  })
})

/** An event type with one host, whose hours alone count if `hours_from` is `hosts`, and a booking of theirs at noon. */
async function hosted(hours_from: 'own' | 'hosts') {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
  const rules = week('09:00', '17:00')
  await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { timezone: 'UTC', rules } })
  const [member, other] = await addHosts(organization, key, id, 2)
  const scheduleOf = async (schedule: object) => {
    const body = { name: 'Week', timezone: 'UTC', member_id: member, ...schedule }
    const made = await call('POST', '/v1/schedules', { key, body })
    expect(made.status).toBe(201)
    return made.body.id as string
  }
  const usual = await scheduleOf({ name: 'Usual', rules, is_default: true })
  await call('PATCH', `/v1/event-types/${id}`, { key, body: { hours_from } })
  const { body: booking } = await call('POST', '/v1/bookings', {
    key,
    body: {
      ...{ event_type_id: id, start_time: iso(NOON), member_id: member },
      ...{ invitee_name: 'Ada', invitee_email: 'ada@example.com' },
    },
  })
  expect(booking.assigned_host.member_id).toBe(member)
  const { data: hosts } = (await call('GET', `/v1/event-types/${id}/hosts`, { key })).body
  const hostOf = (memberId: string | undefined) =>
    hosts.find((host: { member_id: string }) => host.member_id === memberId).id as string
  const browser = await enter(organization)
  /** Whether saving names the booking first; then it is saved. */
  const names = async (path: string, changes: Readonly<Record<string, string | null>>) => {
    const page = await browser.visit(path)
    const asked = await browser.visit(path, { form: changed(page, path, changes) })
    const isNamed = linksOf(asked).includes(`/console/bookings/${booking.id}`)
    const saved = isNamed ? await browser.visit(path, { form: formOf(asked, path).pairs }) : asked
    expect([path, saved.status]).toEqual([path, 303])
    return isNamed
  }
  return { key, id, usual, names, scheduleOf, mine: hostOf(member), theirs: hostOf(other), member, other }
}

const AFTERNOON = { rules: week('14:00', '17:00') }
const LONG = { rules: week('08:00', '18:00') }

describe('hours of a host that close times', () => {
  it.each(['own', 'hosts'] as const)(
    'are named in the editor of an event type that takes its hours from: %s',
    async (hours_from) => {
      const { id, key, names, scheduleOf, mine, theirs } = await hosted(hours_from)
      const [short, long] = [await scheduleOf(AFTERNOON), await scheduleOf(LONG)]
      const { body: shared } = await call('POST', '/v1/schedules', {
        key,
        body: { name: 'Late', timezone: 'UTC', ...AFTERNOON },
      })
      const editor = `/console/event-types/${id}/hosts`
      expect(await names(editor, { [`schedule_id-${theirs}`]: shared.id })).toBe(false)
      expect(await names(editor, { [`schedule_id-${mine}`]: long })).toBe(false)
      expect(await names(editor, { [`schedule_id-${mine}`]: short })).toBe(true)
      expect(await names(editor, { [`schedule_id-${mine}`]: '' })).toBe(false)
      expect(await names(editor, { [`schedule_id-${mine}`]: shared.id })).toBe(true)
      // Nothing of what is booked follows the member's default any more.
      const { data } = (await call('GET', '/v1/schedules', { key })).body
      const usual = data.find(({ name }: { name: string }) => name === 'Usual').id
      expect(await names(`/console/hours/${usual}`, daily('15:00', '17:00'))).toBe(false)
    },
  )

  it('are named when another schedule becomes the default', async () => {
    const { names, scheduleOf, member } = await hosted('own')
    const [short, long] = [await scheduleOf(AFTERNOON), await scheduleOf(LONG)]
    expect(await names(`/console/hours/${long}`, { is_default: 'on' })).toBe(false)
    expect(await names(`/console/hours/${short}`, { is_default: 'on' })).toBe(true)
    const made = { name: 'None', member_id: member!, timezone: 'UTC', is_default: 'on', ...daily('', '') }
    expect(await names(`/console/hours/${long}`, { is_default: 'on' })).toBe(false)
    expect(await names('/console/hours/new', made)).toBe(true)
  })

  it('are named when there is no default any more, if nothing else opens the event type', async () => {
    for (const [hours_from, isNamed] of [
      ['hosts', true],
      ['own', false],
    ] as const) {
      const { names, usual } = await hosted(hours_from)
      expect([hours_from, await names(`/console/hours/${usual}`, { is_default: null })]).toEqual([
        hours_from,
        isNamed,
      ])
    }
  })
})
