import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { callForNew } from '../../src/booking/bookings/follow-ups/statements.ts'
import { insertBooking, updateBookingAsRead } from '../../src/booking/bookings/statements.ts'
import { type OpenAccount, openAccount } from '../../src/calendars/accounts/open-account.ts'
import type { CalendarClient } from '../../src/calendars/client/calendar-client.ts'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { commitBatch, openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { type BookingRow, bookings } from '../../src/platform/db/schema/bookings.ts'
import { CalendarError } from '../../src/platform/icalendar/calendar-error.ts'
import { ALL_CLEAR } from '../../src/platform/icalendar/unclear-events.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { connectAs, pointToWorld, soon } from '../support/connected.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { exportOf, exportTextOf, forgetEverything, importText } from '../support/moves.ts'
import { answersWith } from '../support/oauth-calendars.ts'
import { afterPatience } from '../support/patience-of-writes.ts'
import { syncNow, syncWith } from '../support/sync.ts'
import { isWritten, writeOf } from '../support/written.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const google = pointToWorld('calendar_a')

type Json = Record<string, any>

async function connected(mode: 'live' | 'test' = 'live', member = '') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  return { ...organization, key, ...(await connect(key, member)) }
}

async function connect(key: string, member = '') {
  const email = `${unique('cal')}@example.com`
  const { status } = await connectAs(google, key, `/v1/calendars/calendar_a/connect${member}`, email)
  expect(status).toBe(200)
  const { body } = await call('GET', '/v1/calendars', { key })
  const { id } = body.data.find((one: Json) => one.account_email === email)
  return { email, connectionId: id as string }
}

async function eventsOf(email: string): Promise<Json[]> {
  return (await google.look(email)).events!.filter(({ deleted }) => !deleted)
}

function booking(key: string, id: string): Promise<Json> {
  return call('GET', `/v1/bookings/${id}`, { key }).then(({ body }) => body)
}

function makeDue(holderId: string) {
  return env.DB.prepare(
    'UPDATE calendar_writes SET next_attempt_at = 1, claimed_until = NULL WHERE holder_id = ?',
  )
    .bind(holderId)
    .run()
}

/** Asks the calendar as the sweep does. */
async function sync(connectionId: string): Promise<void> {
  await syncNow(env, connectionId)
}

function plain(key: string, input: Json = {}) {
  return createEventType(key, { reminder_intervals: [], ...input })
}

const at = (instant: number) => ({ dateTime: expect.stringContaining(iso(instant).slice(0, 19)) })

