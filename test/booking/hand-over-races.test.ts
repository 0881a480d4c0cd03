import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { bookAsAnother, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { addHost, addHosts } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const TEN = dayFromNow(3) + 10 * HOUR_MS

/** The active bookings whose holds are not exactly those of their host, and the holds that overlap. */
async function wrongIn(organizationId: string) {
  const [unheld, overlapping] = await env.DB.batch<{ id: string }>([
    env.DB.prepare(
      `SELECT b.id FROM bookings b WHERE b.organization_id = ? AND b.status <> 'cancelled' AND (
         SELECT group_concat(resource_id) FROM holds WHERE holder_id = coalesce(b.session_id, b.id))
         IS NOT b.assigned_host_id`,
    ).bind(organizationId),
    env.DB.prepare(
      `SELECT a.holder_id AS id FROM holds a JOIN holds b ON a.resource_id = b.resource_id AND a.holder_id <> b.holder_id
       AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at
       WHERE a.holder_id IN (SELECT coalesce(session_id, id) FROM bookings WHERE organization_id = ?)`,
    ).bind(organizationId),
  ])
  return [...unheld!.results, ...overlapping!.results]
}

it.each([
  ['of single bookings', {}],
  ['of sessions', { max_attendees: 3 }],
])('parallel hand-overs %s and bookings on two hosts lose nothing and overlap nowhere', async (_, input) => {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'least_bookings', ...input })
  const hosts = await addHosts(organization, key, id, 2)
  const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
  for (const host of hosts) await addHost(key, other, host)
  const starts = [0, 1, 2, 3].map((at) => TEN + at * HOUR_MS)
  const booked = await Promise.all(starts.map((start) => bookAsAnother(id, start)))
  const calls = Array.from({ length: 20 }, (_call, at) => {
    const { body } = booked[at % booked.length]!
    const path = `/v1/bookings/${body.id}`
    if (at % 5 === 4) return bookAsAnother(at % 2 ? id : other, starts[at % starts.length]!)
    if (at === 13) return call('POST', `${path}/cancel`, { key })
    return call('POST', `${path}/reassign`, { key, body: at % 3 ? {} : { member_id: hosts[at % 2] } })
  })
  const answers = await Promise.all(calls)
  for (const { status, body } of answers) {
    expect([200, 201, 409], JSON.stringify(body)).toContain(status)
    if (status === 409) expect(['conflict', 'no_host_available']).toContain(body.error.code)
  }
  expect(await wrongIn(organization.id)).toEqual([])
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS count FROM bookings WHERE organization_id = ? AND status <> 'cancelled'",
  )
    .bind(organization.id)
    .all<{ count: number }>()
  const made = answers.filter(({ status }) => status === 201).length
  expect(results[0]!.count).toBe(booked.length + made - 1)
})
