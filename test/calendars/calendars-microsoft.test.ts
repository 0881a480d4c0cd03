import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { soon } from '../support/connected.ts'
import { answerConsent } from '../support/consent.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  organizationBackTo,
  unique,
} from '../support/factories.ts'
import { addHost } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { linksOf, visit, wordsOf } from '../support/pages.ts'
import { openWorld } from '../support/world.ts'
import { settingsOf } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const world = openWorld('microsoft')
Object.assign(env, settingsOf('calendar_b', world.base))

const CONNECT = '/v1/calendars/calendar_b/connect'
const MEET = { conferencing_provider: 'calendar_b_meet', reminder_intervals: [] }

async function connected(domain = 'example.com') {
  const organization = await createOrganization()
  const key = organization.liveKey
  const email = `${unique('m')}@${domain}`
  const { body } = await call('GET', CONNECT, { key })
  expect((await answerConsent(visit, await world.consent(body.url, email))).status).toBe(200)
  const listed = await call('GET', '/v1/calendars', { key })
  return { ...organization, key, email, connection: listed.body.data[0] }
}

async function booking(key: string, id: string) {
  return (await call('GET', `/v1/bookings/${id}`, { key })).body
}

const wall = (instant: number) => ({ dateTime: iso(instant).slice(0, 19), timeZone: 'UTC' })

describe('a Microsoft account', () => {
  it('is connected by its owner, even if series in it never end, and they block their time', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const email = `${unique('m')}@example.com`
    const startDate = iso(dayFromNow(-30)).slice(0, 10)
    const start = dayFromNow(-30) + 10 * HOUR_MS
    await world.seed(
      [
        {
          subject: 'Daily',
          start: wall(start),
          end: wall(start + HOUR_MS),
          recurrence: { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate } },
        },
      ],
      email,
    )
    const { body } = await call('GET', CONNECT, { key })
    expect((await answerConsent(visit, await world.consent(body.url, email))).status).toBe(200)
    const listed = await call('GET', '/v1/calendars', { key })
    expect(listed.body.data).toMatchObject([
      { account_email: email, name: 'Calendar', status: 'active', sync_status: 'connected' },
    ])
    const { id } = await createEventType(key)
    const open = await openStarts(id, SLOT)
    expect(open).not.toContain(iso(SLOT))
    expect(open).toContain(iso(SLOT + HOUR_MS))
  })

  it('shows all its calendars, and each can be connected', async () => {
    const { key, email, connection } = await connected()
    const { id } = await world.addCalendar({ name: 'Team' }, email)
    const { body } = await call('GET', '/v1/calendars/accounts', { key })
    expect(body.data).toMatchObject([
      {
        id: connection.account_id,
        calendars: [
          { name: 'Calendar', is_primary: true, can_write: true, connection_id: connection.id },
          { external_id: id, name: 'Team', is_primary: false, can_write: true, connection_id: null },
        ],
      },
    ])
    await world.seed([{ start: wall(SLOT), end: wall(SLOT + HOUR_MS) }], email, id)
    const { id: eventTypeId } = await createEventType(key)
    expect(await openStarts(eventTypeId, SLOT)).toContain(iso(SLOT))
    const input = { account_id: connection.account_id, external_id: id }
    expect((await call('POST', '/v1/calendars', { key, body: input })).status).toBe(201)
    expect(await openStarts(eventTypeId, SLOT)).not.toContain(iso(SLOT))
  })

  it('of two members is written to for each, in the calendar that each chose', async () => {
    const { key, email, ...organization } = await connected()
    const { id: teamId } = await world.addCalendar({ name: 'Team' }, email)
    const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [] })
    const owner = (await call('GET', `/v1/organizations/${organization.id}/members`, { key })).body.data[0]
    const colleague = await memberWithRole(organization, 'member')
    const consent = await call('GET', `${CONNECT}?member_id=${colleague.id}`, { key })
    expect((await answerConsent(visit, await world.consent(consent.body.url, email))).status).toBe(200)
    const accounts = (await call('GET', '/v1/calendars/accounts', { key })).body.data as any[]
    const account_id = accounts.find(({ member_id }) => member_id === colleague.id).id
    const body = { account_id, external_id: teamId, receives_bookings: true }
    expect((await call('POST', '/v1/calendars', { key, body })).status).toBe(201)
    for (const { id } of [owner, colleague]) await addHost(key, eventTypeId, id)
    const { body: made } = await bookAsAnother(eventTypeId, SLOT)
    const uid = expect.stringContaining(`${made.id}@`)
    const copies = async () =>
      ((await world.look(email)).events ?? [])
        .filter(({ isDeleted }: any) => !isDeleted)
        .map((event: any) => event.calendar)
    await soon(async () => expect((await copies()).sort()).toHaveLength(2))
    expect(new Set(await copies()).size).toBe(2)
    expect((await world.look(email)).events).toMatchObject([{ transactionId: uid }, { transactionId: uid }])
    expect((await call('POST', `/v1/bookings/${made.id}/cancel`, { key })).status).toBe(200)
    await soon(async () => expect(await copies()).toEqual([]))
  })

  it('that has not changed is asked once, and nothing is written', async () => {
    const { key, email, connection } = await connected()
    await world.seed([{ start: wall(SLOT), end: wall(SLOT + HOUR_MS) }], email)
    const sync = () => call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    const row = () =>
      env.DB.prepare(
        'SELECT *, (SELECT count(*) FROM calendar_busy_times WHERE connection_id = id) AS busy FROM calendar_connections WHERE id = ?',
      )
        .bind(connection.id)
        .first<any>()
    await sync()
    const before = await row()
    expect(before.busy).toBe(1)
    // Calendars of other tests may still be looked at.
    const view = `${before.calendar_id}/calendarView`
    const views = async () =>
      (await world.look()).calls!.filter(({ path }) => decodeURIComponent(path).includes(view))
    const asked = (await views()).length
    expect(asked).toBeGreaterThan(0)
    await sync()
    expect(await row()).toEqual(before)
    expect(await views()).toHaveLength(asked + 1)
  })
})

