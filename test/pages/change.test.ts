import { describe, expect, it, vi } from 'vitest'
import { en } from '../../src/platform/i18n/en.ts'
import { localeOf } from '../../src/platform/i18n/locale.ts'
import { LANGUAGES } from '../../src/platform/i18n/tags.ts'
import { call, type Json } from '../support/app.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { formOf, linksOf, visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const QUESTIONS = [
  { key: 'topic', label: 'Topic', type: 'short_text', required: true },
  { key: 'budget', label: 'Budget', type: 'number', required: false },
  { key: 'days', label: 'Days', type: 'choices', required: false, options: ['Mon', 'Tue'] },
]

async function booked(input: Json = {}, more: Json = {}) {
  const { liveKey: key, slug: org } = await createOrganization()
  const { id, slug } = await createEventType(key, { booking_page_enabled: true, ...input })
  const { body } = await book(id, SLOT, more)
  const own = `/bookings/${body.id}`
  const query = `token=${body.cancel_token}`
  const open = (lang = 'en') => visit(`${own}/change?${query}&lang=${lang}`)
  const read = async () => (await call('GET', `${'/v1'}${own}`, { key })).body
  /** Sends the form of the page as it is, with these fields changed. */
  const save = async (fields: Record<string, string>) => {
    const { action, pairs } = formOf(await open(), '/change')
    const rest = pairs.filter(([name]) => !(name in fields))
    return visit(action, { form: [...rest, ...Object.entries(fields)] })
  }
  const updates = async () => {
    const { body: events } = await call('GET', '/v1/events?limit=100', { key })
    return events.data
      .filter(({ event }: Json) => event === 'booking.updated')
      .map(({ changed }: Json) => changed)
  }
  return { key, id, body, own, query, open, read, save, updates, path: `/book/${org}/${slug}` }
}

