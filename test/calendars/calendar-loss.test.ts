import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import { CalendarConnection } from '../../src/calendars/schema.ts'
import { pollAfter } from '../../src/calendars/sync/poll-plan.ts'
import { ServiceEvent } from '../../src/delivery/webhooks/feed/schema.ts'
import type { Env } from '../../src/env.ts'
import { notifyOperator } from '../../src/outbox/mail/operator-notices/notify-operator.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { retryAt } from '../../src/platform/queue/retry-schedules.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import {
  actionsOf,
  emailsOf,
  failSync,
  ownerWithAddress,
  rowOf,
  sync,
  tidingsOf,
} from '../support/lost-calendars.ts'
import { answersWith, callsAt, connectGoogle, serviceWithGoogle } from '../support/oauth-calendars.ts'
import { run } from '../support/run.ts'
import { syncWith } from '../support/sync.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** An organization with a Google calendar of its owner, whom letters reach. */
async function connected(settings: Record<string, string> = {}) {
  const { world, service } = serviceWithGoogle(settings)
  const organization = await createOrganization()
  const owner = await ownerWithAddress(organization)
  const key = organization.liveKey
  const as = `${unique('ada')}@example.com`
  const connection = await connectGoogle(service, world, key, { as })
  const { id } = connection
  const fail = (failure: Parameters<typeof failSync>[2], retryAfterMs?: number) =>
    failSync(service, id, failure, retryAfterMs)
  const tidings = async () => (await tidingsOf(service, key)).map(({ event }) => event)
  return { world, service, organization, owner, key, as, connection, id, fail, tidings }
}

/** Another calendar of the account that `id` is of. */
async function addSibling(id: string): Promise<string> {
  const row = { ...(await rowOf(id)), id: looseId(), calendar_id: unique('calendar'), name: 'Family' }
  row.receives_bookings = 0
  const columns = Object.keys(row)
  const places = columns.map(() => '?').join(', ')
  await run(
    `INSERT INTO calendar_connections (${columns.join(', ')}) VALUES (${places})`,
    ...Object.values(row),
  )
  return row.id
}