describe('the event of a booking', () => {
  const writeOf = (holderId: string) =>
    env.DB.prepare('SELECT event_id, calendar_id, suspected_at FROM calendar_writes WHERE holder_id = ?')
      .bind(holderId)
      .first<any>()

  async function written() {
    const account = await connected()
    const { key, connection } = account
    const { id } = await createEventType(key)
    const { body: made } = await book(id, SLOT)
    await soon(async () =>
      expect((await booking(key, made.id)).calendar_event_id).toEqual(expect.any(String)),
    )
    const sync = () => call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    return { ...account, made, sync }
  }

  it('is followed into another calendar that its owner drags it to, and changed there', async () => {
    const { key, email, made, sync } = await written()
    const { id: other } = await world.addCalendar({ name: 'Other' }, email)
    const { event_id } = await writeOf(made.id)
    await sync()
    await world.drag(event_id, other, email)
    await sync()
    await soon(async () => expect(await writeOf(made.id)).toMatchObject({ event_id, calendar_id: other }))
    const body = { new_start_time: iso(SLOT + HOUR_MS) }
    expect((await call('POST', `/v1/bookings/${made.id}/reschedule`, { key, body })).status).toBe(200)
    await soon(async () => {
      const { events } = await world.look(email)
      expect(events).toMatchObject([
        {
          calendar: other,
          isDeleted: false,
          start: { dateTime: expect.stringContaining(iso(SLOT + HOUR_MS).slice(0, 16)) },
        },
      ])
    })
    expect((await booking(key, made.id)).status).toBe('rescheduled')
  })

  it('gets a permanent id, if it was written under a temporary one', async () => {
    const { email, made, sync, connection } = await written()
    const { event_id } = await writeOf(made.id)
    const { events } = await world.look(email)
    const set = 'UPDATE calendar_writes SET event_id = ? WHERE holder_id = ?'
    await env.DB.prepare(set).bind(events![0]!.id, made.id).run()
    await env.DB.prepare('UPDATE calendar_connections SET sync_cursor = NULL WHERE id = ?')
      .bind(connection.id)
      .run()
    await sync()
    await soon(async () => expect(await writeOf(made.id)).toMatchObject({ event_id, suspected_at: null }))
  })
})

