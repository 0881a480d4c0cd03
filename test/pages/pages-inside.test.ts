import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { showEvent } from '../../src/pages/event.tsx'
import { loadOffer } from '../../src/pages/event-offer.ts'
import { showListing } from '../../src/pages/listing.tsx'
import { showBooking } from '../../src/pages/manage.tsx'
import { showMove } from '../../src/pages/move.tsx'
import { openPage } from '../../src/pages/open-page.ts'
import type { Handler, Params } from '../../src/pages/page.ts'
import { paymentPage } from '../../src/pages/pay.tsx'
import { payBooking } from '../../src/pages/pay-later.tsx'
import { looseId } from '../../src/platform/db/ids.ts'
import { call } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { formOf, linksOf, SITE, visit, wordsOf } from '../support/pages.ts'
import { attempt, bookPaid, createPaid, hearOf, pay } from '../support/payments.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000

async function pageAt(path: string, own: Env = env) {
  return openPage(new Request(new URL(path, SITE)), own, looseId())
}

it('asks the database once for a listing or a booking and twice for times', async () => {
  const { slug: org, liveKey } = await createOrganization()
  const eventType = await createEventType(liveKey, { booking_page_enabled: true, max_attendees: 5 })
  const { body: booking } = await book(eventType.id, SLOT)
  const own = `/bookings/${booking.id}`
  const token = `token=${booking.cancel_token}`
  const event = { org, event: eventType.slug }
  const pages: [Handler, string, Params, number][] = [
    [showListing, `/book/${org}`, { org }, 1],
    [showEvent, `/book/${org}/${eventType.slug}?date=${dateOf(SLOT)}`, event, 2],
    [showEvent, `/book/${org}/${eventType.slug}?time=${iso(SLOT)}`, event, 2],
    [showBooking, `${own}?${token}`, { id: booking.id }, 1],
    [showMove, `${own}/reschedule?${token}`, { id: booking.id }, 2],
  ]
  for (const [handler, path, params, expected] of pages) {
    const { trips, env: counted } = countedEnv()
    const response = await handler(await pageAt(path, counted), params)
    expect([path, response.status, trips.count]).toEqual([path, 200, expected])
  }
})

const BOOKING = '0192f1e0-7c11-7000-8000-3b1f0a5d9c43'

async function paid(own: Partial<Env>, secret: string | null) {
  const { slug: org, liveKey } = await createOrganization()
  const { slug: event, id } = await createEventType(liveKey, { booking_page_enabled: true })
  await env.DB.prepare("UPDATE event_types SET price_amount = 4900, price_currency = 'eur' WHERE id = ?")
    .bind(id)
    .run()
  const page = await pageAt(`/book/${org}/${event}?lang=de&tz=Europe/Berlin`, { ...env, ...own })
  const { offer } = await loadOffer(page, { org, event })
  const payment = {
    amount: 4900,
    currency: 'eur',
    ...(secret && { client_secret: secret, payment_provider_account_id: 'acct_2' }),
  }
  const booking = {
    id: BOOKING,
    start_time: iso(SLOT),
    end_time: iso(SLOT + 1_800_000),
    created_at: '2026-01-15T09:05:00Z',
    cancel_token: 'own-token',
    payment,
  }
  const response = paymentPage(page, offer!, booking, '/book/x/y/booked/1?token=own-token')
  const { headers } = response
  return {
    policy: headers.get('content-security-policy')!,
    cookies: headers.getSetCookie(),
    text: await response.text(),
  }
}

