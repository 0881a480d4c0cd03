import { describe, expect, it, vi } from 'vitest'
import { monthOfDate, shownOf } from '../../src/pages/month.ts'
import { call } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { linksOf, visit, wordsOf } from '../support/pages.ts'

const DAY_MS = 86_400_000
const SLOT = dayFromNow(3) + 10 * 3_600_000
const NOBODY = '01890000-0000-7000-8000-000000000000'

describe("the pages of an invitee's booking", () => {
  it('show what was answered, and that it is paid', async () => {
    const { testKey: key } = await createOrganization()
    const questions = [{ key: 'topic', label: 'What about?', type: 'short_text', required: true }]
    const eventType = await createEventType(key, { questions, price_amount: 2_500, price_currency: 'eur' })
    const { body } = await book(eventType.id, SLOT, { answers: { topic: 'Ferrets' } })
    const own = `/bookings/${body.id}?token=${body.cancel_token}`
    const before = wordsOf(await visit(own))
    expect(before).toContain('What about?')
    expect(before).toContain('Ferrets')
    expect(before).not.toContain('· paid')
    const { body: payment } = await call('GET', `/v1/bookings/${body.id}/payment`, { key })
    await call('POST', `/v1/test-data/payments/${payment.id}/succeed`, { key })
    const booked = await visit(`/book/any/any/booked/${body.id}?token=${body.cancel_token}`)
    expect(wordsOf(booked)).toContain('€25.00 · paid')
    expect(wordsOf(booked)).toContain('Ferrets')
  })

  it('show those who wait where it is', async () => {
    const { liveKey } = await createOrganization()
    const place = { conferencing_provider: 'in_person', location: 'Lindenstraße 9, Berlin' }
    const eventType = await createEventType(liveKey, { waitlist_enabled: true, ...place })
    await book(eventType.id, SLOT)
    const invitee = { invitee_name: 'Eve', invitee_email: 'eve@example.com' }
    const body = { event_type_id: eventType.id, start_time: iso(SLOT), ...invitee }
    const { id, cancel_token } = (await call('POST', '/v1/waitlist', { body })).body
    const words = wordsOf(await visit(`/waitlist/${id}?token=${cancel_token}`))
    expect(words).toContain('Lindenstraße 9, Berlin')
  })
})