describe('an event that Microsoft takes for wrong', () => {
  it('is reported in its booking at once, not sent again, and written with the next change', async () => {
    const { key } = await connected()
    const { id } = await createEventType(key)
    const refusal = { error: { code: 'ErrorInvalidRequest', message: 'Something is wrong.' } }
    await world.troubles([{ about: 'POST /v1.0/me/calendars', status: 400, json: refusal }])
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect((await booking(key, made.id)).sync_error).toContain('Something is wrong.'))
    const write = await env.DB.prepare(
      'SELECT status, next_attempt_at FROM calendar_writes WHERE holder_id = ?',
    )
      .bind(made.id)
      .first()
    expect(write).toEqual({ status: 'failed', next_attempt_at: null })
    const body = { new_start_time: iso(SLOT + HOUR_MS) }
    expect((await call('POST', `/v1/bookings/${made.id}/reschedule`, { key, body })).status).toBe(200)
    await soon(async () => {
      const found = await booking(key, made.id)
      expect([found.sync_error, found.calendar_event_id]).toEqual([null, expect.any(String)])
    })
  })
})

describe('the Teams meeting of a booking', () => {
  it('is its link', async () => {
    const { liveKey } = await createOrganization()
    const refused = await call('POST', '/v1/event-types', {
      key: liveKey,
      body: { ...MEET, title: 'X', slug: 'x', duration_minutes: 30 },
    })
    expect(refused.status).toBe(422)
    const { key, email } = await connected()
    const { id } = await createEventType(key, MEET)
    const { body: made } = await book(id, SLOT)
    await soon(async () => {
      const found = await booking(key, made.id)
      expect(found.conferencing_url).toMatch(/^https:\/\/teams\./)
      expect(found.calendar_event_id).toEqual(expect.any(String))
    })
    expect((await world.look(email)).events).toHaveLength(1)
  })

  it('is another one when the booking is reassigned, in the account of the new host', async () => {
    const organization = await connected()
    const { key, email } = organization
    const colleague = `${unique('m')}@example.com`
    const [owner, other] = [
      await memberWithRole(organization, 'owner'),
      await memberWithRole(organization, 'member'),
    ]
    const { body } = await call('GET', `${CONNECT}?member_id=${other.id}`, { key })
    expect((await answerConsent(visit, await world.consent(body.url, colleague))).status).toBe(200)
    const { id } = await createEventType(key, { ...MEET, assignment_strategy: 'round_robin' })
    for (const [at, member] of [owner, other].entries())
      await call('POST', `/v1/event-types/${id}/hosts`, {
        key,
        body: { member_id: member.id, priority: at + 1 },
      })
    const { body: made } = await book(id, SLOT)
    const linkOf = () =>
      soon(async () => {
        const { conferencing_url } = await booking(key, made.id)
        expect(conferencing_url).toMatch(/^https:\/\/teams\./)
        return conferencing_url as string
      })
    const first = await linkOf()
    expect((await world.look(email)).meetings).toMatchObject([{ joinUrl: first }])
    const given = await call('POST', `/v1/bookings/${made.id}/reassign`, {
      key,
      body: { member_id: other.id },
    })
    expect(given.body.conferencing_url).toBeNull()
    const second = await linkOf()
    expect(second).not.toBe(first)
    expect((await world.look(colleague)).meetings).toMatchObject([{ joinUrl: second }])
    await soon(async () => expect((await world.look(email)).events).toMatchObject([{ isDeleted: true }]))
  })

  it('is refused for a personal account when it is chosen', async () => {
    const { key } = await connected('outlook.com')
    const { status, body } = await call('POST', '/v1/event-types', {
      key,
      body: { ...MEET, title: 'X', slug: 'x', duration_minutes: 30 },
    })
    expect([status, body.error.code]).toEqual([422, 'no_calendar_b_connection'])
    expect(body.error.message).toContain('work or school account')
  })

  it('that an account cannot make is reported in its booking at once, and not waited for', async () => {
    const { key, email } = await connected()
    const { id } = await createEventType(key, MEET)
    await world.control('PUT', '', { onlineMeetingProviders: [] }, email)
    const { body: made } = await book(id, SLOT)
    await soon(async () => {
      const found = await booking(key, made.id)
      expect(found.sync_error).toContain('no Teams meetings')
      expect(found.calendar_event_id).toEqual(expect.any(String))
      expect(found.conferencing_url).toBeNull()
    })
    const write = await env.DB.prepare(
      'SELECT status, next_attempt_at FROM calendar_writes WHERE holder_id = ?',
    )
      .bind(made.id)
      .first()
    expect(write).toEqual({ status: 'written', next_attempt_at: null })
  })
})

