import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import { eventIdOf } from '../../src/calendars/google/google-event.ts'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { callAsService } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import {
  answersWith,
  busyEvent,
  callsAt,
  connectGoogle,
  serviceWithGoogle,
} from '../support/oauth-calendars.ts'
import { patienceOf } from '../support/patience.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** An organization with a Google calendar of its owner, and an event type without hosts. */
async function connected(input: Record<string, unknown> = {}) {
  const { world, service } = serviceWithGoogle()
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, input)
  const connection = await connectGoogle(service, world, key)
  return { world, service, organization, key, id, connection }
}

/** Two hosts, each with a calendar of their own. */
async function hosted(input: Record<string, unknown> = {}) {
  const { world, service } = serviceWithGoogle()
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const hosts: { memberId: string; as: string; connectionId: string }[] = []
  for (const as of ['one@example.com', 'two@example.com']) {
    const { id: memberId } = await createMember(organization)
    await addHost(key, id, memberId)
    const connection = await connectGoogle(service, world, key, { as, memberId })
    expect(connection).toMatchObject({ member_id: memberId, account_email: as })
    hosts.push({ memberId, as, connectionId: connection.id })
  }
  return { world, service, organization, key, id, one: hosts[0]!, two: hosts[1]! }
}

async function requests(world: Parameters<typeof callsAt>[0]): Promise<number> {
  return (await callsAt(world)).filter(({ path }) => path.endsWith('/events')).length
}

async function expectSoundHolds() {
  const { results } = await env.DB.prepare(
    `SELECT a.resource_id FROM holds a JOIN holds b ON a.resource_id = b.resource_id AND a.kept_by = b.kept_by AND a.starts_at <> b.starts_at
     AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`,
  ).all()
  expect(results).toEqual([])
}

