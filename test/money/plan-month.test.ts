import { env, exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { monthOf } from '../../src/engine/schedule/schedule.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { sendPlanNotice } from '../../src/money/plan-notices/send-plan-notice.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { PLANS } from '../../src/platform/limits/plans.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { connectAgent, insist } from '../support/agent.ts'
import { call, callAsService } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'
import { emailsOf } from '../support/lost-calendars.ts'
import { run } from '../support/run.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(3)
const SLOT = DAY + 10 * HOUR_MS
const QUOTA = PLANS.free.bookingsPerMonth

type Settings = { readonly used?: number; readonly input?: Record<string, unknown>; readonly locale?: string }

/** An organization with a plan of ten bookings a month, some of them used. */
async function onFree({ used = 0, input = {}, locale }: Settings = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail, tier: 'free' })
  const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true, ...input })
  if (used > 0) await use(organization, used)
  if (locale) await patch(organization, { locale })
  return { organization, ownerEmail, id: eventType.id as string, slug: eventType.slug as string }
}

/** As so many bookings of the month would leave it, but for its emails. */
async function use({ id }: Organization, bookings: number): Promise<void> {
  await run(
    `INSERT INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?1, ?2, ?3, 10000)
     ON CONFLICT DO UPDATE SET bookings = ?3, quota = 10000`,
    id,
    monthOf(Date.now()),
    bookings,
  )
}

async function patch({ id }: Organization, body: Record<string, unknown>): Promise<void> {
  expect((await callAsService('PATCH', `/v1/organizations/${id}`, { body })).status).toBe(200)
}

function available(id: string, more: Record<string, string> = {}) {
  const asked = { event_type_id: id, start: dateOf(DAY), end: dateOf(DAY), timezone: 'UTC', ...more }
  return call('GET', `/v1/availability?${new URLSearchParams(asked)}`)
}

async function pageAt(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await exports.default.fetch(new Request(`https://holdfast.test${path}`))
  return { status: response.status, text: await response.text() }
}

function hold(id: string, start: number) {
  return call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(start) } })
}

const subjectsOf = async (organization: Organization) =>
  (await emailsOf(organization)).map(({ subject }) => subject)

function arrive(organization: Organization, subjects: readonly string[]) {
  return vi.waitFor(async () => expect(await subjectsOf(organization)).toEqual(subjects), 5_000)
}

const SOME = `8 of ${QUOTA} bookings this month are used`
const ALL = `All ${QUOTA} bookings this month are used up`