describe('the consent of an account whose organization does not let it', () => {
  /** Comes back from Microsoft as that account does, with the settings of its organization. */
  async function comeBack(
    settings: object,
    { redirectUrl = '', language = 'en', says = 'yes' as 'yes' | 'no' } = {},
  ) {
    const { liveKey: key } = redirectUrl
      ? await organizationBackTo(new URL(redirectUrl).host)
      : await createOrganization()
    const email = `${unique('m')}@${unique('corp')}.example`
    await world.control('PUT', '', settings, email)
    const query = redirectUrl && `?redirect_url=${encodeURIComponent(redirectUrl)}`
    const { body } = await call('GET', `${CONNECT}${query}`, { key })
    const back = await world.consent(body.url, email, says)
    const page = await visit(`${back.pathname}${back.search}`, { headers: { 'Accept-Language': language } })
    return { key, email, page }
  }

  it.each([
    ['AADSTS65001', 'When one of them has agreed, start again.'],
    ['AADSTS90094', 'When one of them has agreed, start again.'],
    ['AADSTS90095', 'They have been asked'],
  ])('says with %s that an administrator must agree, and where', async (userConsent, words) => {
    const { key, email, page } = await comeBack({ userConsent })
    expect(page.status).toBe(400)
    expect(wordsOf(page)).toContain('An administrator must agree first')
    expect(wordsOf(page)).toContain(words)
    const link = linksOf(page).find((href) => href.includes('adminconsent'))!
    const administrator = `it@${email.split('@')[1]}`
    await world.control('PUT', '', { isAdministrator: true }, administrator)
    const back = await world.consent(link, administrator)
    expect(back.searchParams.get('admin_consent')).toBe('True')
    const agreed = await visit(`${back.pathname}${back.search}`)
    expect([agreed.status, wordsOf(agreed)]).toEqual([
      200,
      expect.stringContaining('Your organization has agreed'),
    ])
    expect((await call('GET', '/v1/calendars', { key })).body.data).toEqual([])
    const { body } = await call('GET', CONNECT, { key })
    expect((await answerConsent(visit, await world.consent(body.url, email))).status).toBe(200)
    expect((await call('GET', '/v1/calendars', { key })).body.data).toHaveLength(1)
  })

  it('says so in the language of the reader', async () => {
    for (const [language, words] of [
      ['de', 'Zuerst muss die Administration zustimmen'],
      ['fr', 'Un administrateur doit d’abord donner son accord'],
      ['es', 'Antes debe consentir un administrador'],
      ['ja', '先に管理者の同意が必要です'],
      ['ar', 'يجب أن يوافق مسؤول أولًا'],
    ]) {
      const { page } = await comeBack({ userConsent: 'AADSTS90094' }, { language })
      expect(wordsOf(page)).toContain(words)
    }
  })

  it('lets them read it before they go back to where they came from', async () => {
    const redirectUrl = 'https://app.example.com/done'
    const { page } = await comeBack({ userConsent: 'AADSTS90094' }, { redirectUrl })
    expect(page.status).toBe(400)
    const link = linksOf(page).find((href) => href.startsWith(redirectUrl))!
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual({
      error: 'bad_request',
      error_description: expect.stringContaining('administrator'),
      reason: 'admin_consent_required',
    })
  })

  it('names the administrator as a possibility if Microsoft says as little as it does when somebody cancels', async () => {
    const { page } = await comeBack({ userConsent: 'silent' })
    expect(wordsOf(page)).toContain('Nothing was connected')
    expect(wordsOf(page)).toContain('If Microsoft 365 asked for an administrator')
    expect(linksOf(page).some((href) => href.includes('adminconsent'))).toBe(true)
    const { page: declined } = await comeBack({}, { says: 'no' })
    expect(wordsOf(declined)).toContain('Permission was not granted.')
    expect(linksOf(declined).some((href) => href.includes('adminconsent'))).toBe(false)
  })

  it.each([
    ['error=interaction_required&error_description=AADSTS50076: x', 400, 'another proof of your identity'],
    ['error=access_denied&error_description=AADSTS53003: x', 400, 'blocked this sign-in'],
    ['error=invalid_request&error_description=AADSTS50020: x', 400, 'does not belong to the organization'],
    ['error=access_denied&error_description=AADSTS65004: x', 400, 'Permission was not granted.'],
    ['error=consent_required', 400, 'An administrator must agree first'],
    ['error=temporarily_unavailable', 502, 'is busy'],
    ['error=constructor&error_description=AADSTS1: <b>', 400, 'The provider gave no permission.'],
  ])('tells %s apart', async (answer, status, words) => {
    const { liveKey } = await createOrganization()
    const { body } = await call('GET', CONNECT, { key: liveKey })
    const state = encodeURIComponent(new URL(body.url).searchParams.get('state')!)
    const page = await visit(`/v1/calendars/calendar_b/callback?state=${state}&${encodeURI(answer)}`)
    expect(page.status).toBe(status)
    expect(wordsOf(page)).toContain(words)
    expect(page.text).not.toContain('<b>')
  })
})

