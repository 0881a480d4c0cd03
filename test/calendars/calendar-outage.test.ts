import { describe, expect, it } from 'vitest'
import { callAsService } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { failSync, sync } from '../support/lost-calendars.ts'
import { busyEvent, connectGoogle, serviceWithGoogle } from '../support/oauth-calendars.ts'
import { run } from '../support/run.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

const CLOSED = { calendar_outage: 'closed', waitlist_enabled: true }

/** An organization with a calendar of its owner and an event type without hosts. */
async function connected(input: Record<string, unknown> = CLOSED) {
  const { world, service } = serviceWithGoogle()
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, input)
  const connection = await connectGoogle(service, world, key)
  /** Loses it for good where it is `revoked`, and as one that is asked on else. */
  const lose = (failure: 'revoked' | 'unavailable' = 'revoked') => loseOf(connection.id, failure)
  const loseOf = async (connectionId: string, failure: 'revoked' | 'unavailable') => {
    await failSync(service, connectionId, failure)
    if (failure === 'unavailable')
      await run(
        "UPDATE calendar_connections SET lost_at = 1, tell_at = NULL, status = 'error' WHERE id = ?",
        connectionId,
      )
  }
  const wait = async (start: number | null = SLOT) => {
    const { start_time: _any, ...any } = bookingInput(id, 0)
    const body = {
      ...any,
      ...(start !== null && { start_time: iso(start) }),
      invitee_email: `${unique('w')}@example.com`,
    }
    return (await service.call('POST', '/v1/waitlist', { body })).body
  }
  const statusOf = async (entry: { id: string }) =>
    (await service.call('GET', `/v1/waitlist/${entry.id}`, { key })).body.status
  return { world, service, organization, key, id, connection, lose, loseOf, wait, statusOf }
}

/** Hosts with a calendar each. */
async function hosted(input: Record<string, unknown>) {
  const place = await connected({ ...CLOSED, ...input })
  const { world, service, organization, key, id } = place
  const connect = async () => {
    const { id: memberId } = await createMember(organization)
    await addHost(key, id, memberId)
    return connectGoogle(service, world, key, { as: `${unique('host')}@example.com`, memberId })
  }
  return { ...place, one: await connect(), two: await connect() }
}

