import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function personOf(organization: Organization) {
  const email = `${unique('ada')}@example.com`
  const { id } = await createEventType(organization.liveKey)
  expect((await book(id, SLOT, { invitee_email: email })).status).toBe(201)
  return { email, eventTypeId: id as string, path: `/v1/people/${encodeURIComponent(email)}` }
}

function ask(key: string, message: string, subject = 'Help') {
  return call('POST', '/v1/support', { key, body: { subject, message, category: 'question' } })
}

describe('erasing a person', () => {
  it('takes their address in any letter case out of support requests, and leaves the other words', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { email, path } = await personOf(organization)
    await ask(key, `Refund ${email.toUpperCase()} please, not n${email}`, `About ${email}`)
    await ask(key, 'Something else')
    const { body } = await call('DELETE', path, { key })
    expect(body.erased.support_requests).toBe(1)
    const { data } = (await call('GET', '/v1/support', { key })).body
    expect(data.map(({ subject, message }: any) => [subject, message])).toEqual([
      ['Help', 'Something else'],
      ['About [erased]', `Refund [erased] please, not n${email}`],
    ])
  })

  it('takes it out of quotes, lists and links, and leaves addresses that end like it', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { email, path } = await personOf(organization)
    await ask(
      key,
      `'${email}' *${email}* -${email} /people?email=${email} o'${email} x--${email} r&d+${email}`,
    )
    await call('DELETE', path, { key })
    const { data } = (await call('GET', '/v1/support', { key })).body
    const others = `o'${email} x--${email} r&d+${email}`
    expect(data[0].message).toBe(`'[erased]' *[erased]* -[erased] /people?email=[erased] ${others}`)
  })

  it('takes it out of the reasons and external ids of time off, live and test apart', async () => {
    const organization = await createOrganization()
    const { email, path } = await personOf(organization)
    const { id } = await createMember(organization)
    const off = (key: string) =>
      call('POST', '/v1/time-off', {
        key,
        body: {
          member_ids: [id],
          start: '2030-01-01',
          end: '2030-01-02',
          reason: `Visit of ${email}`,
          external_id: `visit/${email}`,
        },
      })
    for (const key of [organization.liveKey, organization.testKey]) expect((await off(key)).status).toBe(201)
    const { body } = await call('DELETE', path, { key: organization.liveKey })
    expect(body.erased.time_off).toBe(1)
    const read = async (key: string) => {
      const { data } = (await call('GET', `/v1/time-off?member_id=${id}`, { key })).body
      return data.map(({ reason, external_id }: any) => [reason, external_id])
    }
    expect(await read(organization.liveKey)).toEqual([['Visit of [erased]', 'visit/[erased]']])
    expect(await read(organization.testKey)).toEqual([[`Visit of ${email}`, `visit/${email}`]])
    const { data: log } = (await call('GET', '/v1/activity?limit=100', { key: organization.liveKey })).body
    expect(JSON.stringify(log)).not.toContain(email)
  })

  it('takes it out of the keys of idempotency, of members and of callers without a key', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { email, path, eventTypeId } = await personOf(organization)
    const named = `booking/${email.toUpperCase()}/1`
    const other = { invitee_email: `${unique('grace')}@example.com` }
    for (const [at, caller] of [key, undefined].entries()) {
      const made = await call('POST', '/v1/bookings', {
        ...(caller && { key: caller }),
        headers: { 'Idempotency-Key': named },
        body: bookingInput(eventTypeId, SLOT + (at + 1) * HOUR_MS, other),
      })
      expect(made.status).toBe(201)
    }
    const { body } = await call('DELETE', path, { key })
    expect(body.erased.kept_answers).toBe(2)
    const { results } = await env.DB.prepare('SELECT key FROM idempotency_keys').all<{ key: string }>()
    const keys = results.map((row) => row.key)
    expect(keys.filter((each) => each.toLowerCase().includes(email))).toEqual([])
    expect(keys.filter((each) => each === 'booking/[erased]/1').length).toBe(2)
  })

  it('names what is kept and why, and reading says the same', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { email, path, eventTypeId } = await personOf(organization)
    await call('PATCH', `/v1/event-types/${eventTypeId}`, { key, body: { description: `Ask ${email}` } })
    await call('POST', `/v1/organizations/${organization.id}/invitations`, {
      key,
      body: { email: email.toUpperCase(), role: 'viewer' },
    })
    await ask(key, `For ${email}`)
    const { body: read } = await call('GET', path, { key })
    expect(read.support_requests.map(({ message }: any) => message)).toEqual([`For ${email}`])
    const { body: erased } = await call('DELETE', path, { key })
    expect(erased.kept).toEqual(read.kept)
    expect(erased.kept.map(({ what }: any) => what)).toEqual([
      'invitations',
      'event_types',
      'sent',
      'answers',
      'backups',
    ])
    for (const { why } of erased.kept) expect(why).toMatch(/^[A-Z].*\.$/)
    const { body: again } = await call('DELETE', path, { key })
    expect(again.kept.map(({ what }: any) => what)).toEqual(['invitations', 'event_types'])
    const left = await call('GET', path, { key })
    expect([left.status, left.body.support_requests, left.body.bookings]).toEqual([200, [], []])
  })

  it('finds a person who is named only in time off', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const email = `${unique('ada')}@example.com`
    const { id } = await createMember(organization)
    await call('POST', '/v1/time-off', {
      key,
      body: { member_ids: [id], start: '2030-01-01', end: '2030-01-02', reason: `With ${email}` },
    })
    const path = `/v1/people/${email}`
    const { status, body } = await call('GET', path, { key })
    expect([status, body.time_off.map(({ reason }: any) => reason)]).toEqual([200, [`With ${email}`]])
    expect((await call('DELETE', path, { key })).body.erased.time_off).toBe(1)
    expect((await call('GET', path, { key })).status).toBe(404)
  })

  it('reports for an unknown address that it changed nothing', async () => {
    const { liveKey: key } = await createOrganization()
    const { body } = await call('DELETE', `/v1/people/${unique('nobody')}@example.com`, { key })
    expect(body.kept).toEqual([])
    expect(Object.values(body.erased).every((count) => count === 0)).toBe(true)
  })
})
