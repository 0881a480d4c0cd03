import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { codeMarkOf, subjectOf } from '../../src/booking/anonymous-callers/codes/code.ts'
import { tintOf } from '../../src/platform/colors/tint.ts'
import { moneyText, shortSpanText, spanText } from '../../src/platform/i18n/format.ts'
import { localeFor } from '../../src/platform/i18n/locale.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { setLimits } from '../support/hours.ts'
import { stayInOneMinute } from '../support/minute.ts'
import { formOf, linksOf, SITE, unescaped, visit, wordsOf } from '../support/pages.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SITE_URL = new URL(env.PUBLIC_URL).origin
const DAY = dayFromNow(3)
const SLOT = DAY + 10 * HOUR_MS

async function setUp(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true, ...input })
  const path = `/book/${organization.slug}/${eventType.slug}`
  return { organization, eventType, path, formPath: `${path}?tz=UTC&time=${iso(SLOT)}` }
}

/** Books by the form, as a browser without script does; gives back where that led. */
async function bookByForm(formPath: string, fields: Record<string, string> = {}) {
  const page = await visit(formPath)
  const form = formOf(page, '/book/')
  const filled = { ...form.fields, name: 'Ada Lovelace', email: 'ada@example.com', ...fields }
  return { form, filled, answer: await visit(form.action, { form: filled }) }
}

function sent({ headers }: { readonly headers: Headers }): URL {
  return new URL(headers.get('location')!, SITE)
}

/** The first of a month to come, whose week began in the month before and lasts two days more. */
function firstInTheMiddle(): number {
  const today = new Date(dayFromNow(40))
  for (let month = today.getUTCMonth(); ; month++) {
    const first = Date.UTC(today.getUTCFullYear(), month)
    const weekday = new Date(first).getUTCDay()
    if (first > dayFromNow(40) && weekday >= 2 && weekday <= 5) return first
  }
}

async function bookingsOf(key: string): Promise<any[]> {
  return (await call('GET', '/v1/bookings', { key })).body.data
}

