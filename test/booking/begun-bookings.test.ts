import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { visit, wordsOf } from '../support/pages.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(20) + 10 * HOUR_MS
const LATER = SLOT + 7 * 24 * HOUR_MS

/** A sandbox booking of 30 minutes at `SLOT`, in which time is what a test says. */
async function booked(input: Record<string, unknown> = {}) {
  const key = (await createOrganization()).testKey
  const { id: eventTypeId } = await createEventType(key, input)
  const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
  await setClock(SLOT - 24 * HOUR_MS)
  const { body } = await book(eventTypeId, SLOT)
  const path = `/v1/bookings/${body.id}`
  const token = `token=${body.cancel_token}`
  const move = (to: number) => ({ body: { new_start_time: iso(to) } })
  return {
    key,
    setClock,
    id: body.id as string,
    token: body.cancel_token as string,
    attendees: body.attendees as { id: string }[],
    payment: body.payment,
    read: async () => (await call('GET', path, { key })).body,
    actions: async () => (await call('GET', `${path}?${token}`)).body.allowed_actions,
    cancel: (how = '') => call('POST', `${path}/cancel?${token}${how}`),
    move: (to: number, how = '') => call('POST', `${path}/reschedule?${token}${how}`, move(to)),
    cancelByKey: () => call('POST', `${path}/cancel`, { key }),
    moveByKey: (to: number) => call('POST', `${path}/reschedule`, { key, ...move(to) }),
    attend: (no_shows: string[]) => call('POST', `${path}/attendance`, { key, body: { no_shows } }),
  }
}

const tooLate = (notice_minutes = 0) => [403, 'forbidden', { code: 'too_late', notice_minutes }]
const refused = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error?.code,
  body.error?.details,
]

/** A part that the texts about moving and cancelling share. */
const TOO_LATE = {
  en: 'It is too late to',
  de: 'Hier kann dieser Termin nicht mehr',
  fr: 'Il est trop tard pour',
  es: 'Ya es tarde para',
  ja: 'この予約',
  ar: 'فات أوان',
}

describe('a booking that has begun', () => {
  it('is neither moved nor cancelled with its token from the start on, also when tried only', async () => {
    const { setClock, actions, cancel, move, read } = await booked()
    await setClock(SLOT - 1)
    expect(await actions()).toMatchObject({ cancel: { allowed: true }, reschedule: { allowed: true } })
    for (const at of [SLOT, SLOT + MINUTE_MS, SLOT + 48 * HOUR_MS]) {
      await setClock(at)
      for (const how of ['&dry_run=true', '']) {
        expect(refused(await cancel(how))).toEqual(tooLate())
        expect(refused(await move(LATER, how))).toEqual(tooLate())
        expect(refused(await move(SLOT, how))).toEqual(tooLate())
      }
      const { message } = (await cancel()).body.error
      expect(await actions()).toEqual({
        cancel: { allowed: false, reason: message, refund_amount: null },
        reschedule: { allowed: false, reason: message },
      })
    }
    expect(await read()).toMatchObject({ status: 'confirmed', start_time: iso(SLOT) })
  })

  it('says that it has begun, not that a notice was missed', async () => {
    const { setClock, cancel, move } = await booked({ cancel_notice_minutes: 60 })
    await setClock(SLOT)
    const late = await cancel()
    expect(refused(late)).toEqual(tooLate(60))
    expect(late.body.error.message).toContain('begun')
    expect(refused(await move(LATER))).toEqual(tooLate())
  })

  it('is refused by token also while its payment is under way', async () => {
    const { key, payment, setClock, actions, cancel, move } = await booked({
      price_amount: 5_000,
      delayed_payment_methods: true,
    })
    await call('POST', `/v1/test-data/payments/${payment.id}/process`, { key })
    await setClock(SLOT)
    expect(refused(await cancel())).toEqual(tooLate())
    expect(refused(await move(LATER))).toEqual(tooLate())
    expect(await actions()).toMatchObject({ cancel: { allowed: false }, reschedule: { allowed: false } })
  })

  it('answers a repeated cancel with 200 if it was cancelled before', async () => {
    const { setClock, cancel, move } = await booked()
    expect((await cancel()).status).toBe(200)
    await setClock(SLOT + HOUR_MS)
    expect([(await cancel()).status, (await move(LATER)).status]).toEqual([200, 409])
  })

  it('keeps its attendance when a key cancels it, and attendance can be recorded afterwards', async () => {
    const { setClock, cancelByKey, attend, attendees, read } = await booked()
    await setClock(SLOT + 5 * MINUTE_MS)
    await attend([attendees[0]!.id])
    expect((await cancelByKey()).status).toBe(200)
    expect((await read()).attendees[0].no_show).toBe(true)
    await setClock(SLOT + 2 * HOUR_MS)
    const corrected = await attend([])
    expect([corrected.status, corrected.body.status]).toEqual([200, 'cancelled'])
    expect((await read()).attendees[0].no_show).toBe(false)
  })

  it('has no attendance if it was cancelled before its start, never paid or never approved', async () => {
    const early = await booked()
    await early.cancelByKey()
    await early.setClock(SLOT + HOUR_MS)
    expect((await early.attend([])).status).toBe(409)
    for (const input of [{ price_amount: 5_000 }, { requires_approval: true }]) {
      const { setClock, cancelByKey, attend } = await booked(input)
      await setClock(SLOT + MINUTE_MS)
      expect((await cancelByKey()).status).toBe(200)
      expect([input, (await attend([])).status]).toEqual([input, 409])
    }
  })

  it('says so on its pages in every language, instead of their forms', async () => {
    const { id, token, setClock, read } = await booked()
    await setClock(SLOT)
    const form = { token, new_start_time: iso(LATER) }
    for (const [language, words] of Object.entries(TOO_LATE)) {
      const headers = { 'Accept-Language': language }
      const page = await visit(`/bookings/${id}?token=${token}`, { headers })
      expect([page.status, wordsOf(page)]).toEqual([200, expect.stringContaining(words)])
      expect(page.text).not.toContain('<form method="post"')
      for (const action of ['cancel', 'reschedule']) {
        const answer = await visit(`/bookings/${id}/${action}`, { form, headers })
        expect([action, answer.status, wordsOf(answer)]).toEqual([
          action,
          403,
          expect.stringContaining(words),
        ])
      }
    }
    await setClock(SLOT + 24 * HOUR_MS)
    const late = await visit(`/bookings/${id}/cancel`, { form })
    expect([late.status, wordsOf(late)]).toEqual([403, expect.stringContaining(TOO_LATE.en)])
    expect((await read()).status).toBe('confirmed')
  })

  it('loses its attendance when a key moves it to a later start, and its token is valid again', async () => {
    const { setClock, moveByKey, attend, attendees, actions, move } = await booked()
    await setClock(SLOT + HOUR_MS)
    await attend([attendees[0]!.id])
    const { status, body } = await moveByKey(LATER)
    expect([status, body.attendees[0].no_show]).toEqual([200, false])
    expect((await actions()).cancel.allowed).toBe(true)
    expect((await move(LATER + HOUR_MS)).status).toBe(200)
  })
})
