import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type Answered, call } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily, setLimits } from '../support/hours.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** A Wednesday, so that its week is around it. */
const DAY = wednesday(dayFromNow(3))
const ROUND = { assignment_strategy: 'round_robin' }

function wednesday(from: number): number {
  return from + ((3 - new Date(from).getUTCDay() + 7) % 7) * DAY_MS
}

function at(time: string, day = DAY): number {
  return Date.parse(`${dateOf(day)}T${time}:00Z`)
}

async function timesOf(id: string, day = DAY): Promise<string[]> {
  return (await openStarts(id, day)).map((start) => start.slice(11, 16))
}

const codeOf = async (answer: Promise<Answered>) => {
  const { status, body } = await answer
  return body.error?.code ?? status
}

/** One member who hosts several event types, each open from nine to eleven. */
async function worldOf(inputs: readonly Record<string, unknown>[], limits: Parameters<typeof setLimits>[1]) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id: memberId } = await createMember(organization)
  await setLimits(memberId, limits)
  const ids: string[] = []
  for (const input of inputs) {
    const { id } = await createEventType(key, input, daily(['09:00', '11:00']))
    await addHost(key, id, memberId)
    ids.push(id)
  }
  const move = (bookingId: string, to: number) =>
    call('POST', `/v1/bookings/${bookingId}/reschedule`, { key, body: { new_start_time: iso(to) } })
  const cancel = (bookingId: string) => call('POST', `/v1/bookings/${bookingId}/cancel`, { key })
  return { organization, key, memberId, ids, move, cancel }
}

