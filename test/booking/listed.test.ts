import { describe, expect, it } from 'vitest'
import { connectAgent, insist } from '../support/agent.ts'
import { call } from '../support/app.ts'
import { createEventType, createOrganization } from '../support/factories.ts'
import { visit } from '../support/pages.ts'

describe('an event type that is not listed', () => {
  it('is in no list for invitees, but on its own page', async () => {
    const { liveKey: key, slug } = await createOrganization()
    const shown = await createEventType(key, { booking_page_enabled: true })
    const hidden = await createEventType(key, { booking_page_enabled: true, listed: false })
    expect([shown.listed, hidden.listed]).toEqual([true, false])
    const listing = async () => {
      const { body } = await call('GET', `/v1/public/booking-page/${slug}`)
      return body.event_types.map(({ id }: { id: string }) => id)
    }
    expect(await listing()).toEqual([shown.id])
    const page = await call('GET', `/v1/public/booking-page/${slug}/${hidden.slug}`)
    expect(page.body.available).toBe(true)
    const robots = async (one: { slug: string }) =>
      (await visit(`/book/${slug}/${one.slug}`)).text.includes(
        '<meta name="robots" content="noindex, nofollow"',
      )
    expect([await robots(shown), await robots(hidden)]).toEqual([false, true])
    await call('PATCH', `/v1/event-types/${hidden.id}`, { key, body: { listed: true } })
    expect((await listing()).sort()).toEqual([shown.id, hidden.id].sort())
    await call('PATCH', `/v1/event-types/${hidden.id}`, { key, body: { listed: false } })
    expect(await listing()).toEqual([shown.id])
    const filtered = await call('GET', '/v1/event-types?listed=false', { key })
    expect(filtered.body.data.map(({ id }: { id: string }) => id)).toEqual([hidden.id])
  })

  it('is not found by agents, with a key or without', async () => {
    const { liveKey: key, slug } = await createOrganization()
    const shown = await createEventType(key, { booking_page_enabled: true })
    await createEventType(key, { booking_page_enabled: true, listed: false })
    for (const [agent, args] of [
      [await connectAgent(key), {}],
      [await connectAgent(), { organization: slug }],
    ] as const) {
      const { body } = await insist(agent, 'find_event_types', args)
      expect(body.event_types.map(({ id }: { id: string }) => id)).toEqual([shown.id])
    }
  })
})
