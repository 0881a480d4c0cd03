import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { selectDueAgendas } from '../../src/delivery/agenda/queries.ts'
import { sendAgendas } from '../../src/delivery/agenda/send-agendas.ts'
import { unseal } from '../../src/platform/auth/secret.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { Email } from '../../src/platform/email/email-sender.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { addHost, createMember, leftByFirst } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(4)

async function patchMember(organization: Organization, id: string, body: Record<string, unknown>) {
  const path = `/v1/organizations/${organization.id}/members/${id}`
  expect((await call('PATCH', path, { key: organization.liveKey, body })).status).toBe(200)
}

async function owned(input: { timezone?: string } = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail, ...input })
  const { body } = await call('GET', `/v1/organizations/${organization.id}/members`, {
    key: organization.liveKey,
  })
  const ownerId = body.data[0].id as string
  await patchMember(organization, ownerId, { notifications: { daily_agenda: true } })
  return { organization, ownerEmail, ownerId }
}

/** What is sent to whom when the agendas are due at that instant. */
async function agendasAt(now: number, ...memberIds: string[]): Promise<Email[]> {
  const db = openDb(env, 'decide')
  const due = memberIds.map((id) =>
    env.DB.prepare('UPDATE members SET next_agenda_at = ? WHERE id = ?').bind(now, id),
  )
  await env.DB.batch(due)
  const found = (await selectDueAgendas(db, now as RealMs)).filter(({ member: { id } }) =>
    memberIds.includes(id),
  )
  expect(found).toHaveLength(memberIds.length)
  await env.DB.prepare('DELETE FROM emails').run()
  await sendAgendas(env, db, found, now as RealMs)
  await sendAgendas(env, db, found, now as RealMs)
  const { results } = await env.DB.prepare('SELECT message FROM emails').all<{ message: string }>()
  return Promise.all(
    results.map(async ({ message }) => JSON.parse(await unseal(env.ENCRYPTION_KEY, message))),
  )
}

async function nextOf(id: string): Promise<number> {
  return (await env.DB.prepare('SELECT next_agenda_at AS at FROM members WHERE id = ?')
    .bind(id)
    .first<number>('at'))!
}