describe('a booking in the calendar', () => {
  it('is an event that appears, moves and goes with it', async () => {
    const { key, email } = await connected()
    const { id } = await plain(key, { location: 'Room 1' })
    const { body: made } = await book(id, SLOT, { notes: 'About tea' })
    const row = await isWritten(made.id)
    expect(await booking(key, made.id)).toMatchObject({ calendar_event_id: row.event_id, sync_error: null })
    const [event] = await eventsOf(email)
    expect(event).toMatchObject({
      summary: 'Intro call: Ada Lovelace',
      location: 'Room 1',
      start: at(SLOT),
      sequence: 0,
    })
    expect(event!.description).toContain('About tea')
    expect(JSON.stringify(event)).toContain(`${made.id}@holdfast`)
    expect(JSON.stringify(event)).not.toContain(made.cancel_token)

    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await soon(async () => expect(await eventsOf(email)).toMatchObject([{ start: at(SLOT + HOUR_MS) }]))
    const moved = await isWritten(made.id)
    expect(moved).toMatchObject({ event_id: row.event_id, sequence: 1 })

    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    await soon(async () => expect(await eventsOf(email)).toEqual([]))
    await soon(async () =>
      expect(await writeOf(made.id)).toMatchObject({ status: 'removed', event_id: null }),
    )
    expect(await booking(key, made.id)).toMatchObject({ status: 'cancelled', calendar_event_id: null })
  })

  it('is not there before it is paid for', async () => {
    const { key } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    const db = openDb(env, 'decide')
    const [row] = await db.select().from(bookings).where(eq(bookings.id, made.id))
    const unpaid = looseId()
    const waiting: BookingRow = { ...row!, id: unpaid, status: 'pending_payment' }
    await commitBatch(db, [
      insertBooking(db, waiting),
      ...callForNew(db, waiting, {
        eventType: { conferencingProvider: null, assignmentStrategy: 'round_robin' },
        organization: { hasCalendars: true },
      }),
    ])
    expect(await writeOf(unpaid)).toBeNull()
    await commitBatch(db, updateBookingAsRead(db, waiting, { status: 'confirmed' }))
    expect(await writeOf(unpaid)).toMatchObject({ status: 'pending', wanted_revision: 1 })
    await sweep(env, Date.now() + 1_000)
    expect(await isWritten(unpaid)).toMatchObject({ sequence: 1 })
  })

  it('of a session holds everybody who comes and leaves its other seats open', async () => {
    const { key, email, connectionId } = await connected()
    const { id } = await plain(key, { max_attendees: 3 })
    const { body: first } = await book(id, SLOT)
    const row = await env.DB.prepare('SELECT session_id FROM bookings WHERE id = ?')
      .bind(first.id)
      .first<any>()
    await isWritten(row.session_id)
    const { body: second } = await book(id, SLOT, {
      invitee_email: 'grace@example.com',
      invitee_name: 'Grace',
    })
    await soon(async () => {
      const [event, ...others] = await eventsOf(email)
      expect(others).toEqual([])
      expect(event!.summary).toBe('Intro call (2)')
      expect(event!.description).toContain('grace@example.com')
    })
    await isWritten(row.session_id)
    await sync(connectionId)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    const third = await book(id, SLOT, { invitee_email: 'third@example.com' })
    expect(third.status).toBe(201)
    for (const { id: bookingId } of [first, second]) {
      await call('POST', `/v1/bookings/${bookingId}/cancel`, { key })
    }
    await soon(async () => expect(await eventsOf(email)).toMatchObject([{ summary: 'Intro call (1)' }]))
    await call('POST', `/v1/bookings/${third.body.id}/cancel`, { key })
    await soon(async () => expect(await eventsOf(email)).toEqual([]))
  })

  it('of a session that ended goes although its organization moved before it was removed', async () => {
    const { key, email } = await connected()
    const { id } = await plain(key, { max_attendees: 3 })
    const { body: booked } = await book(id, SLOT)
    await soon(async () => expect(await eventsOf(email)).toHaveLength(1))
    const [write] = (await exportOf(key)).filter(({ type }) => type === 'calendar_writes')
    await isWritten(write.holder_id)
    await env.DB.prepare('UPDATE calendar_writes SET claimed_until = 8e15 WHERE holder_id = ?')
      .bind(write.holder_id)
      .run()
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    const text = await exportTextOf(key)
    await forgetEverything()
    expect(await importText(text)).toMatchObject({ status: 201, body: { rows: { calendar_writes: 1 } } })
    await makeDue(write.holder_id)
    await sweep(env, Date.now())
    await soon(async () => expect(await eventsOf(email)).toEqual([]))
  })

  /** A booking whose host, and so its calendar, becomes another one where it is moved by an hour. */
  async function betweenCalendars(input: Json = {}) {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await plain(key, { assignment_strategy: 'round_robin' })
    const [one, two] = await addHosts(organization, key, id, 2)
    const first = await connect(key, `?member_id=${one}`)
    const second = await connect(key, `?member_id=${two}`)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: input })
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    expect(made.assigned_host.member_id).toBe(one)
    await google.seed(
      [
        {
          summary: 'Away',
          start: { dateTime: iso(SLOT + HOUR_MS) },
          end: { dateTime: iso(SLOT + 2 * HOUR_MS) },
        },
      ],
      first.email,
    )
    await sync(first.connectionId)
    const move = () =>
      call('POST', `/v1/bookings/${made.id}/reschedule`, {
        key,
        body: { new_start_time: iso(SLOT + HOUR_MS) },
      })
    return { key, id, made, first, second, move }
  }

  it('moves to the calendar of the host that it moves to', async () => {
    const { key, made, first, second, move } = await betweenCalendars()
    const moved = await move()
    expect(moved.body).toMatchObject({ calendar_connection_id: second.connectionId, calendar_event_id: null })
    await soon(async () => {
      expect(await eventsOf(second.email)).toMatchObject([{ start: at(SLOT + HOUR_MS) }])
      expect(await eventsOf(first.email)).toMatchObject([{ summary: 'Away' }])
    })
    await soon(async () =>
      expect((await booking(key, made.id)).calendar_event_id).toEqual(expect.any(String)),
    )
  })

  it('keeps the link that was made with it, even if the event type has switched to Zoom since', async () => {
    const { key, id, made, second, move } = await betweenCalendars({
      conferencing_provider: 'calendar_a_meet',
    })
    const { conferencing_url: link } = await booking(key, made.id)
    expect(link).toMatch(/meet\.google\.com/)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { conferencing_provider: 'video_a' } })
    const { body: moved } = await move()
    expect(moved).toMatchObject({ calendar_connection_id: second.connectionId, conferencing_url: null })
  })

  it('waits for a calendar that is down, as long as that asks for, and is written once it is up', async () => {
    const { key, email } = await connected()
    const { id } = await plain(key)
    await answersWith(google, 503, { headers: { 'Retry-After': '1800' } })
    const { body: made } = await book(id, SLOT)
    const row = await soon(async () => {
      const found = await writeOf(made.id)
      expect(found.last_error).toContain('Google')
      return found
    })
    expect(row.next_attempt_at).toBeGreaterThan(Date.now() + 29 * 60_000)
    await google.noTroubles()
    await sweep(env, Date.now())
    expect(await eventsOf(email)).toEqual([])
    await makeDue(made.id)
    await sweep(env, Date.now())
    await isWritten(made.id)
    expect(await eventsOf(email)).toHaveLength(1)
  })

  it('is given up after a day, which its booking shows, and retried with the next change', async () => {
    const { key, email } = await connected()
    const { id } = await plain(key)
    await answersWith(google, 503, { headers: { 'Retry-After': '1' } })
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect((await writeOf(made.id)).last_error).not.toBeNull())
    await env.DB.prepare('UPDATE calendar_writes SET attempts = 8 WHERE holder_id = ?').bind(made.id).run()
    await makeDue(made.id)
    await writeToCalendar(env, await keyOf(made.id))
    expect(await writeOf(made.id)).toMatchObject({ status: 'failed', next_attempt_at: null })
    expect((await booking(key, made.id)).sync_error).toContain('Could not be written')
    await google.noTroubles()
    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await isWritten(made.id)
    expect((await booking(key, made.id)).sync_error).toBeNull()
    expect(await eventsOf(email)).toHaveLength(1)
  })

  it('is retried though it is refused, which the booking and its calendar soon show', async () => {
    const { key, connectionId } = await connected()
    const { id } = await plain(key)
    await google.troubles([{ about: '/events ', of: 'summary', status: 403, json: {}, times: null }])
    const { body: made } = await book(id, SLOT)
    const attempted = async (times: number) => {
      await soon(async () =>
        expect(await writeOf(made.id)).toMatchObject({ attempts: times, claimed_until: null }),
      )
      const { sync_error: ofBooking } = await booking(key, made.id)
      const { body } = await call('GET', '/v1/calendars', { key })
      const { sync_error: ofCalendar } = body.data.find((one: Json) => one.id === connectionId)
      return [ofBooking, ofCalendar]
    }
    expect(await attempted(1)).toEqual([null, null])
    for (const times of [2, 3]) {
      await makeDue(made.id)
      await writeToCalendar(env, await keyOf(made.id))
      expect(await writeOf(made.id)).toMatchObject({ attempts: times, status: 'pending' })
    }
    const told = expect.stringContaining('Could not be written')
    expect(await attempted(3)).toEqual([told, told])
    await google.noTroubles()
    await makeDue(made.id)
    await writeToCalendar(env, await keyOf(made.id))
    await syncNow(env, connectionId)
    expect(await writeOf(made.id)).toMatchObject({ status: 'written' })
    expect((await booking(key, made.id)).sync_error).toBeNull()
    expect((await call('GET', '/v1/calendars', { key })).body.data).toMatchObject([{ sync_error: null }])
  })

  /** A booking whose event is in the calendar, though the process died before it remembered to have written it. */
  async function writtenAndForgotten() {
    const { key, email } = await connected()
    const { id } = await plain(key)
    await answersWith(google, 503, { headers: { 'Retry-After': '1' } })
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect((await writeOf(made.id)).last_error).not.toBeNull())
    await google.noTroubles()
    await makeDue(made.id)
    await writeToCalendar(env, await keyOf(made.id), Date.now(), dyingAfter('writeEvent'))
    expect(await eventsOf(email)).toHaveLength(1)
    return { key, email, made }
  }

  it('is written once though the process dies between writing and remembering', async () => {
    const { email, made } = await writtenAndForgotten()
    expect(await writeOf(made.id)).toMatchObject({ event_id: null, status: 'pending' })
    await makeDue(made.id)
    await Promise.all([1, 2, 3].map(async () => writeToCalendar(env, await keyOf(made.id))))
    await isWritten(made.id)
    expect(await eventsOf(email)).toHaveLength(1)
  })

  it('is written by one writer at a time, which also handles changes that arrive in the meantime', async () => {
    const { key, connectionId } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    let atOnce = 0
    let most = 0
    let calls = 0
    const counting = openedWith((client) => ({
      writeEvent: async (...given) => {
        calls += 1
        atOnce += 1
        most = Math.max(most, atOnce)
        await new Promise((resolve) => setTimeout(resolve, 300))
        if (calls === 1) {
          await env.DB.prepare(
            'UPDATE calendar_writes SET wanted_revision = wanted_revision + 1, next_attempt_at = 2 WHERE holder_id = ?',
          )
            .bind(made.id)
            .run()
        }
        atOnce -= 1
        return client.writeEvent(...given)
      },
    }))
    await makeDue(made.id)
    const write = () => writeToCalendar(env, { holderId: made.id, connectionId }, Date.now(), counting)
    await Promise.all([write(), write(), write()])
    expect([calls, most]).toEqual([2, 1])
    expect(await writeOf(made.id)).toMatchObject({
      status: 'written',
      wanted_revision: 2,
      written_revision: 2,
    })
  })

  it('is removed though the process died before it remembered to have written it', async () => {
    const { key, email, made } = await writtenAndForgotten()
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    await soon(async () => expect(await eventsOf(email)).toEqual([]))
  })

  it('of a calendar that is no longer connected is left to its owner', async () => {
    const { key, email, connectionId } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    await call('DELETE', `/v1/calendars/${connectionId}`, { key })
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    await soon(async () => expect(await writeOf(made.id)).toBeNull())
    expect(await eventsOf(email)).toHaveLength(1)
  })

  it('has the number of an invitee who is to be called or has no address, and of nobody else', async () => {
    const { key, email } = await connected()
    const places = [{ kind: 'phone_out' }, { id: 'office', kind: 'in_person', value: '12 Analytical Row' }]
    const { id } = await plain(key, { places })
    const make = async (hour: number, input: Json) => {
      const body = { ...bookingInput(id, SLOT + hour * HOUR_MS), invitee_phone: '+4930901820', ...input }
      const { body: made } = await call('POST', '/v1/bookings', { key, body })
      await isWritten(made.id)
      return made.id as string
    }
    const called = await make(0, { place_id: 'phone_out', invitee_email: `${unique('ada')}@example.com` })
    await make(1, { place_id: 'office', invitee_email: null })
    await make(2, { place_id: 'office', invitee_email: `${unique('ada')}@example.com` })
    const described = async () => {
      const events = (await eventsOf(email)).toSorted((a: Json, b: Json) =>
        a.start.dateTime < b.start.dateTime ? -1 : 1,
      )
      return events.map(({ description }: Json) => description.includes('+4930901820'))
    }
    expect(await described()).toEqual([true, true, false])
    const other = { key, body: { invitee_phone: '+4930901821' } }
    expect((await call('PATCH', `/v1/bookings/${called}`, other)).status).toBe(200)
    await soon(async () => expect(await described()).toEqual([false, true, false]))
  })

  it('stays in the outbox of the sandbox', async () => {
    const { key, email } = await connected('test')
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    await soon(async () => {
      const { body } = await call('GET', '/v1/test-data/outbox', { key })
      const items = body.data.filter(({ channel }: Json) => channel === 'calendar')
      expect(items.map(({ to, subject }: Json) => [to, subject])).toEqual([
        [email, 'Remove'],
        [email, 'Create: Intro call: Ada Lovelace'],
      ])
      expect(items[1].body).toContain(`${made.id}@holdfast`)
    })
    expect(await eventsOf(email)).toEqual([])
  })
})