describe('an event type that closes without its calendars', () => {
  it('is closed by one that is lost, whether it is asked on or has ended, and open again once it is read', async () => {
    for (const failure of ['unavailable', 'revoked'] as const) {
      const { service, id, connection, lose } = await connected()
      expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
      await lose(failure)
      expect(await service.openStarts(id, SLOT)).toEqual([])
      const { status, body } = await service.book(id, SLOT)
      expect([status, body.error]).toMatchObject([409, { code: 'conflict', details: { alternatives: [] } }])
      await sync(service, connection)
      expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
      expect((await service.book(id, SLOT)).status).toBe(201)
    }
  })

  it('stays open while the calendar fails but is not lost, and if its events block no time', async () => {
    const { service, key, id, connection, lose } = await connected()
    await failSync(service, connection.id, 'unavailable')
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    await lose()
    expect(await service.openStarts(id, SLOT)).toEqual([])
    await service.call('PATCH', `/v1/calendars/${connection.id}`, { key, body: { checks_busy: false } })
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('is not the usual one, which what was last known decides', async () => {
    const { world, service, id, connection, lose } = await connected({})
    await world.seed([busyEvent(SLOT, 30)])
    await sync(service, connection)
    await lose()
    const starts = await service.openStarts(id, SLOT)
    expect(starts).not.toContain(iso(SLOT))
    expect(starts).toContain(iso(SLOT + HOUR_MS))
    expect((await service.book(id, SLOT)).status).toBe(409)
    expect((await service.book(id, SLOT + HOUR_MS)).status).toBe(201)
  })

  it('passes over the host whose calendar is lost, and is a conflict once all are', async () => {
    const { service, id, one, two, loseOf } = await hosted({ assignment_strategy: 'round_robin' })
    await loseOf(one.id, 'revoked')
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.book(id, SLOT)).body.assigned_host.member_id).toBe(two.member_id)
    const busy = await service.book(id, SLOT)
    expect([busy.status, busy.body.error.code]).toEqual([409, 'no_host_available'])
    await loseOf(two.id, 'revoked')
    expect(await service.openStarts(id, SLOT)).toEqual([])
    const closed = await service.book(id, SLOT + HOUR_MS)
    expect([closed.status, closed.body.error.code]).toEqual([409, 'conflict'])
  })

  it('needs the calendars of all hosts for a meeting of all', async () => {
    const { service, id, two, loseOf } = await hosted({ assignment_strategy: 'none' })
    await loseOf(two.id, 'revoked')
    expect(await service.openStarts(id, SLOT)).toEqual([])
    const { status, body } = await service.book(id, SLOT)
    expect([status, body.error.code]).toEqual([409, 'conflict'])
  })

  it('takes no invitees into a session either', async () => {
    const { service, id, lose } = await connected({ ...CLOSED, max_attendees: 3 })
    expect((await service.book(id, SLOT)).status).toBe(201)
    await lose()
    expect(await service.openStarts(id, SLOT)).toEqual([])
    const { status, body } = await service.book(id, SLOT, { invitee_email: 'b@example.com' })
    expect([status, body.error.code]).toEqual([409, 'conflict'])
  })

  it('takes no booking that is moved, which stays where it is', async () => {
    const { service, key, id, lose } = await connected()
    const { body } = await service.book(id, SLOT)
    await lose()
    const path = `/v1/bookings/${body.id}`
    const moved = await service.call('POST', `${path}/reschedule?token=${body.cancel_token}`, {
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    expect([moved.status, moved.body.error.code]).toEqual([409, 'conflict'])
    expect((await service.call('GET', path, { key })).body.start_time).toBe(iso(SLOT))
  })
})

describe('a waitlist entry for an event type that is closed', () => {
  it('gets no time that is released in the meantime, and gets it once the calendar is read again', async () => {
    const { service, id, connection, lose, wait, statusOf } = await connected()
    const { body } = await service.book(id, SLOT)
    const entry = await wait()
    await lose()
    await service.call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
    expect(await statusOf(entry)).toBe('waiting')
    await sync(service, connection)
    expect(await statusOf(entry)).toBe('promoted')
    expect((await service.book(id, SLOT)).status).toBe(409)
  })

  it('gets time that only the loss closed: by a reading, a disconnecting, a calendar that blocks nothing, a setting', async () => {
    const ways = {
      reading: ({ service, connection }) => sync(service, connection),
      disconnecting: ({ service, key, connection }) =>
        service.call('DELETE', `/v1/calendars/${connection.id}`, { key }),
      unblocking: ({ service, key, connection }) =>
        service.call('PATCH', `/v1/calendars/${connection.id}`, { key, body: { checks_busy: false } }),
      setting: ({ service, key, id }) =>
        service.call('PATCH', `/v1/event-types/${id}`, { key, body: { calendar_outage: 'last_known' } }),
    } satisfies Record<string, (place: Awaited<ReturnType<typeof connected>>) => Promise<unknown>>
    for (const [way, reopen] of Object.entries(ways)) {
      const place = await connected()
      await place.lose()
      const entry = await place.wait()
      await reopen(place)
      expect([way, await place.statusOf(entry)]).toEqual([way, 'promoted'])
    }
  })
})

describe('a lost calendar', () => {
  it('is asked when somebody books, and what it says counts; one that has ended is not', async () => {
    const { world, service, key, id, connection, lose } = await connected({})
    await lose('unavailable')
    await world.seed([busyEvent(SLOT, 30)])
    expect((await service.book(id, SLOT)).status).toBe(409)
    const asked = await service.book(id, SLOT + HOUR_MS)
    expect(asked.status).toBe(201)
    expect(Date.parse(asked.body.busy_as_of)).toBeGreaterThan(Date.parse(connection.last_sync_at))

    await failSync(service, connection.id, 'revoked')
    await run('UPDATE calendar_connections SET last_sync_at = 1000 WHERE id = ?', connection.id)
    const { id: other } = await createEventType(key)
    const unasked = await service.book(other, SLOT + 2 * HOUR_MS)
    expect([unasked.status, unasked.body.busy_as_of]).toEqual([201, iso(1000)])
  })

  it('that is the default of an organization goes on deciding there', async () => {
    const { service, organization, id, connection, lose } = await connected()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { default_calendar_connection_id: connection.id },
    })
    await lose()
    expect(await service.openStarts(id, SLOT)).toEqual([])
  })
})