describe('a calendar that cannot be read', () => {
  it('is reported as lost after an hour of failing: by an event, emails and the log, once', async () => {
    const { service, organization, owner, key, as, connection, id, fail, tidings } = await connected()
    await fail('unavailable')
    const { failing_at, tell_at } = await rowOf(id)
    expect(tell_at - failing_at).toBe(HOUR_MS)
    await sweep(service.env, tell_at - 1)
    expect([await tidings(), await emailsOf(organization)]).toEqual([[], []])
    await Promise.all([sweep(service.env, tell_at), sweep(service.env, tell_at)])
    await fail('unavailable')
    await sweep(service.env, tell_at + 2 * HOUR_MS)

    const [told, ...more] = await tidingsOf(service, key)
    expect(more).toEqual([])
    expect(ServiceEvent.parse(told)).toEqual(told)
    expect(told).toMatchObject({ event: 'calendar.disconnected', is_test: false })
    expect(told.data).toEqual({
      ...connection,
      member_name: owner,
      status: 'error',
      sync_status: 'error',
      sync_error: 'It is unavailable.',
      last_sync_at: expect.any(String),
    })
    expect(CalendarConnection.parse(told.data)).toEqual(told.data)
    const [letter, ...others] = await emailsOf(organization)
    expect([letter!.recipient, others]).toEqual([owner, []])
    expect(letter!.text).toContain(as)
    expect(letter!.text).toContain('It is unavailable.')
    expect((await actionsOf(service, key, id)).filter((action) => action === 'calendar.lost')).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ status: 'error', tell_at: null, lost_at: tell_at })
  })

  it('shares one email with calendars of its account that fail a little later', async () => {
    const { service, organization, id, fail, tidings } = await connected()
    const [later, much] = [await addSibling(id), await addSibling(id)]
    await run("UPDATE calendar_connections SET name = 'Band' WHERE id = ?", much)
    await fail('refused')
    for (const sibling of [later, much]) await failSync(service, sibling, 'refused')
    const { tell_at } = await rowOf(id)
    const tellAt = 'UPDATE calendar_connections SET tell_at = ? WHERE id = ?'
    await run(tellAt, tell_at + 4 * MINUTE_MS, later)
    await run(tellAt, tell_at + 30 * MINUTE_MS, much)
    for (let minutes = 0; minutes < 20; minutes += 4) await sweep(service.env, tell_at + minutes * MINUTE_MS)
    expect(await rowOf(later)).toMatchObject({ status: 'error', lost_at: tell_at + 4 * MINUTE_MS })
    expect(await tidings()).toHaveLength(2)
    const [letter, ...others] = await emailsOf(organization)
    expect([letter!.text.includes('Family'), letter!.text.includes('Band'), others]).toEqual([
      true,
      false,
      [],
    ])

    await sweep(service.env, tell_at + 30 * MINUTE_MS)
    expect(await tidings()).toHaveLength(3)
    const texts = (await emailsOf(organization)).map(({ text }) => text.includes('Band'))
    expect(texts.toSorted()).toEqual([false, true])
  })

  it('is in the next email if one email named only the calendars that were lost a while before it', async () => {
    const { service, organization, id, fail } = await connected()
    const siblings = [await addSibling(id), await addSibling(id), await addSibling(id)]
    await fail('unavailable')
    for (const sibling of siblings) await failSync(service, sibling, 'unavailable')
    const { tell_at } = await rowOf(id)
    for (const [at, sibling] of siblings.entries()) {
      const after = (at + 1) * 10 * MINUTE_MS
      await run(
        'UPDATE calendar_connections SET name = ?, failing_at = ?, tell_at = ? WHERE id = ?',
        `Calendar ${at + 1}`,
        tell_at - HOUR_MS + after,
        tell_at + after,
        sibling,
      )
    }
    for (let minutes = 0; minutes <= 30; minutes += 10) {
      await sweep(service.env, tell_at + minutes * MINUTE_MS)
    }
    const named = (await emailsOf(organization)).map(({ text }) => text.match(/Calendar \d/g))
    expect(named.toSorted()).toEqual([['Calendar 1'], ['Calendar 2', 'Calendar 3']])
  })

  it('goes to the endpoints that ask for it', async () => {
    const { service, organization, id, fail } = await connected()
    const endpoint = async (events: readonly string[]) => {
      const endpointId = looseId()
      await run(
        `INSERT INTO webhook_endpoints (id, organization_id, is_test, url, events, secret, active, verification_status,
           created_at, updated_at) VALUES (?1, ?2, 0, 'http://127.0.0.1:1/', ?3, 'sealed', 1, 'verified', 1, 1)`,
        endpointId,
        organization.id,
        JSON.stringify(events),
      )
      return endpointId
    }
    const asking = await endpoint(['calendar.disconnected'])
    await endpoint(['booking.created', 'calendar.restored'])
    await fail('revoked')
    const event = await env.DB.prepare(
      "SELECT id FROM events WHERE organization_id = ? AND kind = 'calendar.disconnected'",
    )
      .bind(organization.id)
      .first<string>('id')
    expect(service.messages).toContainEqual({ type: 'event', eventId: event })
    const quiet = { ...service.env, WEBHOOKS: { sendBatch: async () => {} } } as unknown as Env
    expect(await handleEvent(quiet, event!)).toBeNull()
    const { results } = await env.DB.prepare(
      'SELECT endpoint_id, payload FROM webhook_deliveries WHERE organization_id = ?',
    )
      .bind(organization.id)
      .all<{ endpoint_id: string; payload: string }>()
    expect(results.map(({ endpoint_id }) => endpoint_id)).toEqual([asking])
    await run('DELETE FROM webhook_deliveries WHERE organization_id = ?', organization.id)
    expect(JSON.parse(results[0]!.payload)).toMatchObject({
      event: 'calendar.disconnected',
      data: { id, status: 'revoked' },
    })
  })

  it('is reported with a subject that no account name makes long or reverses', async () => {
    const { service, organization, id, fail } = await connected()
    await run(
      'UPDATE calendar_connections SET account_email = ? WHERE id = ?',
      `\u202e${'x'.repeat(200)}`,
      id,
    )
    await fail('unavailable')
    await sweep(service.env, (await rowOf(id)).tell_at)
    const [letter] = await emailsOf(organization)
    expect(letter!.subject).toBe(`${'x'.repeat(59)}… at Google Calendar cannot be read`)
  })

  it('is reported to its member and to the owner, and to nobody twice', async () => {
    const { world, service, organization, owner, key } = await connected()
    const member = await createMember(organization)
    const theirs = await connectGoogle(service, world, key, { as: 'm@example.com', memberId: member.id })
    await failSync(service, theirs.id, 'revoked')
    const address = `${member.userId}@example.com`
    expect((await emailsOf(organization)).map(({ recipient }) => recipient)).toEqual([address, owner].sort())
  })

  it('is not reported if it is read again within the hour', async () => {
    const { service, organization, connection, id, fail, tidings } = await connected()
    await fail('unavailable')
    const { tell_at } = await rowOf(id)
    await sync(service, connection)
    expect(await rowOf(id)).toMatchObject({ failing_at: null, tell_at: null, ends_at: null })
    await sweep(service.env, tell_at)
    expect([await tidings(), await emailsOf(organization)]).toEqual([[], []])
  })

  it('keeps its emails in the sandbox', async () => {
    const { world, service } = serviceWithGoogle()
    const organization = await createOrganization()
    await ownerWithAddress(organization)
    const { id } = await connectGoogle(service, world, organization.testKey)
    await failSync(service, id, 'revoked')
    expect(await emailsOf(organization)).toEqual([])
    const { body } = await service.call('GET', '/v1/test-data/outbox', { key: organization.testKey })
    expect(body.data.filter(({ channel }: { channel: string }) => channel === 'email')).toHaveLength(1)
    expect(await tidingsOf(service, organization.testKey)).toMatchObject([{ is_test: true }])
    expect(await tidingsOf(service, organization.liveKey)).toEqual([])
  })

  it('shows when it was last read, which only its object knows by then', async () => {
    const { service, connection, id } = await connected()
    await run('UPDATE calendar_connections SET last_sync_at = 1 WHERE id = ?', id)
    await failSync(service, id, 'unavailable')
    expect((await rowOf(id)).last_sync_at).toBe(1)
    const { account_id } = connection
    await run("UPDATE calendar_accounts SET credentials = 'nonsense' WHERE id = ?", account_id)
    await sync(service, connection)
    expect((await rowOf(id)).last_sync_at).toBe(Date.parse(connection.last_sync_at))
  })
})