describe('the limit of a member', () => {
  it('of a day holds over all event types, and only on that day', async () => {
    const { ids, cancel } = await worldOf([ROUND, ROUND], { perDay: 2 })
    const [one, other] = ids as [string, string]
    expect((await bookAsAnother(one, at('09:00'))).status).toBe(201)
    expect(await timesOf(other)).toEqual(['09:30', '10:00', '10:30'])
    const { body } = await bookAsAnother(other, at('10:00'))
    for (const id of ids) {
      expect(await timesOf(id)).toEqual([])
      expect(await codeOf(bookAsAnother(id, at('10:30')))).toBe('no_host_available')
    }
    expect(await timesOf(one, DAY + DAY_MS)).toHaveLength(4)
    await cancel(body.id)
    expect(await timesOf(one)).toEqual(['09:30', '10:00', '10:30'])
    expect((await bookAsAnother(one, at('10:30'))).status).toBe(201)
  })

  it('of a week begins on Monday', async () => {
    const { ids } = await worldOf([ROUND], { perWeek: 2 })
    const [id] = ids as [string]
    const monday = DAY - 2 * DAY_MS + 7 * DAY_MS
    for (const day of [monday, monday + 6 * DAY_MS]) {
      expect((await bookAsAnother(id, at('09:00', day))).status).toBe(201)
    }
    for (let day = 0; day < 7; day++) expect(await timesOf(id, monday + day * DAY_MS)).toEqual([])
    expect(await timesOf(id, monday - DAY_MS)).toHaveLength(4)
    expect(await timesOf(id, monday + 7 * DAY_MS)).toHaveLength(4)
    expect(await codeOf(bookAsAnother(id, at('10:00', monday + 3 * DAY_MS)))).toBe('no_host_available')
    expect((await bookAsAnother(id, at('10:00', monday - DAY_MS))).status).toBe(201)
  })

  it("is judged in the member's zone, and in the organization's if the member has none", async () => {
    // In Samoa the day changes at 11:00 UTC, in the line islands at 10:00.
    const organization = await createOrganization({ timezone: 'Pacific/Apia' })
    const key = organization.liveKey
    const { id: memberId } = await createMember(organization)
    await setLimits(memberId, { perDay: 1 })
    const { id } = await createEventType(key, { ...ROUND, timezone: 'UTC' }, daily(['09:00', '12:00']))
    await addHost(key, id, memberId)
    expect((await bookAsAnother(id, at('09:00'))).status).toBe(201)
    expect(await timesOf(id)).toEqual(['11:00', '11:30'])
    await setLimits(memberId, { perDay: 1, timezone: 'Pacific/Kiritimati' })
    expect(await timesOf(id)).toEqual(['10:00', '10:30', '11:00', '11:30'])
    expect(await codeOf(bookAsAnother(id, at('09:30')))).toBe('no_host_available')
    expect((await bookAsAnother(id, at('10:00'))).status).toBe(201)
    expect(await timesOf(id)).toEqual([])
  })

  it('counts a collective meeting for each host, and closes it if one host has reached the limit', async () => {
    const { organization, key, memberId, ids } = await worldOf([{}, ROUND], { perDay: 1 })
    const [all, alone] = ids as [string, string]
    const { id: second } = await createMember(organization)
    await addHost(key, all, second)
    expect((await bookAsAnother(all, at('09:00'))).status).toBe(201)
    expect(await timesOf(alone)).toEqual([])
    expect(await timesOf(all)).toEqual([])
    expect(await codeOf(bookAsAnother(all, at('10:00')))).toBe('conflict')
    await setLimits(memberId, { perDay: null })
    await setLimits(second, { perDay: 1 })
    expect(await timesOf(alone)).toEqual(['09:30', '10:00', '10:30'])
    expect(await timesOf(all)).toEqual([])
  })

  it('leaves a session that moves out, however far ahead and days from where it was', async () => {
    const { ids, move } = await worldOf([{ ...ROUND, max_attendees: 3 }], { perWeek: 1 })
    const monday = DAY + 5 * DAY_MS + 35 * DAY_MS
    const { body } = await bookAsAnother(ids[0]!, at('09:00', monday))
    const friday = at('10:00', monday + 4 * DAY_MS)
    expect(await codeOf(bookAsAnother(ids[0]!, friday))).toBe('no_host_available')
    expect(await codeOf(move(body.id, friday))).toBe(200)
    const { body: joined } = await bookAsAnother(ids[0]!, friday)
    expect(await codeOf(move(joined.id, at('10:00', monday)))).toBe('no_host_available')
  })

  it('leaves a session that moves out once there is one seat, too', async () => {
    const { key, ids, move } = await worldOf([{ ...ROUND, max_attendees: 3 }], { perWeek: 1 })
    const monday = DAY + 5 * DAY_MS + 35 * DAY_MS
    const { body } = await bookAsAnother(ids[0]!, at('09:00', monday))
    await call('PATCH', `/v1/event-types/${ids[0]}`, { key, body: { max_attendees: 1 } })
    expect(await codeOf(move(body.id, at('10:00', monday + 4 * DAY_MS)))).toBe(200)
  })

  it('has room again once the only one in a session days before gives up their seat', async () => {
    const { ids, cancel } = await worldOf([{ ...ROUND, max_attendees: 3 }], { perWeek: 1 })
    const [id] = ids as [string]
    const monday = DAY + 5 * DAY_MS + 35 * DAY_MS
    const friday = at('10:00', monday + 4 * DAY_MS)
    const held = { event_type_id: id, start_time: iso(at('09:00', monday)) }
    const { body: hold } = await call('POST', '/v1/holds', { body: held })
    expect(await codeOf(bookAsAnother(id, friday))).toBe('no_host_available')
    await call('POST', `/v1/holds/${hold.id}/release?token=${hold.token}`)
    const { status, body } = await bookAsAnother(id, friday)
    expect(status).toBe(201)
    await cancel(body.id)
    const { body: first } = await bookAsAnother(id, at('09:00', monday))
    expect(await codeOf(bookAsAnother(id, friday))).toBe('no_host_available')
    await cancel(first.id)
    expect(await codeOf(bookAsAnother(id, friday))).toBe(201)
  })

  it('counts a session once, and its further seats stay open', async () => {
    const { ids, cancel } = await worldOf([{ ...ROUND, max_attendees: 3 }, ROUND], { perDay: 1 })
    const [group, alone] = ids as [string, string]
    const first = await bookAsAnother(group, at('09:00'))
    expect((await bookAsAnother(group, at('09:00'))).status).toBe(201)
    expect(await timesOf(group)).toEqual(['09:00'])
    expect(await codeOf(bookAsAnother(group, at('09:30')))).toBe('no_host_available')
    expect((await bookAsAnother(group, at('09:00'))).status).toBe(201)
    await cancel(first.body.id)
    expect(await timesOf(alone)).toEqual([])
    expect(await timesOf(group)).toEqual(['09:00'])
  })

  it('leaves a booking that moves out, and keeps others out of a full day', async () => {
    const { ids, move } = await worldOf([ROUND, ROUND], { perDay: 1 })
    const [one, other] = ids as [string, string]
    const { body: today } = await bookAsAnother(one, at('09:00'))
    const { body: tomorrow } = await bookAsAnother(other, at('09:00', DAY + DAY_MS))
    expect((await move(today.id, at('10:00'))).status).toBe(200)
    expect(await codeOf(move(tomorrow.id, at('09:00')))).toBe('no_host_available')
    expect((await move(tomorrow.id, at('10:30', DAY + DAY_MS))).status).toBe(200)
    const { body: seat } = await call('GET', `/v1/bookings/${tomorrow.id}?token=${tomorrow.cancel_token}`)
    expect(seat.start_time).toBe(iso(at('10:30', DAY + DAY_MS)))
  })

  it('counts a meeting once after its host left the event type and came back', async () => {
    const { key, memberId, ids } = await worldOf([ROUND], { perDay: 2 })
    const [id] = ids as [string]
    expect((await bookAsAnother(id, at('09:00'))).status).toBe(201)
    await call('DELETE', `/v1/event-types/${id}/hosts/${memberId}`, { key })
    await addHost(key, id, memberId)
    expect((await bookAsAnother(id, at('10:00'))).status).toBe(201)
    expect(await timesOf(id)).toEqual([])
  })

  it('leaves what is booked alone when it is lowered', async () => {
    const { memberId, ids, key } = await worldOf([ROUND], { perDay: null })
    const [id] = ids as [string]
    for (const time of ['09:00', '09:30']) expect((await bookAsAnother(id, at(time))).status).toBe(201)
    await setLimits(memberId, { perDay: 1 })
    expect(await timesOf(id)).toEqual([])
    const { body } = await call('GET', `/v1/bookings?event_type_id=${id}&status=confirmed`, { key })
    expect(body.data).toHaveLength(2)
  })

  it('passes the booking on to a host who has not reached the limit', async () => {
    const { organization, key, memberId, ids } = await worldOf([ROUND], { perDay: 1 })
    const [id] = ids as [string]
    const { id: second } = await createMember(organization)
    await addHost(key, id, second, { priority: 100 })
    const hosts = []
    for (const time of ['09:00', '09:30', '10:00']) {
      hosts.push((await bookAsAnother(id, at(time))).body.assigned_host.member_id)
    }
    expect(hosts).toEqual([memberId, second, second])
  })

  it('holds under parallel calls over two event types, by booking, moving and promotion', async () => {
    const { organization, key, memberId, ids, move, cancel } = await worldOf(
      [ROUND, ROUND, { ...ROUND, waitlist_enabled: true }, {}],
      { perDay: 2, perWeek: 3 },
    )
    const [one, other, waited] = ids as [string, string, string]
    const free = await createMember(organization)
    await addHost(key, waited, free.id, { priority: 100 })
    const monday = DAY - 2 * DAY_MS
    const days = [0, 1, 2, 3].map((day) => monday + 7 * DAY_MS + day * DAY_MS)
    const starts = days.flatMap((day) => ['09:00', '09:30', '10:00', '10:30'].map((time) => at(time, day)))
    const { body: far } = await bookAsAnother(one, at('09:00', DAY + 14 * DAY_MS))
    const { body: gone } = await bookAsAnother(other, starts[0]!)
    for (const start_time of [iso(starts[1]!), null]) {
      const body = {
        event_type_id: waited,
        invitee_name: 'Ada',
        invitee_email: `${unique('w')}@example.com`,
        start_time,
      }
      expect((await call('POST', '/v1/waitlist', { body })).status).toBe(201)
    }
    const answers = await Promise.all([
      ...starts.flatMap((start) => ids.map((id) => bookAsAnother(id, start))),
      move(far.id, starts[5]!),
      cancel(gone.id),
    ])
    const counts = Map.groupBy(answers, ({ status }) => status)
    expect([...counts.keys()].every((status) => [200, 201, 409].includes(status))).toBe(true)
    const { results } = await env.DB.prepare(
      'SELECT meets_at AS start FROM holds WHERE resource_id = ? AND kept_by = ? ORDER BY meets_at',
    )
      .bind(memberId, '')
      .all<{ start: number }>()
    const perDay = Map.groupBy(results, ({ start }) => dateOf(start))
    for (const held of perDay.values()) expect(held.length).toBeLessThanOrEqual(2)
    const inWeek = results.filter(({ start }) => start >= days[0]! && start < days[0]! + 7 * DAY_MS)
    expect(inWeek).toHaveLength(3)
  })
})