describe("once the plan's month is used up", () => {
  it('availability has no slots, says why, and names no next start', async () => {
    const { id, organization } = await onFree({ used: QUOTA - 1 })
    const before = (await available(id)).body
    expect([before.slots.length > 0, before.plan_limit]).toEqual([true, undefined])
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    const full = (await available(id)).body
    expect([full.slots, full.plan_limit, full.next_available]).toEqual([[], true, null])
    await patch(organization, { tier: 'starter' })
    const again = (await available(id)).body
    expect([again.slots.length > 0, again.plan_limit]).toEqual([true, undefined])
  })

  it('an event type of the sandbox is open', async () => {
    const { organization } = await onFree({ used: QUOTA })
    const { id } = await createEventType(organization.testKey)
    const { body } = await available(id)
    expect([body.slots.length > 0, body.plan_limit]).toEqual([true, undefined])
  })

  it('search finds nothing from that organization and says why', async () => {
    const { id, organization } = await onFree({ used: QUOTA })
    const other = await createEventType((await createOrganization()).liveKey)
    const search = async (...ids: string[]) => {
      const asked = { event_type_ids: ids.join(','), from: iso(DAY), to: iso(DAY + 24 * HOUR_MS) }
      return (await call('GET', `/v1/availability/search?${new URLSearchParams(asked)}`)).body
    }
    expect(await search(id)).toEqual({ data: [], plan_limit: true })
    const both = await search(id, other.id)
    expect([both.plan_limit, both.data.length, both.data[0].event_type_id]).toEqual([true, 10, other.id])
    await patch(organization, { tier: 'starter' })
    expect((await search(id)).plan_limit).toBeUndefined()
  })

  it('no start can be held, but an earlier hold stays and its holder sees what is open', async () => {
    const { id, organization } = await onFree({ used: QUOTA - 1 })
    const held = await hold(id, SLOT)
    expect(held.status).toBe(201)
    expect((await bookAsAnother(id, SLOT + HOUR_MS)).status).toBe(201)
    const refused = await hold(id, SLOT + 2 * HOUR_MS)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'plan_limit_exceeded'])
    const { body } = await available(id, { hold_token: held.body.token })
    expect(body.plan_limit).toBeUndefined()
    expect(body.slots.map((one: any) => one.start_time)).toContain(iso(SLOT))
    expect(body.slots.map((one: any) => one.start_time)).toContain(iso(SLOT + 2 * HOUR_MS))
    expect((await available(id, { hold_token: 'nothing' })).body.plan_limit).toBe(true)
    await patch(organization, { tier: 'starter' })
    const confirmed = await call('POST', `/v1/holds/${held.body.id}/confirm?token=${held.body.token}`, {
      body: { invitee_name: 'Ada', invitee_email: 'ada@example.com' },
    })
    expect(confirmed.status).toBe(201)
  })

  it('full times can still be waited for, and are listed', async () => {
    const { id } = await onFree({ used: QUOTA - 1, input: { waitlist_enabled: true } })
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    const { body } = await available(id)
    expect([body.slots, body.plan_limit]).toEqual([[], true])
    expect(body.waitlist_slots.map((one: any) => one.start_time)).toContain(iso(SLOT))
    const joined = await call('POST', '/v1/waitlist', { body: bookingInput(id, SLOT) })
    expect(joined.status).toBe(201)
  })

  it('a booking can still be moved by its token', async () => {
    const { id } = await onFree({ used: QUOTA - 1 })
    const { body } = await bookAsAnother(id, SLOT)
    const moved = await call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    expect(moved.status).toBe(200)
  })

  it.each([
    ['en', 'No more bookings are taken here this month.'],
    ['de', 'In diesem Monat werden hier keine Buchungen mehr angenommen.'],
    ['fr', 'Plus aucune réservation n’est possible ici ce mois-ci.'],
    ['es', 'Este mes ya no se aceptan más reservas aquí.'],
    ['ja', '今月の予約受付は終了しました。'],
    ['ar', 'لا تُقبل حجوزات أخرى هنا هذا الشهر.'],
  ])('its pages say so in %s before a time is chosen, for people and for programs', async (lang, text) => {
    const { organization, slug } = await onFree({ used: QUOTA })
    for (const path of [`/${slug}`, `/${slug}.md`, '', '.md', `/${slug}?embed=1`]) {
      const at = `/book/${organization.slug}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`
      const { status, text: page } = await pageAt(at)
      expect([at, status]).toEqual([at, 200])
      expect(page).toContain(text)
    }
  })

  it('its page offers no form, not even for a time that is named, and its Markdown version no booking', async () => {
    const { organization, slug } = await onFree({ used: QUOTA })
    const at = `/book/${organization.slug}/${slug}`
    for (const query of ['', `?time=${iso(SLOT)}`, `?date=${dateOf(DAY)}`]) {
      const { text } = await pageAt(`${at}${query}`)
      expect(text).toContain('No more bookings are taken here this month.')
      expect(text).not.toContain('name="name"')
      expect(text).not.toContain('data-time=')
    }
    expect((await pageAt(`${at}.md`)).text).not.toMatch(/POST \S+\/v1\/bookings\n/)
    const { body } = await call('GET', `/v1/public/booking-page/${organization.slug}/${slug}`)
    expect(body.plan_limit).toBe(true)
    expect((await call('GET', `/v1/public/booking-page/${organization.slug}`)).body.plan_limit).toBe(true)
  })

  it('its page still lets people wait for a full time', async () => {
    const { organization, slug, id } = await onFree({ used: QUOTA - 1, input: { waitlist_enabled: true } })
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    const at = `/book/${organization.slug}/${slug}`
    const { text: page } = await pageAt(`${at}?date=${dateOf(DAY)}&tz=UTC`)
    expect(page).toContain('No more bookings are taken here this month.')
    expect(page.match(/data-time="[^"]*"/g)).toEqual([`data-time="${iso(SLOT)}"`])
    const { text: form } = await pageAt(`${at}?time=${iso(SLOT)}&wait=1&tz=UTC`)
    expect(form).toContain(`${at}/waitlist`)
  })

  it('both tools that find something say so to an agent', async () => {
    const { organization, id } = await onFree({ used: QUOTA })
    const agent = await connectAgent()
    const times = await insist(agent, 'find_open_times', {
      event_type_id: id,
      start: dateOf(DAY),
      end: dateOf(DAY),
      timezone: 'UTC',
    })
    expect([times.body.slots, times.body.plan_limit]).toEqual([[], true])
    const types = await insist(agent, 'find_event_types', { organization: organization.slug })
    expect(types.body.plan_limit).toBe(true)
  })
})

