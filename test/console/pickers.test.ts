import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newId } from '../../src/platform/db/ids.ts'
import { call } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization, type Organization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, type Visited } from '../support/pages.ts'

const ALL = 150

/** Adds newer rows like that of the id, so that lists have it last. */
async function crowd(
  table: string,
  id: string,
  organization: Organization,
  own: () => Record<string, unknown> = () => ({}),
): Promise<void> {
  const row = await env.DB.prepare(`SELECT * FROM ${table} WHERE id = ?`).bind(id).first()
  const rows = Array.from({ length: ALL - 1 }, () => ({ ...row, id: newId(organization.id), ...own() }))
  await env.DB.batch(
    rows.map((one) => {
      const places = Object.keys(one).fill('?')
      return env.DB.prepare(`INSERT INTO ${table} (${Object.keys(one)}) VALUES (${places})`).bind(
        ...Object.values(one),
      )
    }),
  )
}

async function made(organization: Organization, path: string, body: Record<string, unknown>) {
  const answer = await call('POST', path, { key: organization.liveKey, body })
  expect(answer.status).toBe(201)
  return answer.body
}

async function told(organization: Organization, path: string) {
  return (await call('GET', path, { key: organization.liveKey })).body
}

function manySchedules(organization: Organization, id: string): Promise<void> {
  return crowd('schedules', id, organization, () => ({ is_default: 0 }))
}

function optionsOf({ text }: Visited, name: string): string[] {
  const select = new RegExp(`<select[^>]*\\sname="${name}"[^>]*>([\\s\\S]*?)</select>`).exec(text)![1]!
  return [...select.matchAll(/<option[^>]*\svalue="([^"]+)"/g)].map(([, value]) => value!)
}

describe('pickers of more than a hundred things', () => {
  it("save a host's priority and keep the host's schedule", async () => {
    const organization = await createOrganization()
    const { id: member_id } = await memberWithRole(organization, 'member')
    const { id } = await createEventType(organization.liveKey)
    const schedule = await made(organization, '/v1/schedules', {
      name: 'Mornings',
      timezone: 'UTC',
      rules: [],
    })
    const host = await made(organization, `/v1/event-types/${id}/hosts`, {
      member_id,
      schedule_id: schedule.id,
    })
    await manySchedules(organization, schedule.id)
    const browser = await enter(organization)
    const at = `/console/event-types/${id}/hosts`
    const page = await browser.visit(at)
    expect(optionsOf(page, `schedule_id-${host.id}`)).toHaveLength(ALL)
    expect((await browser.send(page, at, { [`priority-${host.id}`]: '3' })).status).toBe(303)
    const { data } = await told(organization, `/v1/event-types/${id}/hosts`)
    expect(data).toMatchObject([{ priority: 3, schedule_id: schedule.id }])
  })

  it("save an event type's limits and keep its schedule", async () => {
    const organization = await createOrganization()
    const schedule = await made(organization, '/v1/schedules', {
      name: 'Mornings',
      timezone: 'UTC',
      rules: [],
    })
    const { id } = await createEventType(organization.liveKey, { schedule_id: schedule.id })
    await manySchedules(organization, schedule.id)
    const browser = await enter(organization)
    const at = `/console/event-types/${id}/hours`
    const page = await browser.visit(at)
    expect(optionsOf(page, 'schedule_id')).toHaveLength(ALL)
    expect((await browser.send(page, at, { booking_cap: '3' })).status).toBe(303)
    expect(await told(organization, `/v1/event-types/${id}`)).toMatchObject({
      booking_cap: 3,
      schedule_id: schedule.id,
    })
    expect(optionsOf(await browser.visit('/console/event-types/new'), 'hours')).toHaveLength(ALL)
  })

  it("save a member's limits and keep their default schedule", async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'member')
    const schedule = await made(organization, '/v1/schedules', {
      name: 'Mornings',
      timezone: 'UTC',
      rules: [],
      member_id: id,
      is_default: true,
    })
    await manySchedules(organization, schedule.id)
    const browser = await enter(organization)
    const at = `/console/team/${id}`
    const page = await browser.visit(at)
    expect(optionsOf(page, 'default_schedule_id')).toHaveLength(ALL)
    expect((await browser.send(page, at, { max_bookings_per_day: '3' })).status).toBe(303)
    expect(await told(organization, `/v1/organizations/${organization.id}/members/${id}`)).toMatchObject({
      max_bookings_per_day: 3,
      default_schedule_id: schedule.id,
    })
  })

  it('offer every event type', async () => {
    const organization = await createOrganization()
    const { id, slug } = await createEventType(organization.liveKey, {
      booking_page_enabled: true,
      waitlist_enabled: true,
    })
    await crowd('event_types', id, organization, () => ({ slug: unique('like') }))
    const browser = await enter(organization)
    for (const [path, name, first] of [
      [`/console/bookings/new?type=${id}`, 'type', id],
      [`/console/bookings/waitlist/new?type=${id}`, 'type', id],
      [`/console/developers/explain?type=${id}`, 'type', id],
      [`/console/page/embed?event=${slug}`, 'event', slug],
    ] as const) {
      const page = await browser.visit(path)
      expect([path, optionsOf(page, name).length]).toEqual([path, ALL])
      expect(page.text).toContain(`value="${first}" selected`)
    }
  })

  it('offer every member', async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'member')
    await crowd('members', id, organization, () => ({ user_id: unique('user') }))
    const { id: type } = await createEventType(organization.liveKey)
    const browser = await enter(organization)
    const everybody = ALL + 1
    for (const [path, name] of [
      [`/console/event-types/${type}/hosts`, 'member_id'],
      ['/console/calendars', 'feed_member'],
      ['/console/calendars/connect', 'member'],
      ['/console/hours/new', 'member_id'],
    ] as const) {
      expect([path, optionsOf(await browser.visit(path), name).length]).toEqual([path, everybody])
    }
  })
})