describe('the limit of an invitee', () => {
  async function limited(input: Record<string, unknown> = {}) {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { invitee_limit: 2, ...input }, daily(['09:00', '11:00']))
    const cancel = (bookingId: string) => call('POST', `/v1/bookings/${bookingId}/cancel`, { key })
    const move = (bookingId: string, to: number) =>
      call('POST', `/v1/bookings/${bookingId}/reschedule`, { key, body: { new_start_time: iso(to) } })
    const withKey = (start: number, invitee_email: string) =>
      call('POST', '/v1/bookings', {
        key,
        body: {
          event_type_id: id,
          start_time: iso(start),
          invitee_name: 'Ada',
          invitee_email,
        },
      })
    return { organization, key, id, cancel, move, withKey }
  }
  const REACHED = { code: 'conflict', details: { code: 'invitee_limit_reached' } }

  it('counts upcoming bookings of one address, with and without a key, whatever the case of its emails', async () => {
    const { id, cancel, withKey } = await limited()
    const email = `${unique('ada')}@example.com`
    const { body: first } = await book(id, at('09:00'), { invitee_email: email })
    expect((await withKey(at('09:30'), email.toUpperCase())).status).toBe(201)
    for (const answer of [
      await book(id, at('10:00'), { invitee_email: email }),
      await withKey(at('10:00'), email.replace('ada', 'aDa')),
    ]) {
      expect([answer.status, answer.body.error]).toMatchObject([409, REACHED])
      expect(answer.body.error.details).not.toHaveProperty('alternatives')
    }
    // What stands behind a plus is another address, and so is whoever is brought along.
    expect((await withKey(at('10:00'), email.replace('@', '+work@'))).status).toBe(201)
    await cancel(first.id)
    expect((await book(id, at('10:30'), { invitee_email: email })).status).toBe(201)
    expect((await withKey(at('09:00'), email)).body.error).toMatchObject(REACHED)
  })

  it('counts an address with emails beyond ASCII as one, too, and a seat of it once', async () => {
    const { id, withKey } = await limited({ max_attendees: 3 })
    const email = `${unique('Ünal')}@example.com`
    expect((await withKey(at('09:00'), email)).status).toBe(201)
    expect((await withKey(at('09:00'), email)).body.error.code).toBe('bad_request')
    expect((await withKey(at('09:30'), email.toLowerCase())).status).toBe(201)
    for (const spelling of [email, email.toLowerCase(), email.toUpperCase()]) {
      expect((await book(id, at('10:00'), { invitee_email: spelling })).body.error).toMatchObject(REACHED)
    }
  })

  it('counts the invitee and not their attendees, in one event type', async () => {
    const { id, key, withKey } = await limited({ max_attendees: 3 })
    const email = `${unique('ada')}@example.com`
    const guest = { name: 'Ada', email }
    for (const time of ['09:00', '09:30']) {
      expect((await bookAsAnother(id, at(time), { attendees: [guest] })).status).toBe(201)
    }
    for (const time of ['10:00', '10:30']) expect((await withKey(at(time), email)).status).toBe(201)
    const other = await createEventType(key, { invitee_limit: 1 })
    expect((await book(other.id, at('09:00'), { invitee_email: email })).status).toBe(201)
    const more = await book(other.id, at('09:30'), { invitee_email: email })
    expect(more.body.error).toMatchObject(REACHED)
    // Whoever holds is nobody yet.
    const body = { event_type_id: other.id, start_time: iso(at('09:30')) }
    expect((await call('POST', '/v1/holds', { body })).status).toBe(201)
  })

  it('is judged after the cap and before what is taken', async () => {
    const { id, key, withKey } = await limited({
      invitee_limit: 1,
      booking_cap: 2,
      booking_cap_period: 'daily',
    })
    const email = `${unique('ada')}@example.com`
    expect((await withKey(at('09:00'), email)).status).toBe(201)
    expect((await withKey(at('09:00'), email)).body.error.details.code).toBe('already_booked')
    expect((await withKey(at('03:00'), email)).body.error).toMatchObject(REACHED)
    expect((await bookAsAnother(id, at('09:30'))).status).toBe(201)
    expect((await withKey(at('10:00'), email)).body.error.code).toBe('booking_cap_reached')
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { invitee_limit: null, booking_cap: null } })
    expect((await withKey(at('10:00'), email)).status).toBe(201)
  })

  it('counts what lies ahead only, by the clock of the sandbox there', async () => {
    const organization = await createOrganization()
    const key = organization.testKey
    const clock = (now: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
    await clock(DAY)
    const { id } = await createEventType(key, { invitee_limit: 1 })
    const email = `${unique('ada')}@example.com`
    expect((await book(id, at('09:00'), { invitee_email: email })).status).toBe(201)
    expect((await book(id, at('12:00'), { invitee_email: email })).body.error).toMatchObject(REACHED)
    await clock(at('09:00'))
    expect((await book(id, at('12:00'), { invitee_email: email })).status).toBe(201)
  })

  it('leaves a booking that moves out, and counts the others', async () => {
    const { id, key, move, withKey } = await limited()
    const email = `${unique('ada')}@example.com`
    const { body } = await withKey(at('09:00'), email)
    await withKey(at('09:30'), email)
    expect((await move(body.id, at('10:00'))).status).toBe(200)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { invitee_limit: 1 } })
    expect((await move(body.id, at('10:30'))).body.error).toMatchObject(REACHED)
  })

  it('holds under parallel calls', async () => {
    const { id, withKey, move } = await limited()
    const email = `${unique('ada')}@example.com`
    const { body } = await withKey(at('10:30', DAY + DAY_MS), email)
    const starts = [0, 1, 2, 3].flatMap((day) =>
      ['09:00', '09:30', '10:00'].map((time) => at(time, DAY + day * DAY_MS)),
    )
    const answers = await Promise.all([
      ...starts.map((start, index) =>
        index % 2 ? withKey(start, email) : book(id, start, { invitee_email: email }),
      ),
      move(body.id, at('10:30')),
    ])
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const { status, body: told } of answers) {
      if (status >= 400) expect(told.error).toMatchObject(REACHED)
    }
  })

  it('lets no entry be promoted over it, and the entry goes on waiting', async () => {
    const { id, key, cancel, withKey } = await limited({ invitee_limit: 1, waitlist_enabled: true })
    const email = `${unique('ada')}@example.com`
    const { body: theirs } = await withKey(at('09:00'), email)
    const { body: given } = await bookAsAnother(id, at('09:30'))
    const wait = (invitee_email: string) =>
      call('POST', '/v1/waitlist', {
        body: {
          event_type_id: id,
          start_time: iso(at('09:30')),
          invitee_name: 'Ada',
          invitee_email,
        },
      })
    const { body: first } = await wait(email.toUpperCase())
    const { body: second } = await wait(`${unique('bob')}@example.com`)
    await cancel(given.id)
    const statusOf = async (entry: { id: string }) =>
      (await call('GET', `/v1/waitlist/${entry.id}`, { key })).body.status
    expect([await statusOf(first), await statusOf(second)]).toEqual(['waiting', 'promoted'])
    const { body: promoted } = await call('GET', `/v1/waitlist/${second.id}`, { key })
    await cancel(theirs.id)
    await cancel(promoted.promoted_booking_id)
    expect(await statusOf(first)).toBe('promoted')
  })

  it('is room again for what the invitee waits for, once one of theirs goes or the limit is higher', async () => {
    const ways: ((given: Awaited<ReturnType<typeof limited>>, theirs: string) => Promise<Answered>)[] = [
      ({ cancel }, theirs) => cancel(theirs),
      ({ key, id }) => call('PATCH', `/v1/event-types/${id}`, { key, body: { invitee_limit: 2 } }),
      ({ key, id }) => call('PATCH', `/v1/event-types/${id}`, { key, body: { invitee_limit: null } }),
    ]
    for (const way of ways) {
      const given = await limited({ invitee_limit: 1, waitlist_enabled: true })
      const email = `${unique('zoë')}@example.com`
      const { body: theirs } = await given.withKey(at('09:00'), email.toUpperCase())
      const wait = async (invitee_email: string, start?: number) => {
        const whatever = { event_type_id: given.id, invitee_name: 'Zoë', invitee_email }
        const body = { ...whatever, ...(start !== undefined && { start_time: iso(start) }) }
        return (await call('POST', '/v1/waitlist', { body })).body.id as string
      }
      const entries = [
        await wait(email, at('10:30')),
        await wait(email),
        await wait(`${unique('bob')}@example.com`, at('09:30')),
      ]
      const statuses = () =>
        Promise.all(
          entries.map(
            async (id) => (await call('GET', `/v1/waitlist/${id}`, { key: given.key })).body.status,
          ),
        )
      expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting'])
      expect((await way(given, theirs.id)).status).toBe(200)
      const isUnlimited = way === ways[2]
      expect((await statuses()).slice(0, 2)).toEqual(['promoted', isUnlimited ? 'promoted' : 'waiting'])
    }
  })

  it('is room again, however much was freed before and not yet handed out', async () => {
    const { id, key, cancel, withKey } = await limited({ invitee_limit: 1, waitlist_enabled: true })
    const email = `${unique('ada')}@example.com`
    const { body: theirs } = await withKey(at('09:00'), email.toUpperCase())
    const { body: entry } = await call('POST', '/v1/waitlist', {
      body: { event_type_id: id, start_time: iso(at('10:30')), invitee_name: 'Ada', invitee_email: email },
    })
    await env.DB.prepare(
      "INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?, 'some', 1, 2)",
    )
      .bind(id)
      .run()
    await cancel(theirs.id)
    expect((await call('GET', `/v1/waitlist/${entry.id}`, { key })).body.status).toBe('promoted')
  })
})
