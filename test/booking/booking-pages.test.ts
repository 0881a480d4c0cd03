import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { createEventType, createOrganization, unique } from '../support/factories.ts'

const BRANDING = {
  logo_url: null,
  logo_alt_text: null,
  logo_dark_url: null,
  accent_color: null,
  imprint_url: null,
  privacy_url: null,
  remove_branding: false,
  listing_page_enabled: true,
}

function page(path: string) {
  return call('GET', `/v1/public/booking-page/${path}`)
}

function suspend(id: string, suspended = true) {
  return callAsService('PATCH', `/v1/organizations/${id}`, { body: { suspended } })
}

describe("an organization's page", () => {
  it('lists what can be booked, with exactly these fields, by title', async () => {
    const organization = await createOrganization()
    const made = []
    for (const title of ['Zebra', 'Alpha', 'Middle']) {
      made.push(
        await createEventType(organization.liveKey, {
          title,
          booking_page_enabled: true,
          description: `About ${title}`,
          color: '#123456',
          location: 'Here',
          conferencing_provider: 'custom',
          custom_meeting_url: 'https://meet.example.com/secret',
        }),
      )
    }
    const [zebra, alpha, middle] = made
    const { status, body } = await page(organization.slug)
    expect(status).toBe(200)
    expect(body).toEqual({
      available: true,
      org_name: expect.stringMatching(/^Acme/),
      org_slug: organization.slug,
      event_types: [alpha, middle, zebra].map((eventType) => ({
        id: eventType.id,
        title: eventType.title,
        slug: eventType.slug,
        description: eventType.description,
        duration_minutes: 30,
        color: '#123456',
        price_amount: null,
        price_currency: 'usd',
        conferencing_provider: 'custom',
        location: 'Here',
        group: null,
        requires_approval: false,
      })),
      has_more: false,
      branding: BRANDING,
    })
  })

  it('keeps the order that was chosen, and sorts by title otherwise', async () => {
    const organization = await createOrganization()
    for (const [title, position] of [
      ['Beta', 2],
      ['Delta', 1],
      ['Alpha', 2],
    ] as const) {
      await createEventType(organization.liveKey, {
        title,
        position,
        group: 'Calls',
        booking_page_enabled: true,
      })
    }
    const { body } = await page(organization.slug)
    expect(body.event_types.map(({ title, group }: any) => [title, group])).toEqual([
      ['Delta', 'Calls'],
      ['Alpha', 'Calls'],
      ['Beta', 'Calls'],
    ])
  })

  it("orders titles as people of the organization's language look them up", async () => {
    const organization = await createOrganization()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { locale: 'de' } })
    for (const title of ['Zebra', 'mole', 'Ökotag', 'Panda', 'apple']) {
      await createEventType(organization.liveKey, { title, booking_page_enabled: true })
    }
    const { body } = await page(organization.slug)
    expect(body.event_types.map(({ title }: any) => title)).toEqual([
      'apple',
      'mole',
      'Ökotag',
      'Panda',
      'Zebra',
    ])
  })

  it('leaves out what is inactive, has no page, is deleted, is test data or belongs to others', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { liveKey: key, testKey } = organization
    const shown = await createEventType(key, { booking_page_enabled: true })
    await createEventType(key, { booking_page_enabled: true, active: false })
    await createEventType(key, { booking_page_enabled: false })
    await createEventType(testKey, { booking_page_enabled: true })
    await createEventType(neighbour.liveKey, { booking_page_enabled: true })
    const deleted = await createEventType(key, { booking_page_enabled: true })
    await call('DELETE', `/v1/event-types/${deleted.id}`, { key })
    const { body } = await page(organization.slug)
    expect(body.event_types.map(({ id }: { id: string }) => id)).toEqual([shown.id])
  })

  it('is there without anything to book', async () => {
    const { slug } = await createOrganization()
    const { status, body } = await page(slug)
    expect([status, body.available, body.event_types]).toEqual([200, true, []])
  })

  it('says only that it is unavailable while the organization is suspended', async () => {
    const { id, slug, liveKey } = await createOrganization()
    await createEventType(liveKey, { booking_page_enabled: true })
    await suspend(id)
    const { status, body } = await page(slug)
    expect([status, body]).toEqual([200, { available: false, branding: BRANDING }])
    await suspend(id, false)
    expect((await page(slug)).body.available).toBe(true)
  })

  it('moves with the slug', async () => {
    const { id, slug } = await createOrganization()
    const renamed = unique('renamed')
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { slug: renamed, name: 'Renamed' } })
    expect((await page(slug)).status).toBe(404)
    expect((await page(renamed)).body).toMatchObject({ org_name: 'Renamed', org_slug: renamed })
  })

  it('shows the branding', async () => {
    const { id, slug, liveKey } = await createOrganization()
    const { slug: eventSlug } = await createEventType(liveKey, { booking_page_enabled: true })
    await env.DB.prepare(
      "UPDATE organizations SET logo_url = 'https://example.com/logo.png', logo_alt_text = 'Logo', remove_branding = 1, listing_page_enabled = 0 WHERE id = ?",
    )
      .bind(id)
      .run()
    const branding = {
      logo_url: 'https://example.com/logo.png',
      logo_alt_text: 'Logo',
      logo_dark_url: null,
      accent_color: null,
      imprint_url: null,
      privacy_url: null,
      remove_branding: true,
      listing_page_enabled: false,
    }
    expect((await page(slug)).body.branding).toEqual(branding)
    expect((await page(`${slug}/${eventSlug}`)).body.branding).toEqual(branding)
  })
})