describe('a connected calendar', () => {
  it('closes slots from the moment it is connected, and opens them when it is disconnected', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    await world.seed([busyEvent(SLOT, 30)])
    const connection = await connectGoogle(service, world, liveKey)
    expect(connection).toMatchObject({ status: 'active', sync_status: 'connected' })
    const starts = await service.openStarts(id, SLOT)
    expect(starts).not.toContain(iso(SLOT))
    expect(starts).toContain(iso(SLOT + 30 * MINUTE_MS))
    const refused = await service.book(id, SLOT)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect(refused.body.error.details.alternatives[0]).toBe(iso(SLOT + 30 * MINUTE_MS))
    const path = `/v1/calendars/${connection.id}`
    expect((await service.call('DELETE', path, { key: liveKey })).status).toBe(204)
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('blocks the held interval, buffers included, and pads its own events with nothing', async () => {
    const { world, service, id } = await connected({ buffer_before_minutes: 15, buffer_after_minutes: 15 })
    await world.seed([busyEvent(SLOT, 30)])
    for (const [start, status] of [
      [SLOT - 30 * MINUTE_MS, 409],
      [SLOT + 30 * MINUTE_MS, 409],
      [SLOT + HOUR_MS, 201],
      [SLOT - HOUR_MS, 201],
    ] as const) {
      expect([iso(start), (await service.book(id, start)).status]).toEqual([iso(start), status])
    }
  })

  it('blocks nothing with what is free, cancelled or declined', async () => {
    const { world, service, id } = await connected()
    const declined = [{ email: 'owner@example.com', self: true, responseStatus: 'declined' }]
    await world.seed([
      busyEvent(SLOT, 30, { transparency: 'transparent' }),
      busyEvent(SLOT, 30, { attendees: declined }),
    ])
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('is read again when a booking is made, and synced soon when that finds changes', async () => {
    const { world, service, id, connection } = await connected()
    await world.seed([busyEvent(SLOT, 30)])
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.book(id, SLOT)).status).toBe(409)
    const { id: connectionId, account_id: accountId } = connection
    const news = {
      type: 'calendar',
      accountId,
      connectionId,
      since: expect.any(Number),
      isThorough: true,
    }
    await vi.waitFor(() => expect(service.messages).toContainEqual(news))

    const before = Date.now()
    const { status, body } = await service.book(id, SLOT + HOUR_MS)
    expect(status).toBe(201)
    expect(body.calendar_connection_id).toBe(connection.id)
    expect(Date.parse(body.busy_as_of)).toBeGreaterThanOrEqual(before)
    const { rows } = await holdsOf(body.id)
    expect(rows.map(({ resource_id }) => resource_id).sort()).toEqual([connection.id, id].sort())
  })

  it('has others offered by what was known of the days that it was not asked about', async () => {
    const { world, service, key, id, connection } = await connected()
    const midnight = dayFromNow(4)
    await world.seed([busyEvent(midnight, 60)])
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    await world.seed([busyEvent(midnight - 30 * MINUTE_MS, 30)])
    const { status, body } = await service.book(id, midnight - 30 * MINUTE_MS)
    expect([status, body.error.details.alternatives[0]]).toEqual([409, iso(midnight + HOUR_MS)])
  })

  it('is asked again when a booking is moved', async () => {
    const { world, service, id, connection } = await connected()
    const { body } = await service.book(id, SLOT)
    await world.seed([busyEvent(SLOT + HOUR_MS, 30)])
    const move = (start: number) =>
      service.call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
        body: { new_start_time: iso(start) },
      })
    expect((await move(SLOT + HOUR_MS)).status).toBe(409)
    const before = Date.now()
    const moved = await move(SLOT + 2 * HOUR_MS)
    expect(moved.status).toBe(200)
    expect(moved.body.calendar_connection_id).toBe(connection.id)
    expect(Date.parse(moved.body.busy_as_of)).toBeGreaterThanOrEqual(before)
  })

  it('is not asked for slots, nor about a start that is not open anyway', async () => {
    const { world, service, id } = await connected()
    await service.book(id, SLOT)
    const before = await requests(world)
    await service.openStarts(id, SLOT)
    expect((await service.book(id, SLOT)).status).toBe(409)
    expect((await service.book(id, SLOT + MINUTE_MS)).status).toBe(409)
    expect(await requests(world)).toBe(before)
  })

  it('is read once for all bookings of one day at the same moment', async () => {
    const { world, service, id } = await connected()
    const before = await requests(world)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        service.book(id, SLOT + (at % 15) * 30 * MINUTE_MS, {
          invitee_email: `${unique('ada')}@example.com`,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15)
    expect(await requests(world)).toBe(before + 1)
    const later = await service.book(id, SLOT + 10 * HOUR_MS)
    expect(later.status).toBe(201)
    expect(await requests(world)).toBe(before + 2)
  })

  it('says nothing about an organization without calendars', async () => {
    const { service } = serviceWithGoogle()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body } = await service.book(id, SLOT)
    expect(body).toMatchObject({ calendar_connection_id: null, calendar_event_id: null, busy_as_of: null })
  })
})

async function holdsOf(holderId: string) {
  const { results } = await env.DB.prepare('SELECT * FROM holds WHERE holder_id = ?')
    .bind(holderId)
    .all<any>()
  return { rows: results }
}

