import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { linksOf, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function world() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key)
  return { organization, key, id: id as string, browser: await enter(organization) }
}

it('lists who booked, by words and in four orders', async () => {
  const { id, browser } = await world()
  expect(wordsOf(await browser.visit('/console/clients'))).toContain('Nobody has booked yet')
  await book(id, SLOT, { invitee_name: 'Zoe Adams', invitee_email: 'zoe@example.com' })
  await book(id, SLOT + HOUR_MS, { invitee_name: 'Ada King', invitee_email: 'ada@example.com' })
  await book(id, SLOT + 2 * HOUR_MS, { invitee_name: 'Ada King', invitee_email: 'ada@example.com' })
  const names = async (query: string) => {
    const { text } = await browser.visit(`/console/clients?${query}`)
    return [...text.matchAll(/row-link[^>]*><bdi>([^<]*)/g)].map(([, name]) => name)
  }
  expect(await names('sort=name')).toEqual(['Ada King', 'Zoe Adams'])
  expect(await names('sort=next')).toEqual(['Zoe Adams', 'Ada King'])
  expect(await names('sort=bookings')).toEqual(['Ada King', 'Zoe Adams'])
  expect(await names('q=adams')).toEqual(['Zoe Adams'])
  expect(await names('q=%25')).toEqual([])
  await book(id, SLOT + 3 * HOUR_MS, { invitee_name: '王 伟', invitee_email: 'wei@example.com' })
  expect(await names('q=王')).toEqual(['王 伟'])
  expect(await names('q=w')).toEqual([])
})

it('keeps notes about a client, and books again for them', async () => {
  const { id, key, browser } = await world()
  const { body } = await book(id, SLOT, { invitee_name: 'Ada King', invitee_email: 'ada@example.com' })
  const booking = await browser.visit(`/console/bookings/${body.id}`)
  const at = '/console/clients/one?contact=ada%40example.com'
  expect(linksOf(booking)).toContain(at)
  const page = await browser.visit(at)
  expect(wordsOf(page)).toContain('1 booking · 0 cancelled · 0 no-shows')
  const saved = await browser.send(page, '/console/clients/one', { notes: 'Ring twice' })
  expect(saved.status).toBe(303)
  expect(wordsOf(await browser.follow(saved))).toContain('Ring twice')
  expect((await call('GET', '/v1/clients/ada@example.com', { key })).body.notes).toBe('Ring twice')
  const again = linksOf(page).find((link) => link.startsWith('/console/bookings/new'))!
  const form = await browser.visit(`${again}&type=${id}`)
  expect(form.text).toMatch(
    /name="email"[^>]*value="ada@example.com"|value="ada@example.com"[^>]*name="email"/,
  )
  const long = await browser.send(page, '/console/clients/one', { notes: 'x'.repeat(10_001) })
  expect([long.status, long.text.includes('notes-error')]).toEqual([422, true])
})

it('shows a client who booked by phone, and none who is unknown', async () => {
  const { id, key, browser } = await world()
  const phone = '+4930901820'
  const input = { event_type_id: id, start_time: new Date(SLOT).toISOString(), invitee_name: 'Eve' }
  const made = await call('POST', '/v1/bookings', {
    key,
    body: { ...input, invitee_email: null, invitee_phone: phone },
  })
  expect(made.status).toBe(201)
  const page = await browser.visit(`/console/clients/one?contact=${encodeURIComponent(phone)}`)
  expect(wordsOf(page)).toContain('Eve')
  expect((await browser.visit('/console/clients/one?contact=nobody%40example.com')).status).toBe(404)
  expect((await browser.visit('/console/clients/one')).status).toBe(404)
})