describe('the page on which invitees change their details', () => {
  it('is linked from the booking, and shows everything as it is', async () => {
    const { own, query, open } = await booked(
      { questions: QUESTIONS },
      {
        notes: 'Bring <tea>',
        invitee_phone: '+4930901820',
        invitee_timezone: 'Asia/Tokyo',
        answers: { topic: 'Go & chess', budget: 1.234, days: ['Tue'] },
        guests: [{ email: 'bob@example.com', name: 'Bob' }],
      },
    )
    const shown = await visit(`${own}?${query}`)
    expect(linksOf(shown)).toContain(`${own}/change?${query}`)
    expect(wordsOf(shown)).toContain('Bob')
    const { fields, pairs } = formOf(await open(), '/change')
    expect(fields).toMatchObject({
      name: 'Ada Lovelace',
      notes: 'Bring <tea>',
      phone: '+4930901820',
      timezone: 'Asia/Tokyo',
      language: 'en',
      company: 'bob@example.com',
      'answers[topic]': 'Go & chess',
      'answers[budget]': '1.234',
    })
    expect(pairs.filter(([name]) => name === 'answers[days]')).toEqual([['answers[days]', 'Tue']])
  })

  it('changes each of them, and nothing that was left as it was', async () => {
    const { own, query, read, save, updates } = await booked(
      { questions: QUESTIONS },
      { answers: { topic: 'Go' } },
    )
    const answer = await save({
      name: 'Ada King',
      phone: '0049 (30) 901-820',
      timezone: 'Europe/Berlin',
      language: 'de',
      notes: 'Two\r\nlines',
      company: 'bob@example.com, Eve@example.com',
      'answers[topic]': 'Chess',
      'answers[budget]': '1,000.5',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${own}?${query}&changed=1`])
    expect(wordsOf(await visit(answer.headers.get('location')!))).toContain(en.changesSaved)
    expect(await read()).toMatchObject({
      invitee_name: 'Ada King',
      invitee_phone: '+4930901820',
      invitee_timezone: 'Europe/Berlin',
      invitee_locale: 'de',
      notes: 'Two\nlines',
      guests: [{ email: 'bob@example.com' }, { email: 'Eve@example.com' }],
    })
    expect((await save({})).status).toBe(303)
    expect((await save({ phone: '', notes: '', company: '' })).status).toBe(303)
    expect(await read()).toMatchObject({
      invitee_phone: null,
      notes: null,
      guests: [],
      invitee_name: 'Ada King',
    })
    expect((await updates()).map((names: string[]) => names.toSorted())).toEqual([
      ['answers', 'guests', 'invitee_locale', 'invitee_name', 'invitee_phone', 'invitee_timezone', 'notes'],
      ['guests', 'invitee_phone', 'notes'],
    ])
  })

  it('keeps answers to questions that are no longer asked, unless others change', async () => {
    const { key, id, own, query, save } = await booked({ questions: QUESTIONS }, { answers: { topic: 'Go' } })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { questions: [] } })
    expect((await save({ name: 'Ada King' })).status).toBe(303)
    const { body } = await call('GET', `/v1${own}?${query}`)
    expect([body.invitee_name, body.answers]).toEqual(['Ada King', { topic: 'Go' }])
  })

  it.each([
    [{ name: '' }, 'name', en.needName],
    [{ phone: '12' }, 'phone', en.needPhoneCode],
    [{ company: 'nobody' }, 'company', en.needGuests],
    [{ company: 'bob@example.com\nBOB@example.com' }, 'company', en.sameAddress],
    [{ company: 'ada@example.com' }, 'company', en.sameAddress],
    [{ company: 'a@x.test\nb@x.test\nc@x.test\nd@x.test' }, 'company', 'You can add up to 3 guests.'],
    [{ 'answers[topic]': ' ' }, 'answers[topic]', en.needAnswer],
    [{ notes: 'x'.repeat(2001) }, 'notes', en.tooLong],
  ])('names the field of %o', async (fields, at, text) => {
    const { save, updates } = await booked({ questions: QUESTIONS }, { answers: { topic: 'Go' } })
    const answer = await save({ ...(fields as unknown as Record<string, string>) })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(`id="${at}-error"`)
    expect(wordsOf(answer)).toContain(text)
    expect(await updates()).toEqual([])
  })

  it('changes nothing once the booking has begun, or is cancelled, or with a wrong token', async () => {
    const { open, own, query, key, save, body, updates } = await booked()
    const form = formOf(await open(), '/change')
    const send = (key: string) => visit(form.action, { form: { ...form.fields, key, name: 'Eve' } })
    vi.setSystemTime(SLOT + 1)
    try {
      expect(wordsOf(await open())).toContain('It is too late to change this booking here.')
      const late = await send('late')
      expect([late.status, late.text.includes('<form method="post"')]).toEqual([403, false])
      expect(linksOf(await visit(`${own}?${query}`))).not.toContain(`${own}/change?${query}`)
    } finally {
      vi.useRealTimers()
    }
    const wrong = { ...form.fields, token: '0'.repeat(64), name: 'Eve' }
    expect((await visit(form.action, { form: wrong })).status).toBe(404)
    expect((await save({ name: 'Ada King' })).status).toBe(303)
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    expect(wordsOf(await open())).toContain(en.cancelled)
    expect((await send('cancelled')).status).toBe(409)
    expect(await updates()).toEqual([['invitee_name']])
  })

  it.each(LANGUAGES)('speaks %s', async (language) => {
    const { open } = await booked({ max_guests: 2 })
    const page = wordsOf(await open(language))
    const { texts } = localeOf(language)
    for (const text of [texts.changeDetails, texts.phone, texts.language, texts.addCompany, texts.save]) {
      expect(page).toContain(text)
    }
  })
})

describe('guests without a seat in the booking form', () => {
  it('can be added if the event type has room for guests', async () => {
    const { path, key } = await booked({ max_guests: 2 })
    const form = async () => formOf(await visit(`${path}?tz=UTC&time=${iso(SLOT + HOUR_MS)}`), '/book/')
    const who = { name: 'Grace', email: 'grace@example.com' }
    const { action, fields } = await form()
    const many = { ...fields, ...who, company: 'a@x.test\nb@x.test\nc@x.test' }
    const refused = await visit(action, { form: many })
    expect([refused.status, refused.text.includes('id="company-error"')]).toEqual([422, true])
    expect(refused.text).toMatch(/<details class="more" open/)
    const twice = await visit(action, { form: { ...fields, ...who, company: 'grace@example.com' } })
    expect([twice.status, twice.text.includes('id="company-error"')]).toEqual([422, true])
    const good = await visit(action, {
      form: { ...fields, ...who, company: 'bob@example.com;eve@example.com' },
    })
    expect(good.status).toBe(303)
    const { body } = await call('GET', '/v1/bookings?invitee_email=grace@example.com', { key })
    expect(body.data[0]).toMatchObject({
      attendees: [{ email: 'grace@example.com' }],
      guests: [{ email: 'bob@example.com' }, { email: 'eve@example.com' }],
    })
  })

  it('are limited in words that fit a single guest', async () => {
    const { path } = await booked({ max_guests: 1 })
    const form = formOf(await visit(`${path}?tz=UTC&time=${iso(SLOT + HOUR_MS)}`), '/book/')
    const company = 'a@x.test\nb@x.test'
    const who = { name: 'Grace', email: 'grace@example.com', company }
    const refused = await visit(form.action, { form: { ...form.fields, ...who } })
    expect(wordsOf(refused)).toContain('You can add up to 1 guest.')
  })

  it('are not asked for if the event type takes none', async () => {
    const { path, open } = await booked({ max_guests: 0 })
    const page = await visit(`${path}?tz=UTC&time=${iso(SLOT + HOUR_MS)}`)
    expect('company' in formOf(page, '/book/').fields).toBe(false)
    expect('company' in formOf(await open(), '/change').fields).toBe(false)
  })
})

describe('the move of a booking on its page', () => {
  const lengths = { duration_minutes: 30, duration_options: [30, 60] }

  it('offers the other lengths, and moves to one at its own start too', async () => {
    const { own, query, read } = await booked(lengths)
    const move = (more = '') => visit(`${own}/reschedule?${query}&tz=UTC&date=${dateOf(SLOT)}${more}`)
    const starts = async (more = '') =>
      linksOf(await move(more)).flatMap(
        (link) => new URL(link, 'https://x.test').searchParams.get('time') ?? [],
      )
    expect(await starts()).not.toContain(iso(SLOT))
    const longer = linksOf(await move()).find((link) => link.includes('duration=60'))!
    expect(longer).toContain('/reschedule')
    expect(await starts('&duration=60')).toContain(iso(SLOT))
    const link = linksOf(await move('&duration=60')).find((one) =>
      one.includes(encodeURIComponent(iso(SLOT))),
    )!
    expect(link).toContain('duration=60')
    const { action, fields } = formOf(await visit(link), '/reschedule')
    expect(fields.duration).toBe('60')
    expect((await visit(action, { form: fields })).status).toBe(303)
    expect(await read()).toMatchObject({ start_time: iso(SLOT), end_time: iso(SLOT + HOUR_MS) })
  })

  it('keeps the length without another choice, also one that is no longer offered', async () => {
    const { own, query, read, key, id } = await booked(lengths, { duration: 60 })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { duration_options: null } })
    const page = await visit(`${own}/reschedule?${query}&tz=UTC&time=${iso(SLOT + 2 * HOUR_MS)}`)
    const { action, fields } = formOf(page, '/reschedule')
    expect((await visit(action, { form: fields })).status).toBe(303)
    expect(await read()).toMatchObject({ end_time: iso(SLOT + 3 * HOUR_MS) })
    const choice = await visit(`${own}/reschedule?${query}&tz=UTC&date=${dateOf(SLOT)}&duration=45`)
    expect(linksOf(choice).some((link) => link.includes('time='))).toBe(true)
  })
})