describe('a calendar that does not answer', () => {
  it('is waited for three seconds, then what is known decides, and it is left alone for a while', async () => {
    const { world, service, key, id, connection } = await connected()
    await world.seed([busyEvent(SLOT, 30)])
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    await world.troubles([{ about: '/calendar/v3/', times: null, does: 'hangs' }])
    expect((await service.book(id, SLOT)).status).toBe(409)
    const began = Date.now()
    const patience = patienceOf(3_000)
    let isBooked = false
    const booking = service.book(id, SLOT + HOUR_MS).finally(() => {
      isBooked = true
    })
    const hangs = async () => (await world.look()).calls!.some(({ status }) => status === null)
    await expect.poll(hangs).toBe(true)
    expect(isBooked).toBe(false)
    patience.lose()
    const { status, body } = await booking
    expect(status).toBe(201)
    expect(Date.parse(body.busy_as_of)).toBeLessThan(began)
    // Who waited again would wait for ever.
    patience.regain()
    expect((await service.book(id, SLOT + 2 * HOUR_MS)).status).toBe(201)
  })

  it('fails no booking, whatever is wrong with it', async () => {
    const { world, service, id, connection } = await connected()
    await answersWith(world, 503)
    expect((await service.book(id, SLOT)).status).toBe(201)
    await world.end('revoked')
    expect((await service.book(id, SLOT + HOUR_MS)).status).toBe(201)
    const other = await connected()
    const { account_id } = other.connection
    await env.DB.prepare("UPDATE calendar_accounts SET credentials = 'nonsense' WHERE id = ?")
      .bind(account_id)
      .run()
    await askAccount(other.service.env, account_id).connected({})
    const { status, body } = await other.service.book(other.id, SLOT)
    expect([status, body.calendar_connection_id]).toEqual([201, other.connection.id])
    expect(connection.id).not.toBe(other.connection.id)
  })

  it('goes on deciding by what was known of it, also when its permission has ended', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    await world.seed([busyEvent(SLOT, 30)])
    const connection = await connectGoogle(service, world, liveKey)
    await world.end('revoked')
    const synced = await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key: liveKey })
    expect(synced.body).toMatchObject({
      status: 'revoked',
      sync_status: 'error',
      sync_error: expect.any(String),
    })
    expect((await service.book(id, SLOT)).status).toBe(409)
    const { status, body } = await service.book(id, SLOT + HOUR_MS)
    expect([status, body.calendar_connection_id]).toEqual([201, connection.id])
    expect(body.busy_as_of).toBe(connection.last_sync_at)

    // What was booked meanwhile is written as soon as it is connected again.
    const write = { holderId: body.id as string, connectionId: connection.id as string }
    await writeToCalendar(service.env, write)
    const events = async () => (await world.look()).events!.map(({ start }) => Date.parse(start.dateTime))
    expect(await events()).toEqual([SLOT])
    await connectGoogle(service, world, liveKey)
    await writeToCalendar(service.env, write)
    expect((await events()).sort()).toEqual([SLOT, SLOT + HOUR_MS])
  })
})