async function keyOf(holderId: string) {
  const { connection_id } = await writeOf(holderId)
  return { holderId, connectionId: connection_id as string }
}

/** The calendar of a process that dies when that call has been answered. */
function dyingAfter(method: 'writeEvent' | 'removeEvent'): OpenAccount {
  return openedWith((client) => {
    const real = client[method] as (...given: unknown[]) => Promise<unknown>
    return {
      [method]: async (...given: unknown[]) => {
        await real(...given)
        throw new Error('the process dies')
      },
    }
  })
}

/** The account with calendars that answer as `change` makes of it what the real ones answer. */
function openedWith(change: (client: CalendarClient) => Partial<CalendarClient>): OpenAccount {
  return async (...opening) => {
    const account = await openAccount(...opening)
    return {
      ...account,
      openCalendar: (calendar) => {
        const client = account.openCalendar(calendar)
        return { ...client, ...change(client) }
      },
    }
  }
}

describe('what its owner does to an event', () => {
  it('cancels the booking when it is deleted, once, with all that follows', async () => {
    const { id: organizationId, key, email, connectionId } = await connected()
    const { id } = await plain(key, { waitlist_enabled: true })
    const { body: made } = await book(id, SLOT)
    const { event_id } = await isWritten(made.id)
    const { body: entry } = await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: id,
        start_time: iso(SLOT),
        invitee_name: 'Grace',
        invitee_email: 'grace@example.com',
      },
    })
    await sync(connectionId)
    await google.remove(event_id, email)
    await sync(connectionId)
    await afterPatience(made.id)
    await soon(async () => {
      expect(await booking(key, made.id)).toMatchObject({
        status: 'cancelled',
        cancel_reason: 'Deleted in the calendar',
        calendar_event_id: null,
      })
      const { body } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
      expect(body.status).toBe('promoted')
    })
    await soon(async () => expect(await eventsOf(email)).toMatchObject([{ summary: 'Intro call: Grace' }]))
    await sync(connectionId)
    const { results } = await env.DB.prepare(
      'SELECT kind FROM events WHERE organization_id = ? ORDER BY sequence',
    )
      .bind(organizationId)
      .all<{ kind: string }>()
    expect(results.filter(({ kind }) => kind === 'booking.cancelled')).toHaveLength(1)
    expect(results.at(-1)!.kind).not.toBe('booking.cancelled')
    const { body } = await call('GET', '/v1/activity?action=booking.cancelled', { key })
    expect(body.data).toMatchObject([{ actor_type: 'system', resource_id: made.id }])
  })

  it('is not confused with our own removal', async () => {
    const { key, connectionId } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    await sync(connectionId)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key, body: { reason: 'Rain' } })
    await soon(async () => expect(await writeOf(made.id)).toMatchObject({ status: 'removed' }))
    await sync(connectionId)
    expect(await booking(key, made.id)).toMatchObject({ cancel_reason: 'Rain' })
  })

  it('cancels nothing if a listing is incomplete, or the calendar does not answer', async () => {
    const { key, connectionId } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    const { event_id } = await isWritten(made.id)
    await syncWith(env, connectionId, () => ({
      listChanges: async () => ({
        changed: [],
        gone: [],
        isComplete: true,
        cursor: null,
        unclear: ALL_CLEAR,
      }),
    }))
    await soon(async () =>
      expect(await writeOf(made.id)).toMatchObject({ status: 'written', suspected_at: null }),
    )
    expect(await booking(key, made.id)).toMatchObject({ status: 'confirmed', calendar_event_id: event_id })

    await env.DB.prepare('UPDATE calendar_writes SET suspected_at = 1 WHERE holder_id = ?')
      .bind(made.id)
      .run()
    await makeDue(made.id)
    const dead: OpenAccount = async (...opening) => ({
      ...(await openAccount(...opening)),
      findAnywhere: async () => {
        throw new CalendarError('unusable', 'The calendar is gone.')
      },
    })
    await writeToCalendar(env, { holderId: made.id, connectionId }, Date.now(), dead)
    expect(await booking(key, made.id)).toMatchObject({ status: 'confirmed' })
    expect(await writeOf(made.id)).toMatchObject({ status: 'pending', suspected_at: 1 })
  })

  it('flags the booking when it is moved, and not any more once it is back', async () => {
    const { key, email, connectionId } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    const { event_id } = await isWritten(made.id)
    await sync(connectionId)
    const to = (start: number) =>
      google.change(
        event_id,
        { start: { dateTime: iso(start) }, end: { dateTime: iso(start + HOUR_MS / 2) } },
        email,
      )
    await to(SLOT + 3 * HOUR_MS)
    await sync(connectionId)
    await soon(async () => {
      const found = await booking(key, made.id)
      expect(found).toMatchObject({ status: 'confirmed', start_time: iso(SLOT) })
      expect(found.sync_error).toContain(`Moved in the calendar to ${iso(SLOT + 3 * HOUR_MS)}`)
    })
    const connection = async () =>
      (await call('GET', '/v1/calendars', { key })).body.data.find((one: Json) => one.id === connectionId)
    expect(await connection()).toMatchObject({ status: 'active', sync_status: 'connected' })
    expect((await connection()).sync_error).toContain('Moved in the calendar')
    await sync(connectionId)
    expect((await connection()).sync_error).toContain('Moved in the calendar')

    await to(SLOT)
    await sync(connectionId)
    await soon(async () => expect((await booking(key, made.id)).sync_error).toBeNull())
    await soon(async () => expect((await connection()).sync_error).toBeNull())
  })

  it('gives way to what is booked later', async () => {
    const { key, email, connectionId } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    const { event_id } = await isWritten(made.id)
    await sync(connectionId)
    await google.change(
      event_id,
      {
        start: { dateTime: iso(SLOT + 5 * HOUR_MS) },
        end: { dateTime: iso(SLOT + 6 * HOUR_MS) },
      },
      email,
    )
    await sync(connectionId)
    await soon(async () => expect((await booking(key, made.id)).sync_error).toEqual(expect.any(String)))
    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await soon(async () => {
      expect(await eventsOf(email)).toMatchObject([{ start: at(SLOT + HOUR_MS) }])
      expect((await booking(key, made.id)).sync_error).toBeNull()
    })
  })

  it('cancels the booking also when it is about to be moved', async () => {
    const { key, email } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    const { event_id } = await isWritten(made.id)
    await google.remove(event_id, email)
    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await afterPatience(made.id)
    await soon(async () =>
      expect(await booking(key, made.id)).toMatchObject({
        status: 'cancelled',
        cancel_reason: 'Deleted in the calendar',
      }),
    )
    expect(await eventsOf(email)).toEqual([])
  })
})

describe('the sweep', () => {
  it('finds writes that were never enqueued', async () => {
    const { key, email } = await connected()
    const { id } = await plain(key)
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    await google.remove((await writeOf(made.id)).event_id, email)
    await env.DB.prepare(
      'UPDATE calendar_writes SET event_id = NULL, written_start = NULL, next_attempt_at = 1 WHERE holder_id = ?',
    )
      .bind(made.id)
      .run()
    await sweep(env, Date.now())
    await isWritten(made.id)
    expect(await eventsOf(email)).toHaveLength(1)
  })
})
