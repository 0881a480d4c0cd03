import { describe, expect, it } from 'vitest'
import { ADA, connectAgent, NEXT, START, sandboxFor } from '../support/agent.ts'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dateOf, dayFromNow } from '../support/factories.ts'

const PLACES = [
  { id: 'office', kind: 'in_person', value: '12 Analytical Row' },
  { kind: 'phone_out' },
  { kind: 'phone_in', value: '+44 20 7946 0018' },
]
const PHONE = '+4930901820'

async function offering(input: object = {}) {
  const { key, id } = await sandboxFor({ places: PLACES, ...input })
  const agent = await connectAgent()
  const asked = { event_type_id: id, start_time: START, ...ADA }
  const read = async (made: { id: string }) => (await call('GET', `/v1/bookings/${made.id}`, { key })).body
  return { key, id, agent, asked, read }
}

describe('an agent', () => {
  it('is shown the places beside the open times, without what only those who booked see', async () => {
    const agent = await connectAgent()
    const { liveKey } = await createOrganization()
    const onPage = async (places: readonly object[]): Promise<string> =>
      (await createEventType(liveKey, { booking_page_enabled: true, places })).id
    const date = dateOf(dayFromNow(3))
    const days = { start: date, end: date, timezone: 'Europe/Berlin' }
    const id = await onPage(PLACES)
    const { body } = await agent.call('find_open_times', { event_type_id: id, ...days })
    expect(body.event_type.places).toMatchObject([
      PLACES[0],
      { id: 'phone_out', kind: 'phone_out' },
      { id: 'phone_in', value: null },
    ])
    expect(body.untrusted).toContain('places')
    const without = await agent.call('find_open_times', { event_type_id: await onPage([]), ...days })
    expect(without.body.event_type).not.toHaveProperty('places')
  })

  it('books at one of them, and the refusal names what is missing', async () => {
    const { agent, asked, read } = await offering()
    const nowhere = await agent.call('book', asked)
    expect([nowhere.isError, Object.keys(nowhere.body.error.details)]).toEqual([true, ['place_id']])
    const uncalled = await agent.call('book', { ...asked, place_id: 'phone_out' })
    expect([uncalled.isError, Object.keys(uncalled.body.error.details)]).toEqual([true, ['invitee_phone']])
    const { body } = await agent.call('book', { ...asked, place_id: 'phone_out', invitee_phone: PHONE })
    expect(await read(body)).toMatchObject({ place: { id: 'phone_out' }, invitee_phone: PHONE })
    expect(body.untrusted).toContain('place')
  })

  it('chooses one when it confirms a hold, and another one later with a key', async () => {
    const { key, agent, asked, read } = await offering()
    const { body: held } = await agent.call('hold_time', asked)
    const confirming = { id: held.id, token: held.token, ...ADA, place_id: 'office' }
    const { body } = await agent.call('confirm_hold', confirming)
    expect(await read(body)).toMatchObject({ place: PLACES[0], location: PLACES[0]!.value })
    const owner = await connectAgent(key)
    const changed = { id: body.id, place_id: 'phone_out', invitee_phone: PHONE }
    expect((await owner.call('update_booking', changed)).isError).toBe(false)
    expect(await read(body)).toMatchObject({ place: { id: 'phone_out' }, location: null })
  })

  it('waits for a time at one of them', async () => {
    const { key, agent, asked } = await offering({ waitlist_enabled: true })
    await agent.call('book', { ...asked, start_time: NEXT, place_id: 'office' })
    const waiting = { ...asked, start_time: NEXT, invitee_email: 'bob@example.com' }
    const { body } = await agent.call('join_waitlist', { ...waiting, place_id: 'office' })
    const entry = await call('GET', `/v1/waitlist/${body.id}`, { key })
    expect(entry.body).toMatchObject({ place: PLACES[0] })
  })
})
