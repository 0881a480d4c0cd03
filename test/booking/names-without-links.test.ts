import { describe, expect, it } from 'vitest'
import { connectAgent } from '../support/agent.ts'
import { call, callAsService } from '../support/app.ts'
import { enter } from '../support/console.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'

const SLOT = dayFromNow(3) + 36_000_000
const SENTENCE = 'Must not contain a web address (:// or www.).'
const LINKS = [
  'Win at https://evil.example',
  'HTTP://evil.example',
  'www.evil.example',
  'See WWW.evil.example',
  'Ada ｗｗｗ．evil.example',
  'w\u200bww.evil.example',
  'Ada hxxp：／／evil.example',
]
const PLAIN = ['Dr. Ada Lovelace', 'Acme.io', 'a@b.example', 'w.w.w. Holding', 'Ada / Bob: friends']

function wrong(details: Record<string, string>) {
  return { status: 400, body: { error: { code: 'validation_error', details } } }
}

async function world() {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, {
    max_attendees: 5,
    waitlist_enabled: true,
    assignment_strategy: 'none',
  })
  return { organization, eventType, key: organization.liveKey }
}

describe('a name with a link in it', () => {
  it.each(LINKS)('is rejected for an organization: %s', async (name) => {
    const body = { name, owner_user_id: unique('owner'), slug: unique('acme') }
    expect(await callAsService('POST', '/v1/organizations', { body })).toMatchObject(
      wrong({ name: SENTENCE }),
    )
    const { id } = await createOrganization()
    const patched = await callAsService('PATCH', `/v1/organizations/${id}`, { body: { name } })
    expect(patched).toMatchObject(wrong({ name: SENTENCE }))
  })

  it.each(LINKS)('is rejected for an invitee, with and without a key: %s', async (name) => {
    const { eventType, key } = await world()
    for (const way of [{}, { key }]) {
      const body = bookingInput(eventType.id, SLOT, { invitee_name: name })
      expect(await call('POST', '/v1/bookings', { body, ...way })).toMatchObject(
        wrong({ invitee_name: SENTENCE }),
      )
    }
  })

  it('is rejected for attendees, waitlist entries, confirmed holds and members', async () => {
    const { organization, eventType, key } = await world()
    const [, , name] = LINKS as [string, string, string]
    const attendees = [{ name, email: 'grace@example.com' }]
    const booked = await call('POST', '/v1/bookings', {
      body: bookingInput(eventType.id, SLOT, { attendees }),
    })
    expect(booked).toMatchObject(wrong({ 'attendees.0.name': SENTENCE }))
    const waiting = { event_type_id: eventType.id, invitee_name: name, invitee_email: 'ada@example.com' }
    const joined = await call('POST', '/v1/waitlist', { body: { ...waiting, start_time: iso(SLOT) } })
    expect(joined.body.error.details).toMatchObject({ invitee_name: SENTENCE })
    const hold = await call('POST', '/v1/holds', {
      body: { event_type_id: eventType.id, start_time: iso(SLOT) },
    })
    const confirmed = await call('POST', `/v1/holds/${hold.body.id}/confirm`, {
      body: { token: hold.body.token, invitee_name: name, invitee_email: 'ada@example.com' },
      headers: { Authorization: `Bearer ${hold.body.token}` },
    })
    expect(confirmed.body.error.details).toMatchObject({ invitee_name: SENTENCE })
    const member = await memberWithRole(organization, 'member')
    const path = `/v1/organizations/${organization.id}/members/${member.id}`
    expect(await call('PATCH', path, { key, body: { name } })).toMatchObject(wrong({ name: SENTENCE }))
  })

  it('is refused to agents, on the booking page and in the console', async () => {
    const { organization, eventType } = await world()
    const agent = await connectAgent()
    const told = await agent.call('book', bookingInput(eventType.id, SLOT, { invitee_name: LINKS[0] }))
    expect(JSON.stringify(told.text)).toContain(SENTENCE)
    const browser = await enter(organization)
    const form = await browser.visit('/console/settings')
    const page = await browser.send(form, '/console/settings', { name: LINKS[0]! })
    expect(page.status).toBe(422)
    expect(page.text).toContain(SENTENCE)
  })
})

describe('a name with dots, slashes and an at sign', () => {
  it.each(PLAIN)('is taken as it is: %s', async (name) => {
    const { eventType } = await world()
    const { status, body } = await call('POST', '/v1/bookings', {
      body: bookingInput(eventType.id, SLOT, { invitee_name: name }),
    })
    expect([status, body.invitee_name]).toEqual([201, name])
  })
})