it("loads the payment provider's form only if there is a key for it", async () => {
  const { policy, text } = await paid({ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'pi_1_secret_2')
  expect(policy).toMatch(/script-src 'self' https:\/\/js\.stripe\.com/)
  expect(policy).toContain('frame-src https://js.stripe.com')
  expect(text).toMatch(/data-key="pk_test_1"[^>]*data-secret="pi_1_secret_2"[^>]*data-account="acct_2"/)
  expect(text).toContain('49,00\u00a0€ bezahlen')
  expect(text).toContain('/assets/pay.js')
})

it('allows the script of a double instead, if one is set', async () => {
  const own = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_SCRIPT_URL: 'http://127.0.0.1:4000/stripe/w/v3/' }
  const { policy, text } = await paid(own, 'pi_1_secret_2')
  expect(policy).toContain("script-src 'self' http://127.0.0.1:4000;")
  expect(text).toContain('data-script="http://127.0.0.1:4000/stripe/w/v3/"')
})

it('explains that no payment can be accepted', async () => {
  for (const [own, secret, words] of [
    [{}, 'pi_1_secret_2', 'kann noch nicht bezahlt werden'],
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, null, 'versuchen Sie es gleich noch einmal'],
  ] as const) {
    const { policy, cookies, text } = await paid(own, secret)
    expect(policy).not.toContain('stripe')
    expect(text).not.toContain('pay.js')
    expect(text).toContain(words)
    expect(cookies.join()).not.toContain('own-token')
  }
})

it('says until when the time is held, in the payer’s time zone', async () => {
  const { text } = await paid({ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'pi_1_secret_2')
  expect(text).toMatch(/bis 10:35 für Sie reserviert/)
})

it('sends no token to the provider, and brings the payer to their booking by a cookie', async () => {
  const { cookies, text } = await paid({ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'pi_1_secret_2')
  const next = /data-next="([^"]*)"/.exec(text)![1]!
  expect(new URL(next).pathname).toBe(`/bookings/${BOOKING}/paid`)
  expect(next).not.toContain('token')
  const [cookie] = cookies.filter((one) => one.includes('own-token'))
  expect(cookie).toMatch(/Path=\/bookings\/[0-9a-f-]{36}\/paid; .*HttpOnly; SameSite=Lax; Secure$/)

  const { slug: org, liveKey } = await createOrganization()
  const { slug: event, id } = await createEventType(liveKey, { booking_page_enabled: true })
  const { body } = await book(id, SLOT)
  const back = `/bookings/${body.id}/paid?redirect_status=succeeded&payment_intent_client_secret=secret`
  const known = await visit(back, { headers: { Cookie: `hf_paying=${body.cancel_token}` } })
  expect([known.status, known.headers.get('location')]).toEqual([
    303,
    `/book/${org}/${event}/booked/${body.id}?token=${body.cancel_token}&redirect_status=succeeded`,
  ])
  for (const headers of [{}, { Cookie: 'hf_paying=wrong' }]) {
    const unknown = await visit(back, { headers })
    expect(unknown.status).toBe(200)
    expect(wordsOf(unknown)).toMatch(/Thank you for your payment.*in the email we send you/)
    expect(unknown.text).not.toContain(org)
  }
})

it('keeps the booking, and says so, while the provider does not answer or has made no payment yet', async () => {
  const { eventTypeId } = await createPaid({ booking_page_enabled: true })
  const { id, token, intentId } = await bookPaid(eventTypeId, SLOT)
  const own = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
  for (const [intent, status] of [
    ['pi_nobody_knows', 502],
    [null, 200],
  ] as const) {
    await env.DB.prepare('UPDATE payments SET intent_id = ? WHERE booking_id = ?').bind(intent, id).run()
    const asked = await askToPay(id, token, own)
    const shown = { status: asked.status, headers: asked.headers, text: await asked.text() }
    expect(shown.status).toBe(status)
    expect(wordsOf(shown)).toMatch(/Your time is still reserved. Try again in a moment/)
    expect(wordsOf(shown)).not.toContain('Nothing was booked')
    expect(formOf(shown, '/pay')).toMatchObject({ action: `/bookings/${id}/pay`, fields: { token } })
  }
  await env.DB.prepare('UPDATE payments SET intent_id = ? WHERE booking_id = ?').bind(intentId, id).run()
  expect(await (await askToPay(id, token, own)).text()).toContain('/assets/pay.js')
})

