import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { visit, wordsOf } from '../support/pages.ts'

const SLOT = dayFromNow(2) + 10 * 3_600_000

async function pageOf(requires_approval: boolean, price: number | null = null) {
  const { liveKey: key, slug } = await createOrganization()
  const input = { booking_page_enabled: true, requires_approval, price_amount: price }
  const { id, slug: event } = await createEventType(key, input)
  return { key, id, slug, own: `/book/${slug}/${event}` }
}

describe('an event type whose bookings are requests', () => {
  it('says so in the listing, on its page and on the button, before anybody books', async () => {
    const { slug, own } = await pageOf(true)
    expect(wordsOf(await visit(`/book/${slug}`))).toContain('On request')
    expect(wordsOf(await visit(own))).toMatch(/Your booking is a request until .+ approves it\./)
    const form = wordsOf(await visit(`${own}?time=${new Date(SLOT).toISOString()}`))
    expect(form).toContain('Send request')
    expect(form).not.toContain('Confirm booking')
    expect((await visit(`${own}.md`)).text).toMatch(/Your booking is a request until .+ approves it\./)
    const german = wordsOf(await visit(`${own}?lang=de&time=${new Date(SLOT).toISOString()}`))
    expect(german).toContain('Anfrage senden')
  })

  it('says nothing of the kind otherwise', async () => {
    const { slug, own } = await pageOf(false)
    expect(wordsOf(await visit(`/book/${slug}`))).not.toContain('On request')
    const form = wordsOf(await visit(`${own}?time=${new Date(SLOT).toISOString()}`))
    expect(form).toContain('Confirm booking')
    expect(form).not.toContain('request until')
  })

  it('is shown anew in a listing that a caller has once that changes', async () => {
    const { key, id, slug } = await pageOf(false)
    const path = `/v1/public/booking-page/${slug}`
    const first = await call('GET', path)
    expect(first.body.event_types[0].requires_approval).toBe(false)
    const tag = first.headers.get('etag')!
    for (const known of [tag, tag.replace('W/', ''), '*'])
      expect((await call('GET', path, { headers: { 'If-None-Match': known } })).status).toBe(304)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires_approval: true } })
    const headers = { 'If-None-Match': tag }
    const { status, body } = await call('GET', path, { headers })
    expect([status, body.event_types[0].requires_approval]).toEqual([200, true])
  })
})