describe('the end of a connection', () => {
  it('comes at once with its permission, for all calendars of the account, and is reported by one email', async () => {
    const { service, world, organization, key, as, connection, id, tidings } = await connected()
    const sibling = await addSibling(id)
    const stranger = await connectGoogle(service, world, key, { as: 'another@example.com' })
    await world.end('revoked', as)
    await run('UPDATE calendar_accounts SET updated_at = updated_at WHERE id = ?', connection.account_id)
    await world.expire(as)
    await sync(service, connection)
    for (const each of [id, sibling]) {
      expect(await rowOf(each)).toMatchObject({ status: 'revoked', sync_status: 'error', tell_at: null })
      expect((await rowOf(each)).lost_at).not.toBeNull()
      expect(await actionsOf(service, key, each)).toEqual(
        expect.arrayContaining(['calendar.lost', 'calendar.ended']),
      )
    }
    expect(await tidings()).toEqual(['calendar.disconnected', 'calendar.disconnected'])
    const [letter, ...more] = await emailsOf(organization)
    expect(more).toEqual([])
    expect(letter!.text).toContain('Family')
    expect(await rowOf(stranger.id)).toMatchObject({ status: 'active', lost_at: null })

    await sync(service, connection)
    await sweep(service.env, Date.now() + 2 * DAY_MS)
    expect(await tidings()).toHaveLength(2)
  })

  it('comes with the failed sync or not at all', async () => {
    const { service, id, tidings } = await connected()
    await run(
      `CREATE TRIGGER no_letters BEFORE INSERT ON emails BEGIN SELECT RAISE(ABORT, 'no letters today'); END`,
    )
    await failSync(service, id, 'revoked').catch(() => {})
    await run('DROP TRIGGER no_letters')
    expect(await rowOf(id)).toMatchObject({ status: 'active', lost_at: null })
    expect(await tidings()).toEqual([])
    await failSync(service, id, 'revoked')
    expect(await tidings()).toEqual(['calendar.disconnected'])
  })

  it('comes after a day of refusals, is reported once, and the calendar is not read any more', async () => {
    const { service, organization, key, id, fail, tidings } = await connected()
    await fail('refused')
    const { failing_at, ends_at } = await rowOf(id)
    expect(ends_at - failing_at).toBe(DAY_MS)
    await fail('refused')
    expect((await rowOf(id)).ends_at).toBe(ends_at)
    await sweep(service.env, failing_at + HOUR_MS)
    expect((await rowOf(id)).status).toBe('error')
    await sweep(service.env, ends_at - 1)
    expect((await rowOf(id)).status).toBe('error')
    await sweep(service.env, ends_at)
    expect(await rowOf(id)).toMatchObject({ status: 'revoked', ends_at: null })
    expect([await tidings(), (await emailsOf(organization)).length]).toEqual([['calendar.disconnected'], 1])
    expect(await actionsOf(service, key, id)).toContain('calendar.ended')
    service.messages.length = 0
    await sweep(service.env, ends_at + DAY_MS)
    const asked = service.messages.filter(
      (message) => 'connectionId' in message && message.connectionId === id,
    )
    expect(asked).toEqual([])
    expect(pollAfter({ at: 0, readAt: 0, everyMs: MINUTE_MS }, { outcome: 'skipped' }, 1, 0)).toBeNull()
  })

  it('is reported if nothing was reported before', async () => {
    const { service, organization, id, fail, tidings } = await connected()
    await fail('refused')
    await run('UPDATE calendar_connections SET tell_at = NULL WHERE id = ?', id)
    await sweep(service.env, (await rowOf(id)).ends_at)
    expect(await rowOf(id)).toMatchObject({ status: 'revoked' })
    expect([await tidings(), (await emailsOf(organization)).length]).toEqual([['calendar.disconnected'], 1])
  })

  it('never comes by silence, and silence between refusals counts for none of the day', async () => {
    const { service, id, fail } = await connected()
    for (const failure of ['unavailable', 'unusable', 'misconfigured', 'overlong'] as const) {
      await fail(failure)
      expect((await rowOf(id)).ends_at).toBeNull()
    }
    await sweep(service.env, Date.now() + 30 * DAY_MS)
    expect((await rowOf(id)).status).toBe('error')
    await fail('refused')
    const { ends_at } = await rowOf(id)
    await run('UPDATE calendar_connections SET updated_at = updated_at - ? WHERE id = ?', HOUR_MS, id)
    await fail('unavailable')
    const later = (await rowOf(id)).ends_at
    expect(later - ends_at).toBeGreaterThanOrEqual(HOUR_MS)
    expect(later - ends_at).toBeLessThan(HOUR_MS + MINUTE_MS)
  })
})

