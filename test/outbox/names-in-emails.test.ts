import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { addHost } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { lettersTo } from '../support/outbox.ts'

const SLOT = dayFromNow(3) + 36_000_000
/** What mail programs make links of, and the same with U+2060 where they would begin to read an address. */
const NAMES = {
  organization: ['Win.example now', 'Win.\u2060example now'],
  invitee: ['Ada at ada.evil.example', 'Ada at ada.\u2060evil.\u2060example'],
  attendee: ['bob@evil.example', 'bob@\u2060evil.\u2060example'],
  host: ['Gräce.example v1.2', 'Gräce.\u2060example v1.2'],
} as const

async function world() {
  const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
  const { id, testKey: key, liveKey } = organization
  await callAsService('PATCH', `/v1/organizations/${id}`, { body: { name: NAMES.organization[0] } })
  const host = await memberWithRole(organization, 'member')
  await call('PATCH', `/v1/organizations/${id}/members/${host.id}`, {
    key: liveKey,
    body: { name: NAMES.host[0] },
  })
  const { id: eventTypeId } = await createEventType(key, {
    max_attendees: 3,
    assignment_strategy: 'round_robin',
    waitlist_enabled: true,
  })
  await addHost(key, eventTypeId, host.id)
  return { organization, key, eventTypeId, hostEmail: `${host.userId}@example.com` }
}

/** The names as they are nowhere, and as they are in both forms. */
function expectUnlinked(letter: any, ...names: readonly (keyof typeof NAMES)[]) {
  for (const body of [letter.body, letter.html] as string[]) {
    for (const [plain, unlinked] of names.map((name) => NAMES[name])) {
      expect(body).toContain(unlinked)
      expect(body).not.toContain(plain)
    }
  }
}

describe('names in emails', () => {
  it('are not links in the text and the HTML of a booking’s emails, and are as typed in subjects and .ics', async () => {
    const { key, eventTypeId, hostEmail } = await world()
    const attendees = [{ name: NAMES.attendee[0], email: 'bob@example.com' }]
    const body = bookingInput(eventTypeId, SLOT, { invitee_name: NAMES.invitee[0], attendees })
    expect((await call('POST', '/v1/bookings', { key, body })).status).toBe(201)
    const [toInvitee] = await lettersTo(key, 'ada@example.com', 1)
    expectUnlinked(toInvitee, 'organization', 'host')
    const [toHost] = await lettersTo(key, hostEmail, 1)
    expectUnlinked(toHost, 'organization', 'invitee', 'attendee')
    expect(toHost!.body).toContain('(bob@example.com)')
    expect(toHost!.body).toContain('ada@example.com')
    expect(toHost!.subject).toContain(NAMES.invitee[0])
    const files = [toInvitee, toHost].flatMap((letter: any) => letter.attachments)
    expect(files.length).toBeGreaterThan(1)
    for (const { content } of files) expect(content).not.toContain('\u2060')
  })

  it('are not links in emails about a waitlist entry, nor in an invitation', async () => {
    const { organization, key, eventTypeId } = await world()
    const path = `/v1/organizations/${organization.id}/invitations`
    const invited = await callAsService('POST', path, {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
      body: { email: 'new@example.com', role: 'viewer' },
    })
    expect(invited.status).toBe(201)
    const [invitation] = await lettersTo(key, 'new@example.com', 1)
    expectUnlinked(invitation, 'organization')
    expect(invitation!.subject).toContain(NAMES.organization[0])
    const body = { event_type_id: eventTypeId, invitee_name: 'Joan', invitee_email: 'joan@example.com' }
    expect((await call('POST', '/v1/waitlist', { key, body })).status).toBe(201)
    const [waiting] = await lettersTo(key, 'joan@example.com', 1)
    expectUnlinked(waiting, 'organization')
  })
})
