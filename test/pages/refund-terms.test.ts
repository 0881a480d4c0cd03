import { describe, expect, it, vi } from 'vitest'
import { refundSteps } from '../../src/money/payments/refunds/refund-steps.ts'
import { localeOf } from '../../src/platform/i18n/locale.ts'
import { call } from '../support/app.ts'
import { book, dayFromNow, iso } from '../support/factories.ts'
import { visit, wordsOf } from '../support/pages.ts'
import { bookPaid, createPaid, pay } from '../support/payments.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(10) + 10 * HOUR_MS
const POLICY = [
  { until_minutes_before: 60, percent: 25 },
  { until_minutes_before: 120, percent: 20 },
  { until_minutes_before: 2 * 1440, percent: 100 },
]
const SETTLED = { timeout: 20_000, interval: 100 }

async function offered(input: Record<string, unknown> = {}) {
  const paid = await createPaid({
    price_amount: 4_900,
    price_currency: 'eur',
    refund_policy: POLICY,
    booking_page_enabled: true,
    ...input,
  })
  const { body } = await call('GET', `/v1/event-types/${paid.eventTypeId}`, { key: paid.key })
  const path = `/book/${paid.organization.slug}/${body.slug}?tz=UTC&time=${iso(SLOT)}`
  return { ...paid, path }
}

describe('the steps of a refund policy', () => {
  const price = { amount: 10_000, currency: 'usd' }

  it('go down to nothing, without those that change nothing or are over', () => {
    expect(refundSteps(POLICY, price, SLOT, SLOT - 3 * DAY_MS)).toEqual([
      { until: SLOT - 2 * DAY_MS, amount: 10_000 },
      { until: SLOT - HOUR_MS, amount: 2_500 },
    ])
    expect(refundSteps(POLICY, price, SLOT, SLOT - DAY_MS)).toEqual([
      { until: SLOT - HOUR_MS, amount: 2_500 },
    ])
    expect(refundSteps(POLICY, price, SLOT, SLOT - HOUR_MS + 1)).toEqual([])
    expect(refundSteps([], price, SLOT, 0)).toEqual([])
  })
})

describe('the pages of a paid booking', () => {
  it('show before paying what a cancellation refunds, and until when', async () => {
    const { path } = await offered()
    const form = wordsOf(await visit(path))
    const day = (at: number) =>
      new Intl.DateTimeFormat('en-US', {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      }).format(at)
    const until = `€49.00 refunded until ${day(SLOT - 2 * DAY_MS)} at 10:00 AM`
    expect(form).toContain('If you cancel')
    expect(form).toContain(until)
    expect(form).toMatch(/€12.25 refunded until .* at 9:00 AM no refund after that/)
    expect(wordsOf(await visit(path, { headers: { 'Accept-Language': 'de' } }))).toMatch(
      /Bei Absage.*bis .* 10:00: 49,00 € zurück/,
    )
    const without = await offered({ refund_policy: [] })
    expect(wordsOf(await visit(without.path))).toContain('no automatic refund')
    const free = await offered({ price_amount: null })
    expect(wordsOf(await visit(free.path))).not.toContain('If you cancel')
  })

  it('show what cancelling refunds before it is pressed, and put nothing unpaid into calendars', async () => {
    const { eventTypeId, key } = await offered()
    const { id, token, intentId } = await bookPaid(eventTypeId, SLOT)
    const own = `/bookings/${id}?token=${token}`
    const file = `/bookings/${id}/invite.ics?token=${token}`
    const unpaid = await visit(own)
    expect(wordsOf(unpaid)).toContain('€49.00 refunded until')
    expect(wordsOf(unpaid)).not.toContain('Add to calendar')
    expect(wordsOf(unpaid)).not.toContain('If you cancel now')
    expect((await visit(file)).status).toBe(404)
    await pay(intentId)
    const paid = wordsOf(await visit(own))
    expect(paid).toContain('If you cancel now, €49.00 is refunded.')
    expect(paid).toContain('Add to calendar')
    expect((await visit(file)).status).toBe(200)
    await visit(`/bookings/${id}/cancel`, { form: { token } })
    expect(wordsOf(await visit(own))).toContain('€49.00 is refunded to you.')
    await vi.waitFor(async () => {
      const { body } = await call('GET', `/v1/bookings/${id}`, { key })
      expect(body.payment.status).toBe('refunded')
    }, SETTLED)
  })

  it('say so if it is too late to cancel or to move', async () => {
    const notice = { cancel_notice_minutes: 20_160, reschedule_notice_minutes: 20_160 }
    const { eventTypeId } = await offered({ price_amount: null, ...notice })
    const { body } = await call('POST', '/v1/bookings', {
      body: {
        event_type_id: eventTypeId,
        start_time: iso(SLOT),
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
      },
    })
    const token = body.cancel_token
    const page = await visit(`/bookings/${body.id}?token=${token}`)
    expect(wordsOf(page)).toContain('It is too late to cancel this booking here. Please contact')
    expect(wordsOf(page)).toContain('It is too late to reschedule this booking here. Please contact')
    expect(page.text).not.toContain(`/bookings/${body.id}/cancel`)
    expect(page.text).not.toContain(`/bookings/${body.id}/reschedule`)
    expect((await visit(`/bookings/${body.id}/cancel`, { form: { token } })).status).toBe(403)
    const move = await visit(`/bookings/${body.id}/reschedule?token=${token}`)
    expect(wordsOf(move)).toContain('It is too late to reschedule this booking here.')
  })

  it('say before and after booking until when it can be cancelled and moved, in six languages', async () => {
    const notice = { cancel_notice_minutes: 1440, reschedule_notice_minutes: 60 }
    const { eventTypeId, path } = await offered({ price_amount: null, ...notice })
    const { body } = await book(eventTypeId, SLOT + 2 * DAY_MS)
    const own = `/bookings/${body.id}?token=${body.cancel_token}`
    const until = (tag: string, at: number) =>
      new Intl.DateTimeFormat(tag, {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      }).format(at)
    for (const tag of ['en', 'de', 'es', 'fr', 'ja', 'ar']) {
      const headers = { 'Accept-Language': tag }
      const { texts } = localeOf(tag)
      for (const [page, start] of [
        [path, SLOT],
        [own, SLOT + 2 * DAY_MS],
      ] as const) {
        const words = wordsOf(await visit(page, { headers }))
        for (const [text, at] of [
          [texts.cancelUntil, start - DAY_MS],
          [texts.moveUntil, start - HOUR_MS],
        ] as const) {
          const [before, after] = text.split('{time}') as [string, string]
          expect([tag, page, words]).toEqual([tag, page, expect.stringContaining(before)])
          expect([tag, page, words]).toEqual([tag, page, expect.stringContaining(until(tag, at))])
          expect(words).toContain(after)
        }
      }
    }
    const without = await offered({ price_amount: null, cancel_notice_minutes: 1440 })
    const words = wordsOf(await visit(without.path))
    expect(words).toContain('You can cancel until')
    expect(words).not.toContain('You can reschedule it until')
  })
})