describe('a lost calendar', () => {
  it('is restored when it is read again, and that is reported once', async () => {
    const { service, organization, key, connection, id, fail, tidings } = await connected()
    await fail('unavailable')
    await sweep(service.env, (await rowOf(id)).tell_at)
    await sync(service, connection)
    await sync(service, connection)
    const [, restored, ...more] = await tidingsOf(service, key)
    expect(more).toEqual([])
    expect(ServiceEvent.parse(restored)).toEqual(restored)
    expect(restored).toMatchObject({
      event: 'calendar.restored',
      data: { id, status: 'active', sync_status: 'connected', sync_error: null },
    })
    expect(await emailsOf(organization)).toHaveLength(1)
    expect(
      (await actionsOf(service, key, id)).filter((action) => action === 'calendar.restored'),
    ).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ lost_at: null, failing_at: null })

    await fail('revoked')
    expect(await tidings()).toEqual(['calendar.disconnected', 'calendar.restored', 'calendar.disconnected'])
  })

  it('is restored by connecting it again, under its id and with what it was used for', async () => {
    const { service, world, key, as, connection, id, tidings } = await connected()
    await service.call('PATCH', `/v1/calendars/${id}`, {
      key,
      body: { checks_busy: false, receives_bookings: false },
    })
    await world.end('revoked', as)
    await world.expire(as)
    await sync(service, connection)
    service.messages.length = 0
    const again = await connectGoogle(service, world, key, { as })
    expect(again).toMatchObject({ id, status: 'active', checks_busy: false, receives_bookings: false })
    expect(await tidings()).toEqual(['calendar.disconnected', 'calendar.restored'])
    expect(service.messages).toContainEqual({ type: 'event', eventId: (await tidingsOf(service, key))[1].id })
    expect((await rowOf(id)).lost_at).toBeNull()
  })

  it('makes the other calendars of its account due too, if the account lets us in again', async () => {
    const { service, connection, id, fail } = await connected()
    const sibling = await addSibling(id)
    await fail('revoked')
    await sync(service, connection)
    expect(await rowOf(id)).toMatchObject({ status: 'active', lost_at: null })
    const { status, next_sync_at } = await rowOf(sibling)
    expect(status).toBe('error')
    expect(next_sync_at).toBeLessThanOrEqual(Date.now())
  })

  it('gets what could not be written to it', async () => {
    const { service, organization, connection, id, fail } = await connected()
    await run(
      `INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, updated_at)
       VALUES ('held', ?, ?, 'held@holdfast', 0, 'failed', 1)`,
      id,
      organization.id,
    )
    await fail('revoked')
    await sync(service, connection)
    const write = await env.DB.prepare(
      'SELECT status, next_attempt_at FROM calendar_writes WHERE connection_id = ?',
    )
      .bind(id)
      .first<any>()
    expect(write).toEqual({ status: 'pending', next_attempt_at: expect.any(Number) })
  })

  it('that is reported at the very moment it is read is restored by the next sync', async () => {
    const { service, connection, id, fail, tidings } = await connected()
    await fail('unavailable')
    const { tell_at } = await rowOf(id)
    await run('UPDATE calendar_connections SET sync_cursor = NULL, last_sync_at = NULL WHERE id = ?', id)
    const outcome = await syncWith(service.env, id, ({ listChanges }) => ({
      listChanges: async (...asked) => {
        await sweep(service.env, tell_at)
        return listChanges(...asked)
      },
    }))
    expect(outcome).toEqual({ outcome: 'gone' })
    expect(await rowOf(id)).toMatchObject({ lost_at: tell_at })
    await sync(service, connection)
    expect(await tidings()).toEqual(['calendar.disconnected', 'calendar.restored'])
  })
})