it('shows a booking that was made without a zone in that of its event type', async () => {
  const { liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey, { timezone: 'Asia/Tokyo' })
  const made = async (zone: object) => {
    const invitee = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com`, ...zone }
    const body = { event_type_id: id, start_time: iso(SLOT), ...invitee }
    const { body: booking } = await call('POST', '/v1/bookings', { key: liveKey, body })
    const path = `/bookings/${booking.id}?token=${booking.cancel_token}`
    const words = wordsOf(await visit(path))
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key: liveKey })
    return words
  }
  expect(await made({})).toContain('Japan Standard Time')
  expect(await made({ invitee_timezone: 'UTC' })).toContain('Coordinated Universal Time')
})

it('shows a series and a waitlist entry without a zone in that of their event type', async () => {
  const made = async (zone: object) => {
    const { liveKey: key } = await createOrganization()
    const { id: event_type_id } = await createEventType(key, {
      timezone: 'Asia/Tokyo',
      waitlist_enabled: true,
    })
    const body = { event_type_id, invitee_name: 'Ada', start_time: iso(SLOT), ...zone }
    const invitees = ['ada', 'bob'].map((name) => ({ invitee_email: `${unique(name)}@example.com` }))
    const { body: series } = await call('POST', '/v1/series', {
      key,
      body: { ...body, ...invitees[0], count: 2 },
    })
    const { body: entry } = await call('POST', '/v1/waitlist', { body: { ...body, ...invitees[1] } })
    const paths = [`/bookings/series/${series.id}`, `/waitlist/${entry.id}`]
    const tokens = [series.cancel_token, entry.cancel_token]
    const pages = await Promise.all(paths.map((path, at) => visit(`${path}?token=${tokens[at]}`)))
    return pages.map((page) => [page.status, wordsOf(page)])
  }
  const at = (time: string) => [200, expect.stringContaining(time)]
  expect(await made({})).toEqual([at('7:00'), at('7:00')])
  expect(await made({ invitee_timezone: 'UTC' })).toEqual([at('10:00'), at('10:00')])
})

describe('a dead link from an email', () => {
  async function linked(input: Record<string, unknown> = {}) {
    const { liveKey, slug } = await createOrganization()
    const made = await createEventType(liveKey, { title: 'Intro', booking_page_enabled: true, ...input })
    const { body } = await book(made.id, SLOT)
    return { id: body.id as string, path: `/book/${slug}/${made.slug}` }
  }

  it('leads to the page of its event type', async () => {
    const { id, path } = await linked()
    const page = await visit(`/bookings/${id}?token=cut-of`)
    expect([page.status, linksOf(page)]).toEqual([404, expect.arrayContaining([path])])
    expect(wordsOf(page)).toContain('Book another time: Intro')
    expect(linksOf(await visit(`/bookings/${id}/reschedule?token=cut-of`))).toContain(path)
  })

  it('leads there from a series and from a waitlist entry, too', async () => {
    const { liveKey: key, slug } = await createOrganization()
    const input = { title: 'Class', booking_page_enabled: true, waitlist_enabled: true }
    const made = await createEventType(key, input)
    const invitee = { event_type_id: made.id, invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const body = { ...invitee, start_time: iso(SLOT), count: 2 }
    const { body: series } = await call('POST', '/v1/series', { key, body })
    const waiting = { ...invitee, start_time: iso(SLOT), invitee_email: 'bob@example.com' }
    const { body: entry } = await call('POST', '/v1/waitlist', { body: waiting })
    for (const path of [`/bookings/series/${series.id}`, `/waitlist/${entry.id}`]) {
      const page = await visit(`${path}?token=cut-of`)
      expect([path, page.status, linksOf(page)]).toEqual([
        path,
        404,
        expect.arrayContaining([`/book/${slug}/${made.slug}`]),
      ])
    }
  })

  it('leads nowhere if that page is unlisted or off, or nothing is known', async () => {
    const hidden = await Promise.all([linked({ listed: false }), linked({ booking_page_enabled: false })])
    for (const id of [...hidden.map((one) => one.id), NOBODY]) {
      const page = await visit(`/bookings/${id}?token=cut-of`)
      expect([page.status, linksOf(page).filter((to) => to.startsWith('/book/'))]).toEqual([404, []])
    }
  })
})

describe('the calendar near the end of a month', () => {
  const at = (date: string) => Date.parse(date)

  it('goes on with the coming weeks, from the first day of the current week', () => {
    const november = monthOfDate(at('2026-11-01'))
    const shown = (today: string, firstWeekday: number) => {
      const { first, last } = shownOf(november, at(today), firstWeekday)
      return [dateOf(first), dateOf(last)]
    }
    expect(shown('2026-11-27', 1)).toEqual(['2026-11-23', '2026-12-20'])
    expect(shown('2026-11-27', 0)).toEqual(['2026-11-22', '2026-12-19'])
    expect(shown('2026-11-21', 1)).toEqual(['2026-11-16', '2026-12-13'])
    expect(shown('2026-11-20', 1)).toEqual(['2026-11-01', '2026-11-30'])
    expect(shown('2026-10-31', 1)).toEqual(['2026-11-01', '2026-11-30'])
  })

  it('offers days of the next month, each of which can be chosen there', async () => {
    const { liveKey, slug } = await createOrganization()
    const eventType = await createEventType(liveKey, { booking_page_enabled: true })
    const path = `/book/${slug}/${eventType.slug}`
    const year = new Date().getUTCFullYear() + 1
    vi.setSystemTime(Date.UTC(year, 4, 28, 6))
    try {
      const page = await visit(`${path}?tz=UTC&lang=en`)
      expect(wordsOf(page)).toContain(`May – June ${year}`)
      const to = linksOf(page).find((href) => href.includes(`date=${year}-06-05`))!
      const chosen = await visit(to)
      expect(linksOf(chosen).some((href) => href.includes(`time=${year}-06-05`))).toBe(true)
      const data = JSON.parse(/data-days="([^"]*)"/.exec(chosen.text)![1]!.replaceAll('&quot;', '"'))
      const june = data.find(([day]: [number]) => day === 31 + 5)
      expect(new Date(june[1] * 1000).toISOString().slice(0, 10)).toBe(`${year}-06-05`)
      expect(data.every(([day, first]: [number, number]) => Date.UTC(year, 4, day) <= first * 1000)).toBe(
        true,
      )
      expect(Date.UTC(year, 4, data.at(-1)[0]) - Date.UTC(year, 4, 28)).toBeLessThan(28 * DAY_MS)
    } finally {
      vi.useRealTimers()
    }
  })
})