describe('the listing page', () => {
  it('links to every event type with a page, under the name of the organization', async () => {
    const { organization, eventType, path } = await setUp({ title: 'Intro & more' })
    const page = await visit(`/book/${organization.slug}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(linksOf(page)).toContain(path)
    expect(wordsOf(page)).toContain(eventType.title)
    expect(wordsOf(page)).toContain('Book a time with Acme')
    expect(wordsOf(page)).toContain('Scheduling by Holdfast')
  })

  it('shows the logo with its text, and not our name where that was paid for', async () => {
    const { organization } = await setUp()
    const body = {
      logo_url: 'https://example.com/l.png?a=1&b=2',
      logo_alt_text: 'A "logo"',
      remove_branding: true,
    }
    await call('PATCH', '/v1/branding', { key: organization.liveKey, body })
    const page = await visit(`/book/${organization.slug}`)
    expect(page.text).toContain('src="https://example.com/l.png?a=1&amp;b=2"')
    expect(page.text).toContain('alt="A &quot;logo&quot;"')
    expect(wordsOf(page)).not.toContain('Holdfast')
  })

  it('is 404, in friendly words, when it is turned off, suspended or unknown', async () => {
    const { organization } = await setUp()
    await call('PATCH', '/v1/branding', { key: organization.liveKey, body: { listing_page_enabled: false } })
    const off = await visit(`/book/${organization.slug}`)
    expect([off.status, wordsOf(off)]).toEqual([404, expect.stringContaining('Not available at the moment')])
    const unknown = await visit('/book/nobody-at-all')
    expect([unknown.status, wordsOf(unknown)]).toEqual([404, expect.stringContaining('Page not found')])
    expect(wordsOf(await visit('/docs/nothing'))).toContain('Page not found')
    const other = await setUp()
    await callAsService('PATCH', `/v1/organizations/${other.organization.id}`, { body: { suspended: true } })
    expect((await visit(`/book/${other.organization.slug}`)).status).toBe(404)
    expect((await visit(other.path)).status).toBe(404)
  })
})

describe("an event type's page", () => {
  it('leads by links alone from the month to a day, a time and the form', async () => {
    const { path } = await setUp()
    const month = await visit(`${path}?tz=UTC&month=${dateOf(DAY).slice(0, 7)}`)
    const toDay = linksOf(month).find((href) => href.includes(`date=${dateOf(DAY)}`))!
    const day = await visit(toDay)
    const toTime = linksOf(day).find((href) => href.includes(encodeURIComponent(iso(SLOT))))!
    const form = formOf(await visit(toTime), path)
    expect(form.fields).toMatchObject({ start_time: iso(SLOT), timezone: 'UTC', duration: '30' })
    expect(form.fields.key).not.toBe('')
  })

  it('shows only days that have times as links', async () => {
    const rules = [{ day_of_week: new Date(DAY).getUTCDay(), start_time: '09:00', end_time: '10:00' }]
    const { liveKey, slug } = await createOrganization()
    const eventType = await createEventType(liveKey, { booking_page_enabled: true }, rules)
    const page = await visit(`/book/${slug}/${eventType.slug}?tz=UTC&month=${dateOf(DAY).slice(0, 7)}`)
    const open = linksOf(page).flatMap((href) => /date=([\d-]+)/.exec(href)?.[1] ?? [])
    expect(open).toContain(dateOf(DAY))
    expect(open.every((date) => new Date(date).getUTCDay() === new Date(DAY).getUTCDay())).toBe(true)
    expect(page.text).toMatch(/<td aria-disabled="true"/)
  })

  it('shows times in the requested time zone and remembers it', async () => {
    const { path } = await setUp()
    const page = await visit(`${path}?tz=Asia/Kolkata&date=${dateOf(DAY)}`)
    expect(wordsOf(page)).toContain('5:30 AM')
    expect(page.headers.get('set-cookie')).toMatch(/^hf_tz=Asia%2FKolkata; Path=\/; .*SameSite=Lax; Secure/)
    const later = await visit(`${path}?date=${dateOf(DAY)}`, { headers: { Cookie: 'hf_tz=Asia%2FKolkata' } })
    expect(later.text).toContain('data-zone="Asia/Kolkata"')
    expect(later.text).not.toContain('data-zone-is-guess')
    // What the browser found by itself goes behind what was chosen, and may be another zone by now.
    const found = await visit(path, { headers: { Cookie: 'hf_zone=Asia%2FTokyo' } })
    expect(found.text).toContain('data-zone="Asia/Tokyo" data-zone-is-guess="shown"')
    const both = await visit(path, { headers: { Cookie: 'hf_zone=Asia%2FTokyo; hf_tz=Asia%2FKolkata' } })
    expect(both.text).toContain('data-zone="Asia/Kolkata"')
    const nonsense = await visit(`${path}?tz=Mars/Olympus`)
    expect([nonsense.status, nonsense.text.includes('Mars')]).toEqual([200, false])
  })

  it('distinguishes both hours when the clock goes back', async () => {
    // In New York, 1:30 AM happens twice on the first Sunday of November.
    const first = Date.UTC(new Date().getUTCFullYear() + 1, 10, 1)
    const sunday = first + ((7 - new Date(first).getUTCDay()) % 7) * 24 * HOUR_MS
    const { path } = await setUp()
    const page = await visit(`${path}?tz=America/New_York&date=${dateOf(sunday)}`)
    expect(wordsOf(page)).toContain('1:30 AM EDT')
    expect(wordsOf(page)).toContain('1:30 AM EST')
  })

  it('shows price, place, seats and durations', async () => {
    const { path } = await setUp({
      location: 'Room <4>',
      max_attendees: 3,
      duration_options: [30, 45],
    })
    const page = await visit(`${path}?tz=UTC&duration=45&date=${dateOf(DAY)}`)
    expect(wordsOf(page)).toContain('Room <4>')
    expect(page.text).not.toContain('<4>')
    expect(wordsOf(page)).toContain('3 seats left')
    expect(page.text).toMatch(/aria-current="true"[^>]*>45 minutes/)
    const english = localeFor('en', null)
    expect(moneyText(english, 4900, 'usd')).toBe('$49.00')
    expect(moneyText(english, 4900, 'jpy')).toBe('¥4,900')
    expect(moneyText(localeFor('de', null), 4900, 'eur')).toBe('49,00\u00a0€')
    expect(moneyText(english, 4900, 'kwd')).toBe('KWD\u00a04.900')
    expect(moneyText(english, 17_550, 'huf')).toBe('HUF\u00a0175.50')
    expect(moneyText(english, 490_000, 'cop')).toBe('COP\u00a04,900.00')
    expect(moneyText(english, 490_000, 'isk')).toBe('ISK\u00a04,900')
    expect(moneyText(english, 4900, 'vnd')).toBe('₫4,900')
    expect(moneyText(localeFor('ar', null), 4900, 'usd')).toMatch(/49\.00\u00a0US\$\u200e$/)
  })

  it('says by which clock a time begins and ends where the clock changes in between', () => {
    const locale = { ...localeFor('en', null), clock: '24' as const }
    const span = (start: string) => [Date.parse(start), Date.parse(start) + HOUR_MS, 'Europe/Berlin'] as const
    const back = span('2027-10-31T00:30:00Z')
    expect(spanText(locale, ...back)).toBe('02:30 GMT+2 – 02:30 GMT+1')
    expect(shortSpanText(locale, ...back)).toBe('Sun, Oct 31, 02:30 GMT+2 – 02:30 GMT+1')
    expect(spanText(locale, ...span('2027-10-31T01:00:00Z'))).toBe('02:00 – 03:00')
  })

  it('writes both ends of a time alike if the time zone follows the second', () => {
    const start = Date.parse('2026-11-24T08:00:00Z')
    const told = ['de', 'fr'].map((tag) =>
      shortSpanText(localeFor(tag, null), start, start + HOUR_MS / 2, 'Europe/Berlin'),
    )
    expect(told).toEqual(['Di., 24. Nov., 9:00 – 9:30 MEZ', 'mar. 24 nov., 9:00 – 9:30 UTC+1'])
  })

  it('is 404 when its page is off, it is inactive, test data or unknown', async () => {
    const { organization, eventType, path } = await setUp()
    const test = await createEventType(organization.testKey, { booking_page_enabled: true })
    expect((await visit(`/book/${organization.slug}/${test.slug}`)).status).toBe(404)
    expect((await visit(`/book/${organization.slug}/nothing`)).status).toBe(404)
    expect((await visit(`/book/${organization.slug}/Not-A-Slug`)).status).toBe(404)
    await call('PATCH', `/v1/event-types/${eventType.id}`, {
      key: organization.liveKey,
      body: { booking_page_enabled: false },
    })
    const off = await visit(path)
    expect([off.status, wordsOf(off)]).toEqual([
      404,
      expect.stringContaining('takes no bookings on this page'),
    ])
    expect((await visit(path, { form: { name: 'x' } })).status).toBe(404)
  })

  it('reveals nothing about what it does not offer, in the visitor’s language', async () => {
    const de = { headers: { 'Accept-Language': 'de' } }
    const hidden = { title: 'Hidden plans', description: 'Nobody shall know', booking_page_enabled: true }
    const organization = await createOrganization()
    const paths: string[] = []
    for (const input of [{ active: false }, { booking_page_enabled: false }]) {
      const { slug } = await createEventType(organization.liveKey, { ...hidden, ...input })
      paths.push(`/book/${organization.slug}/${slug}`)
    }
    const test = await createEventType(organization.testKey, hidden)
    paths.push(`/book/${organization.slug}/${test.slug}`)
    const suspended = await createOrganization()
    const { slug } = await createEventType(suspended.liveKey, hidden)
    await callAsService('PATCH', `/v1/organizations/${suspended.id}`, {
      body: { suspended: true },
    })
    paths.push(`/book/${suspended.slug}/${slug}`, `/book/${suspended.slug}`)
    for (const path of paths.flatMap((path) => [path, `${path}.md`])) {
      const page = await visit(path, de)
      expect([path, page.status]).toEqual([path, 404])
      expect(page.text).toContain('<html lang="de"')
      expect(wordsOf(page)).toMatch(/Zurzeit nicht verfügbar|Seite nicht gefunden/)
      expect(page.text).not.toMatch(/Hidden plans|Nobody shall know/)
    }
  })

  it('reads odd addresses as they are meant, and never fails', async () => {
    const { path } = await setUp()
    const odd = [
      'month=2026-13',
      'month=9999-12',
      'month=0000-01',
      'date=x',
      'time=yesterday',
      'duration=-1',
      'time=9999-12-31T23:59:59Z',
      'date=0001-01-01',
      'lang=xx',
      'tz=%00',
      'time=1970-01-01T00:00:00Z',
    ]
    for (const query of odd) expect([query, (await visit(`${path}?${query}`)).status]).toEqual([query, 200])
  })
})

describe('booking by the form', () => {
  it('books, and shows the booking at an address that can be loaded again', async () => {
    const { organization, path, formPath } = await setUp()
    const { answer } = await bookByForm(formPath, { notes: 'First\r\nSecond' })
    expect(answer.status).toBe(303)
    expect(sent(answer).pathname).toMatch(new RegExp(`^${path}/booked/`))
    const [booking] = await bookingsOf(organization.liveKey)
    expect(booking).toMatchObject({
      start_time: iso(SLOT),
      invitee_name: 'Ada Lovelace',
      invitee_timezone: 'UTC',
      notes: 'First\nSecond',
    })
    const page = await visit(sent(answer).href)
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain('You are booked')
    expect(linksOf(page).some((href) => href.startsWith(`/bookings/${booking.id}?token=`))).toBe(true)
    expect(linksOf(page).some((href) => href.startsWith('https://calendar.google.com/'))).toBe(true)
  })

  it('books once when one form is sent twice, one after another or at once', async () => {
    const { organization, formPath } = await setUp({ max_attendees: 50 })
    const { form, filled, answer } = await bookByForm(formPath)
    const again = await visit(form.action, { form: filled })
    expect(sent(again).href).toBe(sent(answer).href)
    const other = formOf(await visit(formPath), '/book/')
    const twice = { ...other.fields, name: 'Grace', email: 'grace@example.com' }
    const [one, two] = await Promise.all([1, 2].map(() => visit(other.action, { form: twice })))
    expect([one!.status, two!.status]).toEqual([303, 303])
    expect(sent(one!).href).toBe(sent(two!).href)
    expect(await bookingsOf(organization.liveKey)).toHaveLength(2)
  })

  it('shows errors beside each field, and keeps what was typed', async () => {
    const { organization, formPath } = await setUp()
    const typed = { name: '', email: 'no address', notes: 'x'.repeat(2001) }
    const { answer } = await bookByForm(formPath, typed)
    expect(answer.status).toBe(422)
    for (const field of ['name', 'email', 'notes']) {
      expect(answer.text).toContain(`id="${field}-error"`)
      expect(answer.text).toMatch(new RegExp(`aria-describedby="${field}-error`))
      expect(answer.text).toContain(`href="#${field}"`)
    }
    expect(formOf(answer, '/book/').fields).toMatchObject(typed)
    expect(await bookingsOf(organization.liveKey)).toEqual([])
  })

  it('offers the next three times if the time was taken first, and books one of them with what was typed', async () => {
    const { organization, eventType, formPath } = await setUp()
    const page = await visit(formPath)
    const form = formOf(page, '/book/')
    await book(eventType.id, SLOT, { invitee_email: 'eve@example.com' })
    const filled = { ...form.fields, name: 'Grace', email: 'grace@example.com', notes: 'Kept' }
    const lost = await visit(form.action, { form: filled })
    expect(lost.status).toBe(409)
    expect(wordsOf(lost)).toContain('10:00 AM was just booked')
    const offered = [...lost.text.matchAll(/<input type="radio"[^>]*value="([^"]*)"/g)].map(
      ([, value]) => value,
    )
    expect(offered).toEqual([1, 2, 3].map((n) => iso(SLOT + (n * HOUR_MS) / 2)))
    const next = formOf(lost, '/book/')
    expect(next.fields).toMatchObject({ name: 'Grace', email: 'grace@example.com', notes: 'Kept' })
    const won = await visit(next.action, { form: next.fields })
    expect(won.status).toBe(303)
    const starts = (await bookingsOf(organization.liveKey)).map(({ start_time }) => start_time)
    expect(starts.toSorted()).toEqual([iso(SLOT), iso(SLOT + HOUR_MS / 2)])
  })

  it('says that a time is gone when it is opened, and shows the others', async () => {
    const { eventType, formPath } = await setUp()
    await book(eventType.id, SLOT)
    const page = await visit(formPath)
    expect(wordsOf(page)).toContain('10:00 AM was just booked')
    expect(linksOf(page).some((href) => href.includes(encodeURIComponent(iso(SLOT + HOUR_MS))))).toBe(true)
  })

  it('explains that the plan is used up or the organization suspended', async () => {
    const { organization, formPath } = await setUp()
    const form = formOf(await visit(formPath), '/book/')
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { tier: 'free' } })
    await env.DB.prepare('UPDATE booking_quotas SET bookings = 10 WHERE organization_id = ?')
      .bind(organization.id)
      .run()
    await env.DB.prepare(
      'INSERT OR IGNORE INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?, ?, 10, 10)',
    )
      .bind(organization.id, iso(Date.now()).slice(0, 7))
      .run()
    const answer = await visit(form.action, { form: { ...form.fields, name: 'A', email: 'a@b.co' } })
    expect([answer.status, wordsOf(answer)]).toEqual([
      403,
      expect.stringContaining('No bookings are taken here'),
    ])
  })
})