describe('a fault of the registration', () => {
  it('ends no connection, is tried again each hour, and goes to the operator once a day', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { organization, id, fail } = await connected()
    await run('DELETE FROM operator_notices')
    for (const _ of [1, 2, 3, 4]) await fail('misconfigured')
    const { status, sync_error, updated_at, next_sync_at } = await rowOf(id)
    expect([status, sync_error]).toEqual(['active', 'It is misconfigured.'])
    expect(next_sync_at - updated_at).toBeGreaterThanOrEqual(HOUR_MS)
    expect(next_sync_at - updated_at).toBeLessThanOrEqual(1.1 * HOUR_MS)
    expect(
      logged.mock.calls.filter(([line]) => String(line).includes('"misconfigured":"calendar_a"')),
    ).toHaveLength(4)
    logged.mockRestore()
    const letters = await emailsOf(organization)
    expect(letters).toMatchObject([{ recipient: env.SUPPORT_EMAIL, text: expect.stringContaining('Google') }])
  })

  it('is one email a day and subject, however many meet it at the same moment', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { service, organization } = await connected()
    await run('DELETE FROM operator_notices')
    const now = Date.now()
    const tell = (subject: 'calendar_b' | 'video_a', at: number) =>
      notifyOperator(
        service.env,
        openDb(service.env, 'decide'),
        { organizationId: organization.id },
        { subject, fault: 'Expired.' },
        at as RealMs,
      )
    const told = async () => (await emailsOf(organization)).length
    await Promise.all(Array.from({ length: 6 }, () => tell('calendar_b', now)))
    expect(await told()).toBe(1)
    await tell('calendar_b', now + DAY_MS - 1)
    expect(await told()).toBe(1)
    await tell('calendar_b', now + DAY_MS)
    expect(await told()).toBe(2)
    await tell('video_a', now + DAY_MS)
    expect(await told()).toBe(3)
    logged.mockRestore()
  })

  it('is also reported when somebody tries to connect an account', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { world, service, organization, key } = await connected()
    await run('DELETE FROM operator_notices')
    await world.register({ secret: 'another' })
    await expect(connectGoogle(service, world, key, { as: 'late@example.com' })).rejects.toThrow()
    logged.mockRestore()
    expect(await emailsOf(organization)).toMatchObject([{ recipient: env.SUPPORT_EMAIL }])
  })

  it('is only in the log if the operator has no address', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { service, organization, id } = await connected()
    await run('DELETE FROM operator_notices')
    const silent = { ...service, env: { ...service.env, SUPPORT_EMAIL: '' } }
    await failSync(silent, id, 'misconfigured')
    expect(logged).toHaveBeenCalled()
    logged.mockRestore()
    expect(await emailsOf(organization)).toEqual([])
  })
})