describe('the URL for an administrator', () => {
  const ADMIN = '/v1/calendars/calendar_b/admin-consent'
  const redirectUrl = 'https://app.example.com/done'
  const administrator = 'it@contoso.example'

  async function start() {
    const organization = await organizationBackTo('app.example.com')
    const query = `?redirect_url=${encodeURIComponent(redirectUrl)}`
    const { status, body } = await call('GET', `${ADMIN}${query}`, { key: organization.liveKey })
    expect(status).toBe(200)
    return { ...organization, url: body.url as string }
  }

  it('is that of Microsoft, for what is needed and for no one organization there', async () => {
    const { url } = await start()
    expect(url.startsWith(`${world.base}/organizations/v2.0/adminconsent?`)).toBe(true)
    const { searchParams } = new URL(url)
    expect(searchParams.get('scope')).toContain('Calendars.ReadWrite')
    expect(searchParams.get('redirect_uri')).toMatch(/\/v1\/calendars\/calendar_b\/callback$/)
  })

  it("redirects to the caller's address, with yes or no", async () => {
    const { url } = await start()
    for (const [says, outcome] of [
      ['yes', { admin_consent: 'granted' }],
      ['no', { admin_consent: 'refused', error: 'bad_request', error_description: expect.any(String) }],
    ] as const) {
      const back = await world.consent(url, administrator, says)
      const { status, headers } = await visit(`${back.pathname}${back.search}`)
      expect(status).toBe(303)
      const location = new URL(headers.get('Location')!)
      expect(location.href.startsWith(redirectUrl)).toBe(true)
      expect(Object.fromEntries(location.searchParams)).toEqual(outcome)
    }
  })

  it('ends on a page of ours if no address was given', async () => {
    const { liveKey: key } = await createOrganization()
    const { body } = await call('GET', ADMIN, { key })
    const back = await world.consent(body.url, administrator, 'no')
    const page = await visit(`${back.pathname}${back.search}`)
    expect([page.status, wordsOf(page)]).toEqual([
      200,
      expect.stringContaining('Your organization has not agreed'),
    ])
  })

  it('leads nowhere without a state of ours that was made for it', async () => {
    const { liveKey: key, url } = await start()
    const { body } = await call('GET', CONNECT, { key })
    const of = (from: string) => new URL(from).searchParams.get('state')!
    const visitWith = (query: Record<string, string>) =>
      visit(`/v1/calendars/calendar_b/callback?${new URLSearchParams(query)}`)
    for (const query of [
      { admin_consent: 'True' },
      { admin_consent: 'True', state: 'nonsense' },
      { admin_consent: 'True', state: of(body.url) },
      // Nor does it stand in for the owner of an account.
      { code: 'code', state: of(url) },
    ]) {
      const { status, headers } = await visitWith(query as Record<string, string>)
      expect([status, headers.get('Location')]).toEqual([400, null])
    }
  })

  it('takes no redirect that the organization does not allow', async () => {
    const { liveKey: key } = await start()
    const { status, body } = await call('GET', `${ADMIN}?redirect_url=https://evil.example/x`, { key })
    expect([status, body.error.details]).toEqual([400, { redirect_url: expect.stringContaining('allowed') }])
  })
})