describe('an address that has to be proven', () => {
  /** Whoever reads the letter knows the code; here it is made known. */
  async function letCodeBe(code: string, eventTypeId: string, email: string) {
    const subject = await subjectOf(env, eventTypeId, email)
    const { meta } = await env.DB.prepare('UPDATE email_codes SET code_mark = ? WHERE subject = ?')
      .bind(await codeMarkOf(env, subject, code), subject)
      .run()
    expect(meta.changes).toBe(1)
  }

  it('is mailed a code, which the page asks for without losing what was typed', async () => {
    const { organization, eventType, formPath } = await setUp({ verify_email: true })
    const typed = { name: 'Ada Lovelace', email: 'ada@example.com', notes: 'By the window' }
    const { answer: asking } = await bookByForm(formPath, typed)
    expect([asking.status, wordsOf(asking)]).toEqual([
      200,
      expect.stringContaining('We sent six digits to ada@example.com'),
    ])
    await letCodeBe('314159', eventType.id, typed.email)
    const form = formOf(asking, '/book/')
    expect(form.fields).toMatchObject({ ...typed, code: '', start_time: iso(SLOT) })

    const wrong = await visit(form.action, { form: { ...form.fields, code: '271828' } })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/id="code-error"[\s\S]*This code is wrong/)
    expect(formOf(wrong, '/book/').fields).toMatchObject({ ...typed, code: '271828' })
    expect(await bookingsOf(organization.liveKey)).toEqual([])

    const right = { ...formOf(wrong, '/book/').fields, code: ' ٣١٤ 159 ' }
    const done = await visit(form.action, { form: right })
    expect([done.status, sent(done).pathname]).toEqual([303, expect.stringContaining('/booked/')])
    expect(wordsOf(await visit(sent(done).href))).toContain('You are booked')
    const [booking] = await bookingsOf(organization.liveKey)
    expect(booking).toMatchObject({ invitee_email: typed.email, notes: typed.notes })
  })

  it('is mailed another code on demand, to where it is then, until there were enough', async () => {
    stayInOneMinute()
    const { organization, eventType, formPath } = await setUp({ verify_email: true })
    const { answer: asking } = await bookByForm(formPath)
    const form = formOf(asking, '/book/')
    expect(asking.text).toContain('name="another_code"')
    await letCodeBe('314159', eventType.id, 'ada@example.com')
    const again = { ...form.fields, code: '314159', another_code: '1' }
    expect((await visit(form.action, { form: again })).status).toBe(200)
    // Without any, nothing is mailed, which would take one of three.
    expect((await visit(form.action, { form: form.fields })).status).toBe(422)
    // The code before it counts no more, and asking for another books nothing.
    expect((await visit(form.action, { form: { ...form.fields, code: '314159' } })).status).toBe(422)
    expect(await bookingsOf(organization.liveKey)).toEqual([])
    await visit(form.action, { form: again })
    const enough = await visit(form.action, { form: again })
    expect([enough.status, wordsOf(enough)]).toEqual([
      429,
      expect.stringContaining('No more codes can be sent'),
    ])
    const elsewhere = await visit(form.action, { form: { ...form.fields, email: 'eve@example.com' } })
    expect(wordsOf(elsewhere)).toContain('We sent six digits to eve@example.com')
  })

  it('is asked for on the waitlist too, in every language', async () => {
    const { organization, eventType, formPath } = await setUp({ verify_email: true, waitlist_enabled: true })
    const body = bookingInput(eventType.id, SLOT)
    await call('POST', '/v1/bookings', { key: organization.liveKey, body })
    const form = formOf(await visit(`${formPath}&wait=1`), '/waitlist')
    const filled = { ...form.fields, name: 'Grace', email: 'grace@example.com' }
    const asking = await visit(form.action, { form: filled })
    expect(wordsOf(asking)).toContain('We sent six digits to grace@example.com')
    await letCodeBe('000042', eventType.id, 'grace@example.com')
    const labels = ['en', 'de', 'fr', 'es', 'ja', 'ar'].map((one) => localeFor(one, null).texts.wrongCode)
    expect(new Set(labels).size).toBe(6)
    const inGerman = await visit(`${form.action}&lang=de`, {
      form: { ...formOf(asking, '/waitlist').fields, code: '1' },
    })
    expect(wordsOf(inGerman)).toContain(localeFor('de', null).texts.wrongCode)
    const right = { ...formOf(asking, '/waitlist').fields, code: '000042' }
    const joined = await visit(form.action, { form: right })
    expect(wordsOf(await visit(sent(joined).href))).toContain('You are on the waitlist')
  })

  it('is described to programs if it applies', async () => {
    const [{ path }, plain] = [await setUp({ verify_email: true }), await setUp()]
    expect((await visit(`${path}.md`)).text).toContain('/v1/email-verifications')
    expect((await visit(`${plain.path}.md`)).text).not.toContain('/v1/email-verifications')
    expect((await visit('/llms.txt')).text).toContain('email_unverified')
  })
})

