import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { lettersTo } from '../support/outbox.ts'
import { wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

describe('the history of a booking', () => {
  it.each(['liveKey', 'testKey'] as const)(
    'lists what was done, oldest first, and by whom (%s)',
    async (mode) => {
      const organization = await createOrganization()
      const key = organization[mode]
      const { id } = await createEventType(key)
      const { body: other } = await book(id, SLOT + 5 * HOUR_MS)
      const { body } = await book(id, SLOT)
      const start = { new_start_time: iso(SLOT + HOUR_MS) }
      await call('POST', `/v1/bookings/${body.id}/reschedule`, { key, body: start })
      await call('PATCH', `/v1/bookings/${other.id}`, { key, body: { location: 'Elsewhere' } })
      const browser = await enter(organization)
      if (mode === 'testKey')
        await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
      const at = `/console/bookings/${body.id}`
      await browser.send(await browser.visit(at), '/cancel', { reason: 'A train' })
      const page = await browser.visit(at)
      const history = wordsOf({ ...page, text: page.text.slice(page.text.indexOf('<h2>History')) })
      const order = ['Booking created', 'Invitee', 'Booking rescheduled', 'Key', 'Booking cancelled']
      const places = order.map((text) => history.indexOf(text))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(places).not.toContain(-1)
      expect(history).not.toContain('Booking changed')
      const german = await browser.visit(at, { headers: { 'Accept-Language': 'de' } })
      expect(wordsOf(german)).toContain('Verlauf')
    },
  )

  it('has the emails that went, and to whom', async () => {
    const ownerEmail = `${unique('owner')}@example.com`
    const organization = await createOrganization({ ownerEmail })
    const { id } = await createEventType(organization.testKey, { reminder_intervals: [] })
    const { body } = await book(id, SLOT, {
      invitee_name: 'Ada King',
      guests: [{ email: 'eve@example.com' }],
    })
    const key = organization.testKey
    await lettersTo(key, ownerEmail, 1)
    await call('POST', `/v1/bookings/${body.id}/resend`, { key, body: { to: 'invitee' } })
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key, body: { notify: false } })
    await lettersTo(key, ownerEmail, 2)
    const browser = await enter(organization)
    await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
    const { text } = await browser.visit(`/console/bookings/${body.id}`)
    const history = text.slice(text.indexOf('<h2>History'))
    const emails = [...history.matchAll(/Email: ([^<]*)<\/p><p class="soft"><bdi>([^<]*)/g)]
    expect(emails.map(([, what, to]) => [what, to])).toEqual([
      ['Booking created', `Ada King, eve@example.com, ${ownerEmail}`],
      ['Confirmation, once more', 'Ada King'],
      ['Booking cancelled', ownerEmail],
    ])
  })

  it('is beside the other bookings of the same person, the newest first', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const made: string[] = []
    for (const [at, invitee_email] of ['Ada@example.com', 'ada@example.com', 'ada@example.com'].entries())
      made.push((await book(id, SLOT + at * HOUR_MS, { invitee_email })).body.id)
    await book(id, SLOT + 4 * HOUR_MS, { invitee_email: 'eve@example.com' })
    const { text } = await (await enter(organization)).visit(`/console/bookings/${made[0]}`)
    const others = text.slice(text.indexOf('<h2>Other bookings'), text.indexOf('<h2>History'))
    const ids = [...others.matchAll(/href="\/console\/bookings\/([0-9a-f-]{36})"/g)].map(([, one]) => one)
    expect(ids).toEqual([made[2], made[1]])
  })

  it('ends after fifty entries, and leads to the rest', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key)
    const { body } = await book(id, SLOT)
    for (let n = 0; n < 51; n++)
      await call('PATCH', `/v1/bookings/${body.id}`, { key, body: { notes: `Note ${n}` } })
    const page = await (await enter(organization)).visit(`/console/bookings/${body.id}`)
    expect(wordsOf(page).split('Booking changed')).toHaveLength(50)
    expect(page.text).toContain(`href="/console/team/activity?about=${body.id}"`)
  })
})