it('shows a waiting page to the payer until the provider has reported the payment', async () => {
  const { slug: org, liveKey } = await createOrganization()
  const { slug: event, id } = await createEventType(liveKey, { booking_page_enabled: true })
  const { body } = await book(id, SLOT)
  await env.DB.prepare("UPDATE bookings SET status = 'pending_payment' WHERE id = ?").bind(body.id).run()
  const path = `/book/${org}/${event}/booked/${body.id}?token=${body.cancel_token}`
  const back = await visit(`${path}&redirect_status=succeeded&payment_intent_client_secret=secret`)
  expect([back.text.includes('data-refresh'), wordsOf(back).includes('Thank you for your payment')]).toEqual([
    true,
    true,
  ])
  expect(back.text).not.toContain('client_secret')
  const unpaid = await visit(path)
  expect([unpaid.text.includes('data-refresh'), wordsOf(unpaid).includes('Payment is due')]).toEqual([
    false,
    true,
  ])
  const manage = await visit(`/bookings/${body.id}?token=${body.cancel_token}`)
  expect(manage.text).not.toContain('/reschedule')
  await env.DB.prepare("UPDATE bookings SET status = 'confirmed' WHERE id = ?").bind(body.id).run()
  expect(wordsOf(await visit(`${path}&redirect_status=succeeded`))).toContain('You are booked')
})

async function askToPay(id: string, token: string, own: Partial<Env>) {
  const request = new Request(new URL(`/bookings/${id}/pay`, SITE), {
    method: 'POST',
    body: new URLSearchParams({ token }),
  })
  return payBooking(await openPage(request, { ...env, ...own }, looseId()), { id })
}

it('offers the due payment to invitees who come back, until it is made', async () => {
  const { eventTypeId } = await createPaid({ booking_page_enabled: true })
  const { id, token, payment, intentId } = await bookPaid(eventTypeId, SLOT)
  const own = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
  const manage = `/bookings/${id}?token=${token}`
  const shown = await showBooking(await pageAt(manage, { ...env, ...own }), { id })
  const visited = { status: 200, headers: shown.headers, text: await shown.text() }
  expect(formOf(visited, '/pay')).toMatchObject({ action: `/bookings/${id}/pay`, fields: { token } })
  expect(wordsOf(visited)).toContain('Pay $50.00')

  const asked = await askToPay(id, token, own)
  const text = await asked.text()
  expect(asked.status).toBe(200)
  expect(text).toContain(`data-secret="${payment.client_secret}"`)
  expect(text).toContain(`data-account="${payment.payment_provider_account_id}"`)
  expect(text).toContain('/assets/pay.js')
  expect(asked.headers.get('content-security-policy')).toContain('frame-src https://js.stripe.com')
  expect(asked.headers.get('cache-control')).toBe('no-store')
  expect((await visit(`/bookings/${id}/pay`, { form: { token: 'wrong' } })).status).toBe(404)

  await pay(intentId)
  const paidFor = await askToPay(id, token, own)
  expect([paidFor.status, paidFor.headers.get('location')]).toEqual([303, manage])
  const settled = await visit(manage)
  expect(settled.text).not.toContain('/pay"')
  expect(wordsOf(settled)).toContain('Your booking')
})

it('does not ask for a second payment while one is being processed, which may take days', async () => {
  const { eventTypeId, organization } = await createPaid({
    booking_page_enabled: true,
    delayed_payment_methods: true,
    price_currency: 'eur',
  })
  const { id, token, intentId, body } = await bookPaid(eventTypeId, SLOT)
  await attempt(intentId, 'process')
  await hearOf(intentId)
  const own = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
  const manage = `/bookings/${id}?token=${token}`
  const { slug } = (await call('GET', `/v1/event-types/${body.event_type_id}`, { key: organization.liveKey }))
    .body
  const booked = `/book/${organization.slug}/${slug}/booked/${id}?token=${token}&redirect_status=succeeded`
  for (const path of [manage, booked]) {
    const shown = await visit(path)
    expect(wordsOf(shown)).toContain('Your payment is being processed')
    expect(shown.text).not.toContain('data-refresh')
  }
  const shown = await showBooking(await pageAt(manage, { ...env, ...own }), { id })
  expect(await shown.text()).not.toContain('/pay"')
  const asked = await askToPay(id, token, own)
  expect([asked.status, asked.headers.get('location')]).toEqual([303, manage])
})