describe('the email about the day', () => {
  it('lists what the owner and the event types without hosts have that day, in its order, once', async () => {
    const { organization, ownerEmail, ownerId } = await owned()
    const key = organization.liveKey
    const { id } = await createEventType(key, { title: 'Tea', location: 'Room 4', reminder_intervals: [] })
    const hosted = await createEventType(key, { title: 'Hosted', assignment_strategy: 'round_robin' })
    const member = await createMember(organization)
    await addHost(key, hosted.id, member.id)
    const group = await createEventType(key, { title: 'Class', max_attendees: 5 })
    await bookAsAnother(id, DAY + 15 * HOUR_MS, { invitee_name: 'Late' })
    await bookAsAnother(id, DAY + 9 * HOUR_MS, { invitee_name: 'Early' })
    await bookAsAnother(id, DAY + 33 * HOUR_MS, { invitee_name: 'Tomorrow' })
    await bookAsAnother(id, DAY - HOUR_MS, { invitee_name: 'Yesterday' })
    await bookAsAnother(hosted.id, DAY + 10 * HOUR_MS, { invitee_name: 'Theirs' })
    for (const invitee_name of ['One', 'Two'])
      await bookAsAnother(group.id, DAY + 12 * HOUR_MS, { invitee_name })
    const { body: cancelled } = await bookAsAnother(id, DAY + 17 * HOUR_MS, { invitee_name: 'Gone' })
    await call('POST', `/v1/bookings/${cancelled.id}/cancel`, { key, body: {} })

    const [letter, ...more] = await agendasAt(DAY + 6 * HOUR_MS, ownerId)
    expect(more).toEqual([])
    expect(letter!.to).toBe(ownerEmail)
    expect(letter!.subject).toMatch(/^4 bookings today, \w{3}, /)
    const names = [...letter!.text.matchAll(/^(Early|One|Two|Late|Tomorrow|Yesterday|Theirs|Gone)$/gm)].map(
      ([name]) => name,
    )
    expect(names).toEqual(['Early', 'One', 'Two', 'Late'])
    expect(letter!.text).toMatch(/^Tea:\n9:00\sAM – 9:30\sAM\nEarly\nRoom 4$/m)
    expect(letter!.text).toContain('Coordinated Universal Time (UTC)')
    expect(letter!.text).toContain(`${env.PUBLIC_URL}/console/bookings`)
    expect(await nextOf(ownerId)).toBe(DAY + 30 * HOUR_MS)
  })

  it("goes to a host by the day of their own zone, in their language, and names the place's clock", async () => {
    const { organization } = await owned()
    const key = organization.liveKey
    const place = { conferencing_provider: 'in_person', location: 'Boston', timezone: 'America/New_York' }
    const { id } = await createEventType(key, { title: 'Tea', assignment_strategy: 'round_robin', ...place })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { timezone: 'America/New_York' } })
    const member = await createMember(organization)
    await addHost(key, id, member.id)
    await patchMember(organization, member.id, {
      locale: 'de',
      timezone: 'Asia/Tokyo',
      notifications: { daily_agenda: true },
    })
    // In Tokyo it is 23:00 of that day, in UTC 14:00; an hour later it is another day there.
    await bookAsAnother(id, DAY + 14 * HOUR_MS, { invitee_name: 'Today' })
    await bookAsAnother(id, DAY + 15 * HOUR_MS, { invitee_name: 'Tomorrow' })
    const six = DAY - 3 * HOUR_MS
    const [letter] = await agendasAt(six, member.id)
    expect(letter!.to).toBe(`${member.userId}@example.com`)
    expect(letter!.subject).toMatch(/^1 Termin heute, /)
    expect(letter!.text).toMatch(/^Tea:\n23:00 – 23:30\n.* \d{1,2}:00 – \d{1,2}:30 GMT-[45]\nToday\nBoston$/m)
    expect(letter!.text).not.toContain('Tomorrow')
    expect(letter!.text).toContain('(Asia/Tokyo)')
    expect(await nextOf(member.id)).toBe(six + 24 * HOUR_MS)
  })

  it('leaves out who began a session of theirs and moved to that of another host', async () => {
    const { organization } = await owned()
    const { host } = await leftByFirst(organization, DAY + 10 * HOUR_MS)
    await patchMember(organization, host, { notifications: { daily_agenda: true } })
    const [letter] = await agendasAt(DAY + 6 * HOUR_MS, host)
    expect(letter!.subject).toMatch(/^1 booking today, /)
  })

  it('is not sent for an empty day, for a day that is half over, or to members who switched it off', async () => {
    const { organization, ownerId } = await owned()
    const { id } = await createEventType(organization.liveKey)
    expect(await agendasAt(DAY + 6 * HOUR_MS, ownerId)).toEqual([])
    expect(await nextOf(ownerId)).toBe(DAY + 30 * HOUR_MS)
    await bookAsAnother(id, DAY + 20 * HOUR_MS)
    const db = openDb(env, 'decide')
    await env.DB.prepare('UPDATE members SET next_agenda_at = ? WHERE id = ?')
      .bind(DAY + 6 * HOUR_MS, ownerId)
      .run()
    const late = (DAY + 19 * HOUR_MS) as RealMs
    const due = (await selectDueAgendas(db, late)).filter(({ member }) => member.id === ownerId)
    await sendAgendas(env, db, due, late)
    expect(await env.DB.prepare('SELECT * FROM emails').first()).toBeNull()
    expect(await nextOf(ownerId)).toBe(DAY + 30 * HOUR_MS)
    await patchMember(organization, ownerId, { notifications: { daily_agenda: false } })
    expect(await nextOf(ownerId)).toBeNull()
  })

  it('is sent by the sweep when it is due', async () => {
    const { ownerId } = await owned()
    await env.DB.prepare('UPDATE members SET next_agenda_at = 1 WHERE id = ?').bind(ownerId).run()
    const now = Date.now()
    await sweep(env, now)
    expect(await nextOf(ownerId)).toBeGreaterThan(now)
  })
})
