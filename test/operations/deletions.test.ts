import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { deleteToTheEnd, deletionPath, followAt } from '../support/deletions.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'
import { emailsOf as readyLettersOf } from '../support/lost-calendars.ts'
import { userWithRole } from '../support/members.ts'
import { exportTextOf, importText } from '../support/moves.ts'
import { bookPaid, createPaid, pay } from '../support/payments.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 9 * HOUR_MS
const HOST = { ownerEmail: 'owner@example.com' }

const ask = ({ id }: Organization, query = '') => callAsService('DELETE', `${deletionPath(id)}${query}`)
const withdraw = ({ id }: Organization) => callAsService('DELETE', `${deletionPath(id)}/deletion`)
const asUser = (userId: string) => ({ headers: { 'X-User-Id': userId } })

async function emailsOf({ id }: Organization): Promise<number> {
  const letters = env.DB.prepare('SELECT count(*) AS n FROM posted_letters WHERE organization_id = ?')
  return (await letters.bind(id).first<number>('n'))!
}

async function handled({ id }: Organization): Promise<void> {
  await vi.waitFor(async () => {
    const open = env.DB.prepare(
      'SELECT count(*) AS n FROM events WHERE handled_at IS NULL AND organization_id = ?',
    )
    expect(await open.bind(id).first('n')).toBe(0)
  }, 10_000)
}

describe('an organization that is to be deleted', () => {
  it('is suspended at once, says until when it can be taken back, and answers the same again', async () => {
    const organization = await createOrganization(HOST)
    const { id } = await createEventType(organization.liveKey)
    const answers = await Promise.all([ask(organization), ask(organization), ask(organization)])
    const [{ status, body }] = answers
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        organization_id: organization.id,
        status: 'scheduled',
        requested_by: 'operator',
        moved: false,
        requested_at: expect.any(String),
        deletes_at: new Date(Date.parse(body.requested_at) + 7 * DAY_MS).toISOString(),
      },
    })
    expect(answers.map((answer) => answer.body)).toEqual([body, body, body])
    expect((await callAsService('GET', `${deletionPath(organization.id)}/deletion`)).body).toEqual(body)
    expect(await emailsOf(organization)).toBe(1)

    expect((await book(id, SLOT)).body.error.code).toBe('org_suspended')
    const page = await call('GET', `/v1/public/booking-page/${organization.slug}`)
    expect(page.body).toMatchObject({ available: false })
    expect((await call('GET', '/v1/bookings', { key: organization.liveKey })).status).toBe(200)
    const log = await call('GET', '/v1/activity?limit=100', { key: organization.liveKey })
    const asked = log.body.data.filter(({ action }: any) => action === 'organization.deletion_requested')
    expect(asked).toHaveLength(1)
  })

  it('is announced in a subject of limited length, however long its name', async () => {
    const organization = await createOrganization(HOST)
    const name = 'x'.repeat(200)
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { name } })
    await ask(organization)
    const [letter] = await readyLettersOf(organization)
    expect(letter!.subject).toBe(`${'x'.repeat(59)}… will be deleted`)
  })

  it('can be neither moved nor reinstated, and is unchanged after a cancelled deletion', async () => {
    const organization = await createOrganization(HOST)
    const { id } = await createEventType(organization.liveKey)
    await ask(organization)
    const patched = await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { suspended: false },
    })
    const moved = await callAsService('PUT', `/v1/operator/moves/${organization.id}`)
    expect([patched.status, moved.status]).toEqual([409, 409])
    const answers = await Promise.all([withdraw(organization), withdraw(organization)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await book(id, SLOT)).status).toBe(201)
    expect(await followAt(organization.id, Date.now() + 30 * DAY_MS)).toBe(false)
    expect((await call('GET', '/v1/bookings', { key: organization.liveKey })).body.data).toHaveLength(1)
  })

  it('stays suspended where it was before', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const path = `/v1/organizations/${organization.id}`
    await callAsService('PATCH', path, { body: { suspended: true } })
    await ask(organization)
    await withdraw(organization)
    expect((await book(id, SLOT)).body.error.code).toBe('org_suspended')
  })

  it('can be deleted and kept by its owner, but not kept if the operator deletes it', async () => {
    const organization = await createOrganization(HOST)
    const admin = await userWithRole(organization, 'admin')
    const path = deletionPath(organization.id)
    expect((await callAsService('DELETE', path, asUser(admin))).status).toBe(403)
    const owner = asUser(organization.ownerUserId)
    expect((await callAsService('DELETE', `${path}?grace_days=0`, owner)).status).toBe(403)
    expect((await callAsService('DELETE', path, owner)).body).toMatchObject({ requested_by: 'owner' })
    expect((await callAsService('DELETE', `${path}/deletion`, asUser(admin))).status).toBe(403)
    expect((await callAsService('DELETE', `${path}/deletion`, owner)).status).toBe(204)
    await ask(organization)
    expect((await callAsService('DELETE', `${path}/deletion`, owner)).status).toBe(403)
  })

  it('cancels upcoming bookings, notifies everybody, refunds what the policy says, and leaves past bookings', async () => {
    const refund_policy = [{ until_minutes_before: 60, percent: 50 }]
    const { organization, eventTypeId } = await createPaid({ refund_policy })
    const paid = await bookPaid(eventTypeId, SLOT)
    await pay(paid.intentId)
    const past = await bookAsAnother((await createEventType(organization.liveKey)).id, SLOT)
    await env.DB.prepare('UPDATE bookings SET start_time = 1, end_time = 2 WHERE id = ?')
      .bind(past.body.id)
      .run()
    await handled(organization)
    await ask(organization)
    expect(await followAt(organization.id, Date.now())).toBe(true)
    await handled(organization)
    const bookings = await call('GET', '/v1/bookings', { key: organization.liveKey })
    expect(bookings.body.data).toMatchObject([
      { id: past.body.id, status: 'confirmed' },
      { id: paid.id, status: 'cancelled', cancel_reason: 'The organization closes' },
    ])
    const told = env.DB.prepare(
      "SELECT count(*) AS n FROM events WHERE kind = 'booking.cancelled' AND organization_id = ?",
    )
    expect(await told.bind(organization.id).first('n')).toBe(1)
    const refunds = env.DB.prepare('SELECT amount, cause FROM refunds WHERE organization_id = ?')
    expect((await refunds.bind(organization.id).all()).results).toEqual([{ amount: 2_500, cause: 'policy' }])
  })

  it('is deleted on its day, but not while notifications are pending, nor with anything of others', async () => {
    const [organization, other] = [await createOrganization(HOST), await createOrganization(HOST)]
    const [own, others] = [await createEventType(organization.liveKey), await createEventType(other.liveKey)]
    await Promise.all([bookAsAnother(own.id, SLOT), bookAsAnother(others.id, SLOT)])
    await ask(organization)
    await handled(organization)
    const untold = (handledAt: number | null) =>
      env.DB.prepare('UPDATE events SET handled_at = ? WHERE organization_id = ?')
        .bind(handledAt, organization.id)
        .run()
    const due = Date.now() + 7 * DAY_MS + HOUR_MS
    expect(await followAt(organization.id, Date.now())).toBe(true)
    await handled(organization)
    await untold(null)
    await followAt(organization.id, due)
    expect((await ask(organization)).body.status).toBe('scheduled')
    await untold(1)
    await followAt(organization.id, due + HOUR_MS)
    expect((await ask(organization)).body.status).toBe('deleting')
    expect((await withdraw(organization)).status).toBe(409)
    const change = { key: organization.liveKey, body: { title: 'New' } }
    expect((await call('PATCH', `/v1/event-types/${own.id}`, change)).status).toBe(503)

    await deleteToTheEnd(organization.id)
    expect((await call('GET', '/v1/bookings', { key: organization.liveKey })).status).toBe(401)
    expect((await ask(organization)).status).toBe(404)
    const again = { name: 'Acme', slug: organization.slug, owner_user_id: organization.ownerUserId }
    expect((await callAsService('POST', '/v1/organizations', { body: again })).status).toBe(201)
    expect((await call('GET', '/v1/bookings', { key: other.liveKey })).body.data).toHaveLength(1)
  })

  it('leaves nothing of meetings whose sessions ended when the last attendee cancelled or moved', async () => {
    const organization = await createOrganization()
    const { testKey } = organization
    const meeting = { max_attendees: 3, conferencing_provider: 'video_a' }
    const { id } = await createEventType(testKey, meeting)
    const [cancelled, moved] = [await bookAsAnother(id, SLOT), await bookAsAnother(id, SLOT + HOUR_MS)]
    await call('POST', `/v1/bookings/${cancelled.body.id}/cancel`, { key: testKey })
    await call('POST', `/v1/bookings/${moved.body.id}/reschedule`, {
      key: testKey,
      body: { new_start_time: iso(SLOT + 2 * HOUR_MS) },
    })
    await handled(organization)
    const meetings = env.DB.prepare('SELECT count(*) AS n FROM meetings WHERE organization_id = ?')
    expect(await meetings.bind(organization.id).first('n')).toBe(3)
    await ask(organization, '?grace_days=0')
    await deleteToTheEnd(organization.id)
    expect(await meetings.bind(organization.id).first('n')).toBe(0)
  })

  it('is deleted as soon as everybody is notified if the operator asks for that, also afterwards', async () => {
    const organization = await createOrganization()
    expect((await ask(organization, '?grace_days=91')).status).toBe(400)
    await ask(organization)
    const { body } = await ask(organization, '?grace_days=0')
    expect(body.deletes_at).toBe(body.requested_at)
    await followAt(organization.id, Date.now() + HOUR_MS)
    expect((await ask(organization)).body).toMatchObject({ status: 'deleting' })
  })
})