describe('the events of bookings', () => {
  const own = (uid: string) => ({
    id: eventIdOf(uid),
    extendedProperties: { private: { holdfastUid: uid } },
  })

  it('block nothing, before and after the sync, in whichever calendar of the organization', async () => {
    const { world, service, key, id, connection } = await connected({ max_attendees: 3 })
    const { body } = await service.book(id, SLOT)
    const { session_id } = (await env.DB.prepare('SELECT session_id FROM bookings WHERE id = ?')
      .bind(body.id)
      .first<any>())!
    await world.seed([busyEvent(SLOT, 30, own(`${session_id}@holdfast`))])
    await world.seed([busyEvent(SLOT, 30, own(`${body.id}@holdfast`))])
    for (const invitee_email of ['b@example.com', 'c@example.com']) {
      expect((await service.book(id, SLOT, { invitee_email })).status).toBe(201)
      await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    }
    await service.call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('free the time with the booking, though the calendar still has its event', async () => {
    const { world, service, key, id, connection } = await connected()
    const { body } = await service.book(id, SLOT)
    await world.seed([busyEvent(SLOT, 30, own(`${body.id}@holdfast`))])
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    const cancelled = await service.call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
    expect(cancelled.status).toBe(200)
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('of another organization block like any other', async () => {
    const stranger = await connected()
    const booked = await stranger.service.book(stranger.id, SLOT)
    const { world, service, key, id, connection } = await connected()
    await world.seed([
      busyEvent(SLOT, 30, own(`${booked.body.id}@holdfast`)),
      busyEvent(SLOT + HOUR_MS, 30, own(`${looseId()}@holdfast`)),
    ])
    expect((await service.book(id, SLOT)).status).toBe(409)
    expect((await service.book(id, SLOT + HOUR_MS)).status).toBe(409)
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    const starts = await service.openStarts(id, SLOT)
    expect(starts).not.toContain(iso(SLOT))
    expect(starts).not.toContain(iso(SLOT + HOUR_MS))
  })
})

describe('a session', () => {
  it('that is held already is closed by no event', async () => {
    const { world, service, key, id, connection } = await connected({ max_attendees: 3 })
    const first = await service.book(id, SLOT)
    await world.seed([busyEvent(SLOT - HOUR_MS, 180)])
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    const starts = await service.openStarts(id, SLOT)
    expect(starts).toContain(iso(SLOT))
    expect(starts).not.toContain(iso(SLOT + 30 * MINUTE_MS))
    const second = await service.book(id, SLOT, { invitee_email: 'b@example.com' })
    expect(second.status).toBe(201)
    expect(second.body.calendar_connection_id).toBe(first.body.calendar_connection_id)
  })
})

describe('the calendar that bookings are written to', () => {
  it('is in one place: event types without hosts that share it never overlap', async () => {
    const { service, key, id } = await connected()
    const { id: other } = await createEventType(key, { duration_minutes: 60 })
    for (let round = 0; round < 5; round++) {
      const start = SLOT + round * 3 * HOUR_MS
      const answers = await Promise.all(
        (round % 2 === 0 ? [id, other, id, other] : [other, id, other, id]).map((eventTypeId, at) =>
          service.book(eventTypeId, start, { invitee_email: `a${at}@example.com` }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
      for (const each of [id, other]) {
        expect(await service.openStarts(each, start)).not.toContain(iso(start))
      }
    }
    await expectSoundHolds()
  })

  it('is the default if there is one, and otherwise the oldest of the owner', async () => {
    const { world, service, organization, key, id, connection } = await connected()
    const { id: memberId } = await createMember(organization)
    const theirs = await connectGoogle(service, world, key, { as: 'member@example.com', memberId })
    const second = await connectGoogle(service, world, key, { as: 'second@example.com' })
    expect((await service.book(id, SLOT)).body.calendar_connection_id).toBe(connection.id)
    const choose = (default_calendar_connection_id: string | null) =>
      callAsService('PATCH', `/v1/organizations/${organization.id}`, {
        body: { default_calendar_connection_id },
      })
    expect((await choose(theirs.id)).body.default_calendar_connection_id).toBe(theirs.id)
    expect((await service.book(id, SLOT + HOUR_MS)).body.calendar_connection_id).toBe(theirs.id)
    await world.seed([busyEvent(SLOT + 2 * HOUR_MS, 30)], 'member@example.com')
    expect((await service.book(id, SLOT + 2 * HOUR_MS)).status).toBe(409)
    // Its permission ended.
    await env.DB.prepare("UPDATE calendar_connections SET status = 'revoked' WHERE id = ?")
      .bind(theirs.id)
      .run()
    expect((await service.book(id, SLOT + 4 * HOUR_MS)).body.calendar_connection_id).toBe(connection.id)
    await choose(second.id)
    expect((await service.book(id, SLOT + 2 * HOUR_MS)).body.calendar_connection_id).toBe(second.id)
    expect((await service.book(id, SLOT + HOUR_MS)).status).toBe(409)
    await service.call('DELETE', `/v1/calendars/${second.id}`, { key })
    const shown = await callAsService('GET', `/v1/organizations?owner_user_id=${organization.ownerUserId}`)
    expect(shown.body.default_calendar_connection_id).toBeNull()
    expect((await service.book(id, SLOT + 3 * HOUR_MS)).body.calendar_connection_id).toBe(connection.id)
  })

  it('can be the default only of the organization that it is connected to, live', async () => {
    const { world, service, organization } = await connected()
    const stranger = await connected()
    const sandboxed = await connectGoogle(service, world, organization.testKey)
    for (const default_calendar_connection_id of [stranger.connection.id, sandboxed.id, looseId()]) {
      const { status, body } = await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
        body: { default_calendar_connection_id },
      })
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    }
  })
})

describe('hosts with calendars', () => {
  it('are passed over while theirs says that they are busy, also when it says so only now', async () => {
    const { world, service, id, one, two } = await hosted()
    await world.seed([busyEvent(SLOT, 30)], one.as)
    const { body } = await service.book(id, SLOT)
    expect(body.assigned_host.member_id).toBe(two.memberId)
    expect(body.calendar_connection_id).toBe(two.connectionId)
    const refused = await service.book(id, SLOT)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'no_host_available'])
  })

  it('leave a start open until the last of them is busy', async () => {
    const { world, service, key, id, one, two } = await hosted()
    const sync = (connectionId: string) => service.call('POST', `/v1/calendars/${connectionId}/sync`, { key })
    await world.seed([busyEvent(SLOT, 30)], one.as)
    await sync(one.connectionId)
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    await world.seed([busyEvent(SLOT, 30)], two.as)
    await sync(two.connectionId)
    expect(await service.openStarts(id, SLOT)).not.toContain(iso(SLOT))
  })

  it('are all needed for a collective meeting, which is written to the first one', async () => {
    const { world, service, id, one, two } = await hosted({ assignment_strategy: 'none' })
    await world.seed([busyEvent(SLOT, 30)], two.as)
    expect((await service.book(id, SLOT)).status).toBe(409)
    const { body } = await service.book(id, SLOT + HOUR_MS)
    expect(body.calendar_connection_id).toBe(one.connectionId)
  })

  it('have less free time by what their calendars hold', async () => {
    const { world, service, key, id, one, two } = await hosted({
      assignment_strategy: 'availability_weighted',
    })
    await world.seed([busyEvent(SLOT - DAY_MS, 240)], one.as)
    await service.call('POST', `/v1/calendars/${one.connectionId}/sync`, { key })
    expect((await service.book(id, SLOT)).body.assigned_host.member_id).toBe(two.memberId)
  })

  it('are not closed by the calendar of a member who does not host', async () => {
    const { world, service, organization, key, id } = await hosted()
    await world.seed([busyEvent(SLOT, 30)], 'boss@example.com')
    await connectGoogle(service, world, key, { as: 'boss@example.com' })
    const { id: idle } = await createMember(organization)
    await world.seed([busyEvent(SLOT, 30)], 'idle@example.com')
    await connectGoogle(service, world, key, { as: 'idle@example.com', memberId: idle })
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('are in one place with the event types that have no hosts and are written to the same calendar', async () => {
    const { world, service } = serviceWithGoogle()
    const organization = await createOrganization()
    const key = organization.liveKey
    const owner = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
      .bind(organization.ownerUserId)
      .first<{ id: string }>()
    await connectGoogle(service, world, key)
    const { id: alone } = await createEventType(key)
    const { id: withHost } = await createEventType(key)
    await addHost(key, withHost, owner!.id)
    const answers = await Promise.all([service.book(alone, SLOT), service.book(withHost, SLOT)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    await expectSoundHolds()
  })
})

describe('the sandbox', () => {
  it('is decided by the calendars that are connected in it, and live by its own', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey, testKey } = await createOrganization()
    const { id: live } = await createEventType(liveKey)
    const { id: test } = await createEventType(testKey)
    await connectGoogle(service, world, testKey)
    await world.seed([busyEvent(SLOT, 30)])
    expect((await service.book(live, SLOT)).status).toBe(201)
    expect((await service.book(test, SLOT)).status).toBe(409)
    const { body } = await service.book(test, SLOT + HOUR_MS)
    expect(body.busy_as_of).toEqual(expect.any(String))
  })
})