it('keeps the time and says whom to ask where the page takes no payment', async () => {
  const { organization, eventTypeId } = await createPaid({ booking_page_enabled: true, slug: 'paid-call' })
  const path = `/book/${organization.slug}/paid-call`
  const { action, fields } = formOf(await visit(`${path}?time=${iso(SLOT)}`), path)
  const form = { ...fields, name: 'Ada', email: 'ada@example.com' }
  const [first, again] = [await visit(action, { form }), await visit(action, { form })]
  for (const booked of [first, again]) {
    expect(booked.status).toBe(200)
    expect(wordsOf(booked)).toContain('You cannot pay on this page yet')
    expect(booked.text).not.toContain('_secret_')
  }
  const { results } = await env.DB.prepare('SELECT id, status FROM bookings WHERE event_type_id = ?')
    .bind(eventTypeId)
    .all()
  expect(results).toEqual([{ id: expect.any(String), status: 'pending_payment' }])
  const [next] = linksOf(first).filter((href) => href.includes('/booked/'))
  const token = new URL(next!, SITE).searchParams.get('token')
  const manage = await visit(`/bookings/${results[0]!.id}?token=${token}`)
  expect(wordsOf(manage)).toContain('You cannot pay on this page yet')
  expect(wordsOf(manage)).toContain('Payment is due')
})

it('shows the first open day with its times, or says that there is none', async () => {
  const { slug, liveKey } = await createOrganization()
  const { slug: free } = await createEventType(liveKey, { booking_page_enabled: true })
  const closed = await call('POST', '/v1/event-types', {
    key: liveKey,
    body: { title: 'Closed', slug: 'closed', duration_minutes: 30, booking_page_enabled: true },
  })
  expect(closed.status).toBe(201)
  const month = `tz=UTC&month=${dateOf(SLOT).slice(0, 7)}`
  for (const query of ['tz=UTC', month]) {
    const { text } = await visit(`/book/${slug}/${free}?${query}`)
    expect(text.match(/aria-selected="true"/g)).toHaveLength(1)
    expect(text).toMatch(/class="time"/)
  }
  const empty = wordsOf(await visit(`/book/${slug}/closed?${month}`))
  expect(empty).toContain('No times are left in')
  expect(empty).not.toContain('Select a highlighted day')
  expect(empty).not.toContain('Next open day')
})

it('lands on the month of the first open day, however far it is, and leads there from an empty month', async () => {
  const { slug, liveKey } = await createOrganization()
  const eventType = await createEventType(liveKey, { booking_page_enabled: true }, [])
  const far = dayFromNow(200)
  await call('PUT', `/v1/event-types/${eventType.id}/availability`, {
    key: liveKey,
    body: {
      rules: [],
      overrides: [{ date: dateOf(far), intervals: [{ start_time: '09:00', end_time: '10:00' }] }],
    },
  })
  const path = `/book/${slug}/${eventType.slug}?tz=UTC`
  const landed = await visit(path)
  expect(linksOf(landed).filter((href) => href.includes('time='))).toHaveLength(2)
  expect(landed.text).toMatch(new RegExp(`aria-selected="true"><a[^>]*data-day="${dateOf(far)}"`))
  const empty = await visit(`${path}&month=${dateOf(dayFromNow(40)).slice(0, 7)}`)
  expect(wordsOf(empty)).toContain('Next open day')
  expect(linksOf(empty).some((href) => href.includes(`date=${dateOf(far)}`))).toBe(true)
})