describe('a limit that a visitor has reached', () => {
  it('is shown in their language, with what they typed', async () => {
    const { organization, eventType, formPath } = await setUp()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { active_per_email: 1 } },
    })
    await book(eventType.id, SLOT + 5 * HOUR_MS)
    const { answer } = await bookByForm(`${formPath}&lang=fr`)
    expect([answer.status, wordsOf(answer)]).toEqual([
      429,
      expect.stringContaining(localeFor('fr', null).texts.enoughForAddress),
    ])
    expect(formOf(answer, '/book/').fields.name).toBe('Ada Lovelace')
  })
})

describe('the waitlist', () => {
  it('is joined from a full time and left again', async () => {
    const { organization, eventType, path } = await setUp({ waitlist_enabled: true })
    await book(eventType.id, SLOT)
    const day = await visit(`${path}?tz=UTC&date=${dateOf(DAY)}`)
    expect(wordsOf(day)).toContain('Full – join the waitlist')
    const toForm = linksOf(day).find((href) => href.includes('wait=1'))!
    const form = formOf(await visit(toForm), '/waitlist')
    const filled = { ...form.fields, name: 'Grace', email: 'grace@example.com' }
    const joined = await visit(form.action, { form: filled })
    expect(joined.status).toBe(303)
    const entry = await visit(sent(joined).href)
    expect(wordsOf(entry)).toContain('You are on the waitlist')
    const again = await visit(form.action, { form: { ...filled, key: 'another' } })
    expect([again.status, wordsOf(again)]).toEqual([409, expect.stringContaining('already on the waitlist')])
    const leave = formOf(entry, '/leave')
    const left = await visit(leave.action, { form: leave.fields })
    expect(wordsOf(await visit(sent(left).href))).toContain('no longer on the waitlist')
    const { body } = await call('GET', '/v1/waitlist', { key: organization.liveKey })
    expect(body.data.map(({ status }: any) => status)).toEqual(['cancelled'])
  })
})