describe('lists of more than a hundred things', () => {
  it('show all schedules, time off and feeds', async () => {
    const organization = await createOrganization()
    const { id: member_id } = await memberWithRole(organization, 'member')
    const schedule = await made(organization, '/v1/schedules', {
      name: 'Mornings',
      timezone: 'UTC',
      rules: [],
    })
    const off = await made(organization, '/v1/time-off', {
      member_ids: [member_id],
      start: '2099-01-01',
      end: '2099-01-02',
    })
    const feed = await made(organization, '/v1/calendar-feeds', {})
    await manySchedules(organization, schedule.id)
    await crowd('time_off', off.data[0].id, organization)
    await crowd('calendar_feeds', feed.id, organization, () => ({ token_hash: unique('hash') }))
    const browser = await enter(organization)
    const hours = await browser.visit('/console/hours')
    expect(hours.text.match(/href="\/console\/hours\/[0-9a-f-]{36}"/g)).toHaveLength(ALL)
    expect(hours.text.match(/href="\/console\/hours\/time-off\/[0-9a-f-]{36}"/g)).toHaveLength(ALL)
    expect((await browser.visit(`/console/hours/time-off/${off.data[0].id}`)).status).toBe(200)
    const calendars = await browser.visit('/console/calendars')
    expect(calendars.text.match(/action="\/console\/calendars\/feeds\/[0-9a-f-]{36}\/revoke"/g)).toHaveLength(
      ALL,
    )
  })

  it("let a member sync a calendar however many the organization's others have", async () => {
    const organization = await createOrganization()
    const member = await memberWithRole(organization, 'member')
    const id = await insertConnection(organization, 'live', { memberId: member.id })
    await crowd('calendar_connections', id, organization, () => ({
      calendar_id: unique('calendar'),
      receives_bookings: 0,
    }))
    const browser = await enter(organization, member.userId)
    const page = await browser.visit('/console/settings')
    const { csrf } = formOf(page, '/console/').fields
    const answer = await browser.visit(`/console/calendars/${id}/sync`, { form: { csrf: csrf! } })
    expect(answer.status).toBe(303)
  })
})

describe('a select', () => {
  it('keeps a saved value that is no longer offered', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, { price_amount: 500, price_currency: 'eur' })
    await env.DB.prepare("UPDATE event_types SET price_currency = 'xts' WHERE id = ?").bind(id).run()
    const browser = await enter(organization)
    const page = await browser.visit(`/console/event-types/${id}/payment`)
    expect(formOf(page, `/console/event-types/${id}/payment`).fields.price_currency).toBe('xts')
  })

  it.each([
    '/console/calendar',
    '/console/bookings?view=all',
    '/console/payments?status=failed',
    '/console/team/activity',
  ])('can be sent with none of the choices: %s', async (path) => {
    const organization = await createOrganization()
    await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' })
    const { text, status } = await (await enter(organization)).visit(path)
    expect(status).toBe(200)
    const open = [...text.matchAll(/<select([^>]*)><option (?:selected )?value[ >]/g)]
    expect(open).not.toEqual([])
    // A browser sends no form while a required field is empty.
    for (const [, attributes] of open) expect(attributes).not.toContain('required')
  })
})