describe('an organization that moved', () => {
  it('is deleted without emails or cancellations, and can be imported again', async () => {
    const organization = await createOrganization(HOST)
    const { id } = await createEventType(organization.liveKey)
    const booked = await bookAsAnother(id, SLOT)
    await handled(organization)
    const move = `/v1/operator/moves/${organization.id}`
    await callAsService('PUT', move)
    const text = await exportTextOf(organization.liveKey)
    const letters = await emailsOf(organization)
    expect((await ask(organization, '?grace_days=0')).body).toMatchObject({ moved: true })
    expect((await callAsService('DELETE', move)).status).toBe(409)
    await followAt(organization.id, Date.now() + 1_000)
    expect((await importText(text)).status).toBe(409)
    await deleteToTheEnd(organization.id)
    expect(await emailsOf(organization)).toBe(letters)
    expect((await callAsService('PUT', move)).status).toBe(404)

    expect((await call('GET', '/v1/bookings', { key: organization.liveKey })).status).toBe(401)
    expect((await importText(text)).status).toBe(201)
    const [kept] = (await call('GET', '/v1/bookings', { key: organization.liveKey })).body.data
    expect(kept).toMatchObject({ id: booked.body.id, status: 'confirmed' })
    expect((await bookAsAnother(id, SLOT + HOUR_MS)).status).toBe(201)
    expect((await book(id, SLOT, { invitee_email: `${unique('late')}@example.com` })).status).toBe(409)
  })
})