describe("an event type's page", () => {
  it('has exactly these fields', async () => {
    const { slug, liveKey } = await createOrganization({ timezone: 'Europe/Berlin' })
    const eventType = await createEventType(liveKey, {
      booking_page_enabled: true,
      duration_options: [30, 60],
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/secret',
    })
    const { status, body } = await page(`${slug}/${eventType.slug}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      available: true,
      org_slug: slug,
      event_type: {
        id: eventType.id,
        title: eventType.title,
        slug: eventType.slug,
        description: null,
        duration_minutes: 30,
        color: '#3b82f6',
        timezone: 'Europe/Berlin',
        price_amount: null,
        price_currency: 'usd',
        duration_options: [30, 60],
        max_attendees: 1,
        waitlist_enabled: false,
        waitlist_max: 50,
        waitlist_ttl_days: 7,
        max_guests: 3,
        series_max: 0,
        places: [],
        verify_email: false,
        questions: [],
        host_choice: 'none',
        cancel_notice_minutes: 0,
        reschedule_notice_minutes: 0,
        refund_policy: [],
        conferencing_provider: 'custom',
        location: null,
        group: null,
        requires_approval: false,
        created_at: eventType.created_at,
        updated_at: expect.any(String),
      },
      branding: BRANDING,
    })
  })

  it('says only that it is unavailable while it is inactive, switched off or its organization suspended', async () => {
    const { id, slug, liveKey: key } = await createOrganization()
    const eventType = await createEventType(key, { booking_page_enabled: true })
    const path = `${slug}/${eventType.slug}`
    const change = (body: object) => call('PATCH', `/v1/event-types/${eventType.id}`, { key, body })
    const unavailable = [200, { available: false, branding: BRANDING }]
    const seen = async () => {
      const { status, body } = await page(path)
      return [status, body]
    }
    await change({ active: false })
    expect(await seen()).toEqual(unavailable)
    await change({ active: true, booking_page_enabled: false })
    expect(await seen()).toEqual(unavailable)
    await change({ booking_page_enabled: true })
    expect((await page(path)).body.available).toBe(true)
    await suspend(id)
    expect(await seen()).toEqual(unavailable)
    await suspend(id, false)
    expect((await page(path)).body.available).toBe(true)
  })

  it('is 404 when it is unknown, deleted, test data or of another organization', async () => {
    const { id, slug, liveKey, testKey } = await createOrganization()
    const neighbour = await createOrganization()
    const mine = await createEventType(liveKey, { booking_page_enabled: true })
    const deleted = await createEventType(liveKey, { booking_page_enabled: true })
    await call('DELETE', `/v1/event-types/${deleted.id}`, { key: liveKey })
    const sandboxed = await createEventType(testKey, { booking_page_enabled: true })
    const paths = [
      'no-such-organization',
      `no-such-organization/${mine.slug}`,
      `${slug}/no-such-event`,
      `${slug}/${deleted.slug}`,
      `${slug}/${sandboxed.slug}`,
      `${neighbour.slug}/${mine.slug}`,
      slug.toUpperCase(),
      `${slug}/${mine.slug.toUpperCase()}`,
      `${slug}/${'a'.repeat(64)}`,
      id,
    ]
    for (const path of paths) {
      const { status, body } = await page(path)
      expect([path, status, body.error.code]).toEqual([path, 404, 'not_found'])
    }
    await suspend(id)
    expect((await page(`${slug}/no-such-event`)).status).toBe(404)
  })

  it('shows the live event type if test data has the same slug', async () => {
    const { slug, liveKey, testKey } = await createOrganization()
    const shared = unique('shared')
    await createEventType(testKey, { slug: shared, booking_page_enabled: true })
    const live = await createEventType(liveKey, { slug: shared, booking_page_enabled: true })
    expect((await page(`${slug}/${shared}`)).body.event_type.id).toBe(live.id)
  })
})