describe('the owner', () => {
  it('gets an email at 80 % and one at 100 %, once each', async () => {
    const { organization, ownerEmail, id } = await onFree({ used: 6 })
    await bookAsAnother(id, SLOT)
    await bookAsAnother(id, SLOT + HOUR_MS)
    await arrive(organization, [SOME])
    await bookAsAnother(id, SLOT + 2 * HOUR_MS)
    await bookAsAnother(id, SLOT + 3 * HOUR_MS)
    await arrive(organization, [SOME, ALL])
    await sweep(env, Date.now() + 120_000)
    const letters = await emailsOf(organization)
    expect(letters.map(({ recipient, subject }) => [recipient, subject])).toEqual([
      [ownerEmail, SOME],
      [ownerEmail, ALL],
    ])
    expect(letters[0]!.text).toContain('Free')
  })

  it('gets it in their language', async () => {
    const { organization, id } = await onFree({ used: QUOTA - 1, locale: 'de' })
    await bookAsAnother(id, SLOT)
    await arrive(organization, [`Alle ${QUOTA} Buchungen dieses Monats sind verbraucht`])
  })

  it('gets each email once, even if several event types are booked at the same time', async () => {
    const { organization, id } = await onFree({ used: 4 })
    const other = await createEventType(organization.liveKey)
    const made = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map((at) => bookAsAnother(at % 2 ? id : other.id, SLOT + at * HOUR_MS)),
    )
    expect(made.filter(({ status }) => status === 201).length).toBe(6)
    await vi.waitFor(async () => expect((await subjectsOf(organization)).at(-1)).toBe(ALL), 5_000)
    await sweep(env, Date.now() + 120_000)
    const subjects = await subjectsOf(organization)
    expect(subjects.filter((one) => one === ALL).length).toBe(1)
    expect(subjects.length).toBeLessThanOrEqual(2)
  })

  it('gets only that of 100 % when both shares are reached at once', async () => {
    const { organization } = await onFree()
    await patch(organization, { tier: 'starter' })
    await use(organization, 20)
    await patch(organization, { tier: 'free' })
    await sweep(env, Date.now() + 120_000)
    await arrive(organization, [ALL])
  })

  it('gets them anew with a larger plan, and none again for a plan of before', async () => {
    const { organization, id } = await onFree({ used: QUOTA - 1 })
    await bookAsAnother(id, SLOT)
    await arrive(organization, [ALL])
    await patch(organization, { tier: 'starter' })
    await use(organization, 39)
    await bookAsAnother(id, SLOT + HOUR_MS)
    await arrive(organization, [ALL, '40 of 50 bookings this month are used'])
    await patch(organization, { tier: 'free' })
    await sweep(env, Date.now() + 120_000)
    await new Promise((done) => setTimeout(done, 100))
    expect((await subjectsOf(organization)).length).toBe(2)
  })

  it('gets it by the sweep if the process died after the booking', async () => {
    const { organization, id } = await onFree({ used: QUOTA - 1 })
    const quiet = serviceWith({})
    const { status } = await quiet.call('POST', '/v1/bookings', { body: bookingInput(id, SLOT) })
    expect(status).toBe(201)
    await run('DELETE FROM events WHERE organization_id = ?', organization.id)
    expect(await subjectsOf(organization)).toEqual([])
    await sweep(env, Date.now() + 120_000)
    await arrive(organization, [ALL])
  })

  it('gets none for a month that has ended, nor for bookings whose quota was released', async () => {
    const { organization, id } = await onFree({ used: QUOTA - 1 })
    const month = monthOf(Date.now())
    await run(
      "INSERT INTO booking_quotas (organization_id, month, bookings, quota, notice_at) VALUES (?, '2020-01', 10, 10, 1)",
      organization.id,
    )
    await run(
      'UPDATE booking_quotas SET bookings = 5, notice_at = 1 WHERE organization_id = ? AND month = ?',
      organization.id,
      month,
    )
    const db = openDb(env, 'decide')
    for (const each of ['2020-01', month]) {
      await sendPlanNotice(env, db, { organizationId: organization.id, month: each }, realNow())
    }
    expect(await subjectsOf(organization)).toEqual([])
    const { results } = await env.DB.prepare('SELECT notice_at FROM booking_quotas WHERE organization_id = ?')
      .bind(organization.id)
      .all<{ notice_at: number | null }>()
    expect(results.map(({ notice_at }) => notice_at)).toEqual([null, null])
    expect(id).toBeTruthy()
  })

  it('gets none of the sandbox, where nothing counts', async () => {
    const { organization } = await onFree()
    const { id } = await createEventType(organization.testKey)
    for (let at = 0; at < QUOTA; at++) await bookAsAnother(id, SLOT + at * HOUR_MS)
    await sweep(env, Date.now() + 120_000)
    expect(await subjectsOf(organization)).toEqual([])
  })

  it('costs the booking that reaches a share no round trip and one row more', async () => {
    const { organization, id } = await onFree({ used: 5 })
    const { trips, ran, env: counted } = countedEnv()
    const workplace = {
      env: counted,
      memory: new ScheduleMemory(),
      checks: new CalendarLooks(counted, async () => 'unsettled' as never),
      announce: () => {},
      announceReleased: () => {},
      waitlist,
    }
    const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
    const costs: { trips: number; read: number; written: number }[] = []
    for (const at of [0, 1, 2]) {
      trips.count = ran.length = 0
      const input = CreateBookingInput.parse(bookingInput(id, SLOT + at * HOUR_MS))
      const command = { origin, claim: null, now: realNow(), eventTypeId: id, tenant: null, input }
      const { kind } = await runPlan(workplace, createBooking(command), workplace.memory.tick())
      expect(kind).toBe('done')
      const sum = (of: 'read' | 'written') => ran.reduce((all, one) => all + one[of], 0)
      costs.push({ trips: trips.count, read: sum('read'), written: sum('written') })
    }
    const [, usual, reaching] = costs
    expect(reaching!.trips).toBe(usual!.trips)
    expect(reaching!.written).toBeLessThanOrEqual(usual!.written + 1)
    expect(reaching!.read).toBeLessThanOrEqual(usual!.read + 1)
    await run('DELETE FROM events WHERE organization_id = ?', organization.id)
    await sweep(env, Date.now() + 120_000)
    await arrive(organization, [SOME])
  })
})