describe('managing a booking', () => {
  async function booked() {
    const made = await setUp()
    const { body } = await book(made.eventType.id, SLOT, { invitee_timezone: 'Asia/Tokyo' })
    return { ...made, booking: body, own: `/bookings/${body.id}?token=${body.cancel_token}` }
  }

  it('shows it in the time zone it was booked in, to anyone with the token', async () => {
    const { booking, own } = await booked()
    const page = await visit(own)
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain('7:00 PM')
    for (const path of [
      `/bookings/${booking.id}`,
      `${own.slice(0, -2)}xx`,
      '/bookings/01890000-0000-7000-8000-000000000000?token=x',
    ]) {
      const other = await visit(path)
      expect([other.status, wordsOf(other)]).toEqual([
        404,
        expect.stringContaining('This link does not work'),
      ])
    }
  })

  it('cancels with a reason, and says so when it is loaded again', async () => {
    const { organization, booking, own } = await booked()
    const form = formOf(await visit(own), '/cancel')
    const answer = await visit(form.action, { form: { ...form.fields, reason: 'Ill' } })
    expect([answer.status, sent(answer).pathname]).toEqual([303, `/bookings/${booking.id}`])
    const page = await visit(sent(answer).href)
    expect(wordsOf(page)).toContain('This booking is cancelled')
    expect(() => formOf(page, '/cancel')).toThrow()
    const { body } = await call('GET', `/v1/bookings/${booking.id}`, { key: organization.liveKey })
    expect(body).toMatchObject({ status: 'cancelled', cancel_reason: 'Ill' })
    expect((await visit(form.action, { form: { ...form.fields, token: 'wrong' } })).status).toBe(404)
  })

  it('moves it, and keeps its time if the new one was taken first', async () => {
    const { organization, eventType, booking } = await booked()
    const move = `/bookings/${booking.id}/reschedule?token=${booking.cancel_token}&tz=UTC`
    const day = await visit(`${move}&date=${dateOf(DAY)}`)
    const target = SLOT + 2 * HOUR_MS
    const toForm = linksOf(day).find((href) => href.includes(encodeURIComponent(iso(target))))!
    const form = formOf(await visit(toForm), '/reschedule')
    await book(eventType.id, target, { invitee_email: 'eve@example.com' })
    const lost = await visit(form.action, { form: form.fields })
    expect([lost.status, wordsOf(lost)]).toEqual([409, expect.stringContaining('12:00 PM was just booked')])
    const next = formOf(lost, '/reschedule')
    const moved = await visit(next.action, { form: next.fields })
    expect(moved.status).toBe(303)
    expect(wordsOf(await visit(sent(moved).href))).toContain('Your booking was rescheduled')
    const { body } = await call('GET', `/v1/bookings/${booking.id}`, { key: organization.liveKey })
    expect(body).toMatchObject({ status: 'rescheduled', start_time: iso(target + HOUR_MS / 2) })
  })

  it('is not moved to where its invitee has a seat already, and says so', async () => {
    const { eventType } = await setUp({ max_attendees: 3 })
    const { id } = eventType
    const invitee = { invitee_email: 'ada@example.com' }
    await book(id, SLOT + HOUR_MS, invitee)
    const { body: booking } = await book(id, SLOT, invitee)
    const move = `/bookings/${booking.id}/reschedule?token=${booking.cancel_token}&tz=UTC`
    const { action, fields } = formOf(await visit(`${move}&time=${iso(SLOT + HOUR_MS)}`), '/reschedule')
    const page = await visit(action, { form: fields })
    expect(page.status).toBe(422)
    expect(wordsOf(page)).toContain('This address is already booked.')
  })

  it('does not say that the time was taken if it was never offered, or if the booking cannot be moved any more', async () => {
    const { booking } = await booked()
    const { id, cancel_token: token } = booking
    const toForm = `/bookings/${id}/reschedule?token=${token}&tz=UTC&time=${iso(SLOT + HOUR_MS)}`
    const { action, fields } = formOf(await visit(toForm), '/reschedule')
    const never = await visit(action, { form: { ...fields, new_start_time: iso(SLOT + 60_000) } })
    expect([never.status, wordsOf(never)]).toEqual([
      409,
      expect.stringContaining('10:01 AM is not available'),
    ])
    await call('POST', `/v1/bookings/${id}/cancel?token=${token}`)
    const late = await visit(action, { form: fields })
    expect(late.status).toBe(409)
    for (const page of [late, await visit(toForm)]) {
      expect(wordsOf(page)).toContain('This booking is cancelled')
      expect(wordsOf(page)).not.toContain('was just booked')
      expect(page.text).not.toContain('name="new_start_time"')
      expect(linksOf(page)).toContainEqual(expect.stringMatching(`/bookings/${id}\\?token=${token}`))
    }
  })

  it('offers the rest of a week that only its own session in the month after has filled', async () => {
    const { organization, eventType } = await setUp({ max_attendees: 3, assignment_strategy: 'round_robin' })
    const { id } = await createMember(organization)
    await addHost(organization.liveKey, eventType.id, id)
    await setLimits(id, { perWeek: 1 })
    const first = firstInTheMiddle()
    const { body } = await book(eventType.id, first + 34 * HOUR_MS)
    const last = dateOf(first - DAY_MS)
    const path = `/bookings/${body.id}/reschedule?token=${body.cancel_token}&tz=UTC&date=${last}`
    const links = linksOf(await visit(path))
    expect(links.some((href) => href.includes(`time=${last}`))).toBe(true)
  })

  it('offers the times that only the booking itself blocks', async () => {
    const made = await setUp({ duration_minutes: 60, buffer_before_minutes: 60 })
    const { body } = await book(made.eventType.id, SLOT)
    const path = `/bookings/${body.id}/reschedule?token=${body.cancel_token}&tz=UTC&date=${dateOf(DAY)}`
    const links = linksOf(await visit(path))
    const hasTime = (start: number) =>
      links.some((href) => href.includes(`time=${encodeURIComponent(iso(start))}`))
    expect([hasTime(SLOT - HOUR_MS), hasTime(SLOT), hasTime(SLOT + HOUR_MS)]).toEqual([true, false, true])
  })

  it('gives the calendar file with the UID of the emails', async () => {
    const { booking } = await booked()
    const file = await visit(`/bookings/${booking.id}/invite.ics?token=${booking.cancel_token}`)
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(file.text).toContain(`UID:${booking.id}@holdfast`)
    expect(file.text).toContain('METHOD:PUBLISH')
    expect((await visit(`/bookings/${booking.id}/invite.ics?token=no`)).status).toBe(404)
  })

  it('is not cached, not indexed, and sends no referrer', async () => {
    const { own } = await booked()
    const { headers } = await visit(own)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})

describe('safety', () => {
  const EVIL = `<script>alert("1")</script>'"><img src=x onerror=alert(2)>`

  it('keeps a name that turns the direction of reading from turning the address beside it', async () => {
    const { formPath } = await setUp()
    const { answer } = await bookByForm(formPath, { name: 'Ada \u202ecod.live', email: 'ada@example.com' })
    const { text } = await visit(sent(answer).href)
    expect(text).toContain('<bdi>Ada \u202ecod.live</bdi>, <bdi>ada@example.com</bdi>')
  })

  it('escapes whatever people wrote', async () => {
    const { organization, path, formPath } = await setUp({ title: EVIL, description: EVIL, location: EVIL })
    const pages = [
      await visit(`/book/${organization.slug}`),
      await visit(`${path}?tz=${encodeURIComponent(EVIL)}`),
    ]
    const { answer } = await bookByForm(formPath, { name: EVIL, notes: EVIL })
    pages.push(await visit(sent(answer).href))
    pages.push(
      (await bookByForm(`${path}?tz=UTC&time=${iso(SLOT + HOUR_MS)}`, { name: EVIL, email: EVIL })).answer,
    )
    for (const { text } of pages) {
      expect(text).not.toMatch(/<script>|<img src=x/)
      expect(unescaped(text)).toContain('alert')
    }
  })

  it('permits no code and no style but its own, and no frame but where it is asked for', async () => {
    const { organization, path } = await setUp({ color: '#facc15' })
    const { headers, text } = await visit(path)
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)![1]
    expect(text).toContain(`<style nonce="${nonce}">`)
    expect(text).not.toMatch(/\sstyle="|<script(?![^>]*\ssrc=)|\son\w+="/)
    expect((await visit(path)).headers.get('content-security-policy')).not.toBe(policy)
    const framed = await visit(`${path}?embed=1`)
    expect(framed.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(framed.headers.get('x-frame-options')).toBeNull()
    expect(
      (await visit(`/book/${organization.slug}?embed=1`)).headers.get('content-security-policy'),
    ).toContain('frame-ancestors *')
  })

  it('allows no frame around pages that change a booking', async () => {
    const { eventType } = await setUp()
    const { body } = await book(eventType.id, SLOT)
    for (const part of ['', '/reschedule']) {
      const page = await visit(`/bookings/${body.id}${part}?token=${body.cancel_token}&embed=1`)
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  it('accepts no form from another site', async () => {
    const { organization, formPath } = await setUp()
    const form = formOf(await visit(formPath), '/book/')
    const filled = { ...form.fields, name: 'Ada', email: 'ada@example.com' }
    const foreign: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const headers of foreign) {
      expect((await visit(form.action, { form: filled, headers })).status).toBe(403)
    }
    for (const origin of ['https://evil.example', 'null']) {
      const request = visit(form.action, {
        form: filled,
        headers: { 'Sec-Fetch-Site': 'cross-site', Origin: origin },
      })
      expect((await request).status).toBe(403)
    }
    expect(await bookingsOf(organization.liveKey)).toEqual([])
    expect((await visit(form.action, { form: filled, headers: { Origin: 'null' } })).status).toBe(303)
  })

  it('gives every color a text that can be read and a fill that stands out, in the light and in the dark', () => {
    for (let n = 0; n < 4096; n += 7) {
      const color = `#${[n >> 8, (n >> 4) & 15, n & 15].map((part) => part.toString(16).repeat(2)).join('')}`
      const { light, dark } = tintOf(color)
      for (const [shade, card, open] of [
        [light, '#ffffff', 1.19],
        [dark, '#20242b', 1.31],
      ] as const) {
        expect(ratio(shade.fill, card)).toBeGreaterThanOrEqual(3)
        expect(ratio(shade.fill, shade.onFill)).toBeGreaterThanOrEqual(4.5)
        for (const ground of [card, shade.wash, shade.washStrong])
          expect(ratio(shade.text, ground)).toBeGreaterThanOrEqual(4.5)
        expect(ratio(shade.wash, card)).toBeGreaterThanOrEqual(open)
      }
    }
  })
})

function ratio(a: string, b: string): number {
  const light = [a, b].map((color) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05
  })
  return Math.max(...light) / Math.min(...light)
}

describe('languages', () => {
  it('follow the browser, then the choice', async () => {
    const { path } = await setUp()
    const french = await visit(`${path}?tz=UTC`, {
      headers: { 'Accept-Language': 'xx, fr-CH;q=0.9, de;q=0.8' },
    })
    expect(french.text).toContain('<html lang="fr" dir="ltr"')
    expect(wordsOf(french)).toContain('Fuseau horaire')
    const chosen = await visit(`${path}?lang=ar`, { headers: { 'Accept-Language': 'fr' } })
    expect(chosen.text).toContain('<html lang="ar" dir="rtl"')
    expect(chosen.headers.get('set-cookie')).toContain('hf_lang=ar')
    const kept = await visit(path, { headers: { 'Accept-Language': 'fr', Cookie: 'hf_lang=ja' } })
    expect(kept.text).toContain('<html lang="ja"')
    const none = await visit(path, { headers: { 'Accept-Language': ';;;q=x,*,zz-!!' } })
    expect(none.text).toContain('<html lang="en"')
  })

  it('have their own hours, digits, weeks and plurals', async () => {
    const { path } = await setUp({ max_attendees: 11 })
    const at = (tag: string) =>
      visit(`${path}?tz=UTC&date=${dateOf(DAY)}`, { headers: { 'Accept-Language': tag } }).then(wordsOf)
    expect(await at('en-US')).toContain('2:00 PM')
    expect(await at('en-GB')).toContain('14:00')
    expect(await at('de')).toContain('Noch 11 Plätze')
    expect(await at('ar-EG')).toContain('بقي ١١ مكانًا')
    expect(await at('en-US')).toMatch(/Sun S Mon M Tue T/)
    expect(await at('de')).toMatch(/Mo M Di D Mi M/)
  })
})

describe('what others wrote', () => {
  it('keeps the direction of its own emails beside Arabic', async () => {
    const location = 'Main Street 5 (rear)!'
    const { organization, path } = await setUp({
      location,
      group: 'For teams (B2B)!',
      conferencing_provider: 'in_person',
    })
    const headers = { 'Accept-Language': 'ar' }
    expect((await visit(path, { headers })).text).toContain(`<bdi>${location}</bdi>`)
    const listing = await visit(`/book/${organization.slug}`, { headers })
    expect(listing.text).toContain(`<bdi>${location}</bdi>`)
    expect(listing.text).toContain('<bdi>For teams (B2B)!</bdi>')
    expect(listing.text).toMatch(/<h1>[^<]*\u2068[^<]+\u2069<\/h1>/)
  })
})

describe('the server of the pages', () => {
  it('gives a readable answer with the right status', async () => {
    const { organization, path } = await setUp()
    const post = await visit(`/book/${organization.slug}`, { form: {} })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await visit(path, { method: 'DELETE' })).status).toBe(405)
    expect((await visit('/book')).status).toBe(404)
    expect((await visit('/bookings/x')).status).toBe(404)
    const head = await visit(path, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1_000)
  })

  it('makes browsers guess no content type and stay with https', async () => {
    const { path, formPath } = await setUp()
    const { action } = formOf(await visit(formPath), '/book/')
    const answers = await Promise.all([
      ...['/', path, `${path}.md`, '/book/nobody', '/bookings/x', '/llms.txt', '/nowhere'].map((at) =>
        visit(at),
      ),
      visit(action, { form: {}, headers: { 'Sec-Fetch-Site': 'cross-site' } }),
      visit('/v1/availability', { method: 'OPTIONS' }),
      visit(path, { method: 'HEAD' }),
    ])
    for (const { headers } of answers) {
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    }
  })

  it('does not require https if a request came without it, or on localhost', async () => {
    for (const origin of ['http://holdfast.test', 'https://localhost:8787', 'https://book.localhost']) {
      const { headers } = await visit(`${origin}/llms.txt`)
      expect([origin, headers.get('strict-transport-security')]).toEqual([origin, null])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('ignores parameters that others append to an address', async () => {
    const { path } = await setUp()
    expect((await visit(`${path}?utm_source=letter&utm_source=page&_=1`)).status).toBe(200)
  })

  it('accepts no more than a form can hold, and nothing but forms', async () => {
    const { formPath } = await setUp()
    const form = formOf(await visit(formPath), '/book/')
    const huge = await visit(form.action, { form: { ...form.fields, notes: 'x'.repeat(70_000) } })
    expect([huge.status, wordsOf(huge)]).toEqual([400, expect.stringContaining('did not work')])
    const json = await visit(form.action, { form: {}, headers: { 'Content-Type': 'application/json' } })
    expect(json.status).toBe(422)
  })

  it('limits callers by network, as it does for every public call', async () => {
    const asked: string[] = []
    const limit = async ({ key }: { key: string }) => {
      asked.push(key)
      return { success: false }
    }
    const { visit: visitBraked } = serviceWith({ PUBLIC_LIMIT: { limit } })
    const ask = (end: number) =>
      visitBraked('/', { headers: { 'CF-Connecting-IP': `2001:db8:77:3::${end}` } })
    let last = await ask(1)
    // The isolate itself lets the first calls of a minute pass.
    for (let at = 2; at < 25 && last.status === 200; at++) last = await ask(at)
    expect([last.status, asked]).toEqual([429, ['2001:db8:77:3::/64']])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(wordsOf(last)).toContain('Too many requests')
  })

  it('names the request when something fails, and nothing else', async () => {
    const { organization, path } = await setUp()
    await env.DB.prepare("UPDATE event_types SET duration_options = 'no json' WHERE organization_id = ?")
      .bind(organization.id)
      .run()
    const page = await visit(path)
    expect(page.status).toBe(500)
    expect(wordsOf(page)).toContain(page.headers.get('x-request-id')!)
    expect(page.text).not.toMatch(/JSON|SyntaxError/)
  })
})

describe('for programs', () => {
  it('each page has a Markdown version in Markdown whose calls work', async () => {
    const { organization, eventType, path } = await setUp({ title: 'Intro *call*' })
    const listing = await visit(`/book/${organization.slug}.md`)
    expect(listing.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(listing.text).toContain(`${path}.md`)
    const page = await visit(`${path}.md`)
    expect(page.text).toContain('> title: Intro \\*call\\*')
    expect(page.text).toContain(eventType.id)
    const query = /GET \S+(\/v1\/availability\?\S+)/.exec(page.text)![1]!
    const { status, body } = await call('GET', query)
    expect(status).toBe(200)
    const json = JSON.parse(
      /POST \S+\/v1\/bookings\nContent-Type: application\/json\n\n([\s\S]*?)\n```/.exec(page.text)![1]!,
    )
    const booked = await call('POST', '/v1/bookings', {
      body: { ...json, start_time: body.slots[0].start_time },
    })
    expect(booked.status).toBe(201)
    expect((await visit('/book/nobody-at-all.md')).status).toBe(404)
  })

  it('what an organization writes stays inside the quotation of its Markdown versions', async () => {
    const MARK = 'INJECTED'
    const ends = ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f']
    const evil = ends
      .map((end) => `x${end}# ${MARK}${end}\`\`\`${MARK}${end}</q>[${MARK}](https://evil)`)
      .join('')
    const { organization, path } = await setUp({ description: evil, location: evil.slice(0, 500) })
    const named = (column: string, table: string, of: string) =>
      env.DB.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${of} = ?`).bind(
        evil.slice(0, 255),
        organization.id,
      )
    // Names of several lines were taken once.
    await env.DB.batch([
      named('name', 'organizations', 'id'),
      named('title', 'event_types', 'organization_id'),
    ])
    for (const twin of [`/book/${organization.slug}.md`, `${path}.md`]) {
      const { status, text } = await visit(twin)
      expect(status).toBe(200)
      const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
      const theirs = lines.filter((line) => line.includes(MARK))
      expect(theirs.length).toBeGreaterThan(20)
      expect(theirs.filter((line) => !line.startsWith('> '))).toEqual([])
      expect(theirs.filter((line) => /(^|[^\\])[#`<[]/.test(line.slice(2)))).toEqual([])
    }
  })

  it('llms.txt lists the calls', async () => {
    const { text, headers } = await visit('/llms.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    for (const part of ['/v1/availability?', '/v1/bookings', '/v1/waitlist', '/cancel?token=', '.md']) {
      expect(text).toContain(part)
    }
  })
})

it('finds a page by an address that was retyped in capitals or escaped', async () => {
  const { slug: org, liveKey } = await createOrganization()
  await createEventType(liveKey, { booking_page_enabled: true, slug: 'first-call' })
  for (const path of [`/book/${org.toUpperCase()}/First-Call`, `/book/${org}/first%2Dcall`]) {
    const { status, text } = await visit(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).toContain(`rel="canonical" href="${SITE_URL}/book/${org}/first-call"`)
  }
  for (const path of ['/book/%ff', '/book/%2F%2Fevil.example', `/book/${org}/%3Cscript%3E`]) {
    expect([path, (await visit(path)).status]).toEqual([path, 404])
  }
})
