import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { formOf, linksOf, SITE, visit, wordsOf } from '../support/pages.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000

async function setUp() {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.testKey, { title: 'Rehearsal' })
  const { pathname, search } = new URL(eventType.preview_url)
  return { organization, eventType, own: `${pathname}${search}`, pathname }
}

it('opens the page of a test event type by its link alone', async () => {
  const { organization, eventType, own, pathname } = await setUp()
  const page = await visit(own)
  expect([page.status, wordsOf(page)]).toEqual([200, expect.stringContaining('Rehearsal')])
  expect(wordsOf(page)).toContain('This is a preview')
  const twin = await visit(own, { headers: { Accept: 'text/markdown' } })
  expect(twin.text).toContain(`${own}\n`)
  for (const { headers } of [page, twin]) {
    expect([headers.get('x-robots-tag'), headers.get('cache-control')]).toEqual([
      'noindex, nofollow',
      'no-store',
    ])
  }
  const other = await createEventType(organization.testKey)
  const token = new URL(eventType.preview_url).searchParams.get('preview')!
  for (const path of [
    pathname,
    `${pathname}?preview=`,
    `${pathname}?preview=${token.slice(0, -2)}xx`,
    `/book/${organization.slug}/${other.slug}?preview=${token}`,
  ]) {
    expect([path, (await visit(path)).status]).toEqual([path, 404])
  }
})

it("opens on the first open day by the sandbox's clock, also where that is long past", async () => {
  const { organization, own } = await setUp()
  await call('PUT', '/v1/test-data/clock', {
    key: organization.testKey,
    body: { now: '2024-03-11T00:00:00Z' },
  })
  const times = linksOf(await visit(`${own}&tz=UTC`)).filter((href) => href.includes('time='))
  expect(times[0]).toContain('time=2024-03-11')
})

it('is not carried on to pages that it does not open', async () => {
  const { organization, eventType, own } = await setUp()
  const { testKey: key } = organization
  await call('PATCH', `/v1/event-types/${eventType.id}`, { key, body: { active: false } })
  const closed = await visit(own)
  expect(closed.status).toBe(404)
  expect(linksOf(closed)).toContain(`/book/${organization.slug}`)
})

it('leads by links alone to a test booking and back to the page', async () => {
  const { organization, own } = await setUp()
  const day = await visit(`${own}&tz=UTC&date=${iso(SLOT).slice(0, 10)}`)
  const toTime = linksOf(day).find((href) => href.includes(encodeURIComponent(iso(SLOT))))!
  const form = formOf(await visit(toTime), '/book/')
  const filled = { ...form.fields, name: 'Ada', email: 'ada@example.com' }
  const booked = await visit(form.action, { form: filled })
  expect(booked.status).toBe(303)
  expect(wordsOf(await visit(new URL(booked.headers.get('location')!, SITE).href))).toContain(
    'You are booked',
  )
  const { body } = await call('GET', '/v1/bookings', { key: organization.testKey })
  expect(body.data).toMatchObject([{ is_test: true, start_time: iso(SLOT) }])
})

it('a preview address is in every response about a test event type, and in none about a live one', async () => {
  const { organization, eventType } = await setUp()
  const { testKey: key } = organization
  const own = `/v1/event-types/${eventType.id}`
  expect((await call('GET', own, { key })).body.preview_url).toBe(eventType.preview_url)
  const { body: page } = await call('GET', '/v1/event-types', { key })
  expect(page.data[0].preview_url).toBe(eventType.preview_url)
  const { body: renamed } = await call('PATCH', own, { key, body: { slug: 'renamed' } })
  expect(renamed.preview_url).toBe(eventType.preview_url.replace(eventType.slug, 'renamed'))
  const live = await createEventType(organization.liveKey)
  expect(live.preview_url).toBeNull()
})