describe('what Google answers', () => {
  it('ends a connection if the account is gone, and not if the service is at fault', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const [registration, mended] of [
      [{ client: 'deleted' }, { client: 'live' }],
      [{ secret: 'another' }, { secret: 'double-secret_1' }],
      [{ isApiOn: false }, { isApiOn: true }],
    ] as const) {
      const { world, service, connection, id, as, tidings } = await connected()
      await world.register(registration)
      await world.expire(as)
      await sync(service, connection)
      expect(await rowOf(id)).toMatchObject({ status: 'active', sync_status: 'error', ends_at: null })
      await world.register(mended)
      await sync(service, connection)
      expect(await rowOf(id)).toMatchObject({ status: 'active', sync_status: 'connected', failing_at: null })
      await world.end('removed', as)
      await world.expire(as)
      await sync(service, connection)
      expect(await rowOf(id)).toMatchObject({ status: 'revoked', sync_status: 'error' })
      expect(await tidings()).toEqual(['calendar.disconnected'])
    }
    logged.mockRestore()
  })

  it('is a refusal if it is a 401 after a good renewal or a 403, and a temporary failure if it is a 503', async () => {
    for (const status of [401, 403]) {
      const { world, service, connection, id } = await connected()
      await answersWith(world, status)
      await sync(service, connection)
      const { ends_at, failing_at, ...row } = await rowOf(id)
      expect([status, row.status, ends_at - failing_at]).toEqual([status, 'active', DAY_MS])
    }
    const { world, service, connection, id } = await connected()
    await answersWith(world, 503, { headers: { 'Retry-After': String((2 * HOUR_MS) / 1000) } })
    await sync(service, connection)
    const { ends_at, updated_at, next_sync_at } = await rowOf(id)
    expect(ends_at).toBeNull()
    expect(next_sync_at - updated_at).toBeGreaterThanOrEqual(2 * HOUR_MS)
  })
})

describe('a wait that the provider asks for', () => {
  it('is respected for as long as a day, and a tenth longer at most', async () => {
    const { id, fail } = await connected()
    for (const [asked, least] of [
      [HOUR_MS, HOUR_MS],
      [3 * DAY_MS, DAY_MS],
    ] as const) {
      await fail('unavailable', asked)
      const { updated_at, next_sync_at } = await rowOf(id)
      expect(next_sync_at - updated_at).toBeGreaterThanOrEqual(least)
      expect(next_sync_at - updated_at).toBeLessThanOrEqual(1.1 * least)
    }
  })

  it('is respected whatever notifications arrive in the meantime, but not when its owner asks for a sync', async () => {
    const { world, service, connection, id, fail } = await connected()
    await fail('unavailable', HOUR_MS)
    const { next_sync_at } = await rowOf(id)
    const asked = async () => (await callsAt(world)).length
    const before = await asked()
    const account = askAccount(service.env, connection.account_id)
    await account.sync({ connectionId: id, since: Date.now() + 1 })
    expect(await asked()).toBe(before)
    expect(await rowOf(id)).toMatchObject({ next_sync_at, sync_failures: 1 })
    await account.sync({ connectionId: id, since: next_sync_at })
    expect(await rowOf(id)).toMatchObject({ sync_status: 'connected', sync_failures: 0 })
    await fail('unavailable', HOUR_MS)
    await sync(service, connection)
    expect((await rowOf(id)).sync_status).toBe('connected')
  })

  it('puts off the end of a permission that was refused before', async () => {
    const { service, id, fail } = await connected()
    await fail('refused')
    const { ends_at } = await rowOf(id)
    await fail('unavailable', 3 * DAY_MS)
    const { next_sync_at } = await rowOf(id)
    expect(next_sync_at).toBeGreaterThan(ends_at)
    await sweep(service.env, next_sync_at)
    expect((await rowOf(id)).status).not.toBe('revoked')
  })

  it('is respected by writes too, spread over a tenth', () => {
    expect(retryAt('calendarWrite', 1, 0, 2 * HOUR_MS, 0)).toBe(2 * HOUR_MS)
    expect(retryAt('calendarWrite', 1, 0, 2 * HOUR_MS, 1)).toBe(132 * MINUTE_MS)
    expect(retryAt('calendarWrite', 1, 0, 3 * DAY_MS, 0)).toBe(DAY_MS)
    expect(retryAt('calendarWrite', 1, 0, 30_000, 1)).toBe(MINUTE_MS)
  })
})
