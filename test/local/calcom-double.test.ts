import { describe, expect, it } from 'vitest'
import { openCalcom } from '../../doubles/calcom/open-calcom.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'

const { base, control } = freshWorld(openCalcom)

const VERSIONS = { 'event-types': '2024-06-14', schedules: '2024-06-11', bookings: '2024-08-13' }

async function ask(path: string, version: string | null, key: string | null) {
  const response = await fetch(`${base()}/v2/${path}`, {
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(version !== null && { 'cal-api-version': version }),
    },
  })
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json }
}

const get = (path: string, who = 'ada') => {
  const address = path.split(/[/?]/)[0] as keyof typeof VERSIONS
  return ask(path, VERSIONS[address] ?? null, `cal_live_double_${who}`)
}

const dataOf = async (path: string, who?: string) => (await get(path, who)).json.data as Json[]
const titles = (data: Json[]) => data.map(({ title }) => title)
const uids = (data: Json[]) => data.map(({ uid }) => uid)

describe('keys', () => {
  it('say whose they are', async () => {
    expect((await get('me')).json).toMatchObject({
      status: 'success',
      data: { id: 101, email: 'ada.berger@example.com', timeZone: 'Europe/Berlin', defaultScheduleId: 1000 },
    })
  })

  it.each([
    ['cal_other', 'CustomThrottlerGuard - Invalid API Key'],
    ['other', 'ApiAuthStrategy - access token - Invalid Access Token.'],
  ])('are refused: %o', async (key, message) => {
    const { status, json } = await ask('me', null, key)
    expect(status).toBe(401)
    expect(json).toMatchObject({
      status: 'error',
      path: '/v2/me',
      error: {
        code: 'UnauthorizedException',
        message,
        details: { message, error: 'Unauthorized', statusCode: 401 },
      },
    })
  })

  it('are refused once expired, and if no key is sent', async () => {
    expect((await ask('me', null, null)).json.error.message).toContain('No authentication method provided')
    const { keys } = await control('GET', '')
    await control('PUT', '/keys', [{ ...keys[0], state: 'expired' }])
    expect((await get('me')).json.error.message).toBe('ApiAuthStrategy - api key - Your api key is expired')
  })

  it('are blocked for a minute beyond their limit', async () => {
    await control('PUT', '', { requestsPerMinute: 1 })
    const first = await get('me')
    expect(first.headers.get('X-RateLimit-Limit-Default')).toBe('1')
    expect(first.headers.get('X-RateLimit-Remaining-Default')).toBe('0')
    const second = await get('me')
    expect(second).toMatchObject({ status: 429, json: { error: { code: 'ThrottlerException' } } })
    expect(second.headers.get('X-RateLimit-Reset-Default')).toBe('60')
    expect(second.headers.get('Retry-After')).toBeNull()
    await control('PUT', '/clock', { ahead_ms: 121_000 })
    expect((await get('me')).status).toBe(200)
  })
})

describe('versions', () => {
  it('are dates of their own, and 404 where an address has no such one', async () => {
    const { status, json } = await ask('event-types', '2024-08-13', 'cal_live_double_ada')
    expect(status).toBe(404)
    expect(json.error).toMatchObject({ code: 'NotFoundException', message: 'Cannot GET /api/v2/event-types' })
    expect((await ask('schedules', '2024-08-13', 'cal_live_double_ada')).status).toBe(404)
    expect((await ask('me', '2024-08-13', 'cal_live_double_ada')).status).toBe(200)
  })

  it('are the oldest without the header, whose form is another', async () => {
    const old = async (path: string) => (await ask(path, null, 'cal_live_double_ada')).json.data as Json
    expect((await old('event-types')).eventTypeGroups[0].eventTypes[0]).toMatchObject({ length: 15 })
    expect((await old('schedules'))[0].availability[0]).toMatchObject({
      days: [1, 2, 3, 4],
      startTime: '1970-01-01T09:00:00.000Z',
    })
    expect((await old('bookings')).bookings[0]).toMatchObject({ uid: 'uidIntro', status: 'ACCEPTED' })
  })
})

describe('event types', () => {
  it('are those of the caller alone, copies of managed ones among them', async () => {
    expect(titles(await dataOf('event-types'))).not.toContain('Sales call')
    const [copy] = (await dataOf('event-types', 'cem')) as [Json]
    expect(copy).toMatchObject({ title: 'Support', ownerId: 103 })
    expect(copy).not.toHaveProperty('parentEventTypeId')
  })

  it('have every kind of field and location', async () => {
    const data = await dataOf('event-types')
    const intro = data.find(({ id }) => id === 1)!
    const types = new Set((intro.bookingFields as Json[]).map(({ type }) => type))
    for (const type of [
      'text',
      'select',
      'multiselect',
      'boolean',
      'checkbox',
      'radio',
      'number',
      'url',
      'address',
      'phone',
      'date',
    ])
      expect(types).toContain(type)
    expect((intro.bookingFields as Json[]).some(({ hidden }) => hidden)).toBe(false)
    const one = (await get('event-types/1')).json.data as Json
    expect((one.bookingFields as Json[]).some(({ hidden }) => hidden)).toBe(true)
    const kinds = new Set(data.flatMap(({ locations }) => locations as Json[]).map(({ type }) => type))
    expect([...kinds].sort()).toEqual([
      'address',
      'attendeeAddress',
      'attendeeDefined',
      'attendeePhone',
      'integration',
      'link',
      'phone',
      'unknown',
    ])
  })

  it('have lengths, buffers, windows, policies, seats and recurrence', async () => {
    const data = await dataOf('event-types')
    expect(data.find(({ id }) => id === 1)).toMatchObject({
      beforeEventBuffer: 5,
      afterEventBuffer: 10,
      bookingWindow: { type: 'businessDays', value: 10 },
      seats: { disabled: true },
      confirmationPolicy: { disabled: true },
    })
    expect(data.find(({ id }) => id === 2)!.lengthInMinutesOptions).toEqual([15, 30, 60])
    expect(data.find(({ id }) => id === 4)!.seats).toMatchObject({ seatsPerTimeSlot: 12 })
    expect(data.find(({ id }) => id === 6)!.recurrence).toEqual({
      interval: 1,
      occurrences: 4,
      frequency: 'weekly',
    })
    expect((await get('event-types/20')).json.error.message).toBe('Event type with id 20 not found')
  })

  it('are an error for an account without any, if a test wants that', async () => {
    await control('PUT', '', { noEventTypes: 'is refused' })
    for (const id of [20, 21]) await control('DELETE', `/objects/event_types/${id}`)
    expect((await get('event-types', 'sol')).json.error.message).toBe('Event types not found')
  })
})

describe('teams', () => {
  it('have event types with hosts, which everybody may read', async () => {
    expect((await dataOf('teams')).map(({ id }) => id)).toEqual([50])
    expect(await dataOf('teams', 'sol')).toEqual([])
    const { json } = await ask('teams/50/event-types', null, null)
    expect((json.data as Json[]).map(({ schedulingType }) => schedulingType)).toEqual([
      'roundRobin',
      'collective',
      'managed',
    ])
    expect(json.data[0].hosts.map(({ userId }: Json) => userId)).toEqual([101, 102, 103])
  })

  it('show members, hours and bookings to admins', async () => {
    const members = await dataOf('teams/50/memberships', 'ben')
    expect(members.map(({ role, accepted, user }) => [role, accepted, user.email])).toEqual([
      ['OWNER', true, 'ada.berger@example.com'],
      ['ADMIN', true, 'ben.okafor@example.com'],
      ['MEMBER', true, 'Cem.Yilmaz@Example.com'],
      ['MEMBER', false, 'dora@example.com'],
    ])
    expect((await dataOf('teams/50/schedules')).map(({ ownerId }) => ownerId)).toEqual([101, 101, 102, 103])
    expect(uids(await dataOf('teams/50/bookings'))).toEqual([
      'uidCollective',
      'uidRoundRobin',
      'uidUnknownHost',
    ])
    expect((await get('teams/50/memberships', 'cem')).json.error.message).toBe(
      'RolesGuard - user with id=103 does not have the minimum required role=TEAM_ADMIN within team with id=50.',
    )
    expect((await get('teams/50/bookings', 'sol')).json.error.message).toBe(
      'RolesGuard - User is not a member of the team with id=50.',
    )
  })
})

describe('schedules', () => {
  it('have days by name, several times of a day, and dates', async () => {
    const [hours, evenings] = (await dataOf('schedules')) as [Json, Json]
    expect(hours).toMatchObject({ ownerId: 101, timeZone: 'Europe/Berlin', isDefault: true })
    expect(hours.availability[0]).toEqual({
      days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday'],
      startTime: '09:00',
      endTime: '12:00',
    })
    expect(hours.overrides[0]).toMatchObject({ startTime: '00:00', endTime: '00:00' })
    expect(hours.overrides[1].date).toBe(hours.overrides[2].date)
    expect(evenings).toMatchObject({ timeZone: 'Europe/London', isDefault: false })
  })
})

describe('bookings', () => {
  it('are turned in pages', async () => {
    await control('POST', '/book', { count: 25 })
    const { json } = await get('bookings?take=10&skip=20&sortStart=asc', 'sol')
    expect(json.data).toHaveLength(6)
    expect(json.pagination).toEqual({
      returnedItems: 6,
      totalItems: 26,
      itemsPerPage: 10,
      remainingItems: 0,
      currentPage: 3,
      totalPages: 3,
      hasNextPage: false,
      hasPreviousPage: true,
    })
    expect((await get('bookings?take=10', 'sol')).json.pagination).toMatchObject({
      hasNextPage: true,
      remainingItems: 16,
    })
    expect((await get('bookings?take=251')).json.error.message).toBe('take must not be greater than 250')
    expect((await get('bookings?status=accepted')).json.error.message).toContain('Invalid status')
  })

  it('have statuses that overlap', async () => {
    const of = async (status: string) => uids(await dataOf(`bookings?status=${status}`))
    expect(await of('unconfirmed')).toEqual(['uidPending'])
    expect(await of('upcoming')).toContain('uidPending')
    expect(await of('recurring')).toEqual(['uidCoaching0', 'uidCoaching2', 'uidCoaching3'])
    expect(await of('past')).toEqual(['uidPast'])
    expect(await of('cancelled')).toEqual(['uidRejected', 'uidCancelled', 'uidMovedFrom', 'uidCoaching1'])
    expect(await of('past,unconfirmed')).toEqual(['uidPending', 'uidPast'])
  })

  it('are also those that the caller only attends', async () => {
    const data = await dataOf('bookings')
    expect(data.find(({ uid }) => uid === 'uidElsewhere')!.hosts[0].email).toBe('somebody@example.org')
    expect(uids(data)).not.toContain('uidRoundRobin')
  })

  it('name one host of several, and the others as attendees', async () => {
    const collective = (await dataOf('bookings')).find(({ uid }) => uid === 'uidCollective')!
    expect(collective.hosts.map(({ id }: Json) => id)).toEqual([101])
    expect(collective.attendees.map(({ email }: Json) => email)).toEqual([
      'margaret.hamilton@example.net',
      'ben.okafor@example.com',
      'Cem.Yilmaz@Example.com',
    ])
    await control('PUT', '', { collectiveHosts: 'all are hosts' })
    const again = (await get('bookings/uidCollective')).json.data as Json
    expect(again.hosts).toHaveLength(3)
    expect(again.attendees).toHaveLength(1)
  })

  it('are moved by cancelling one and making another', async () => {
    const [was, now] = [await get('bookings/uidMovedFrom'), await get('bookings/uidMovedTo')]
    expect(was.json.data).toMatchObject({ status: 'cancelled', rescheduledToUid: 'uidMovedTo' })
    expect(now.json.data).toMatchObject({ status: 'accepted', rescheduledFromUid: 'uidMovedFrom' })
  })

  it('have seats with answers of their own, which may be left out', async () => {
    const seated = (await get('bookings/uidSeats')).json.data as Json
    expect(seated).not.toHaveProperty('bookingFieldsResponses')
    expect(seated.attendees[1]).toMatchObject({
      seatUid: 'seat-2',
      email: 'ken.thompson@example.net',
      bookingFieldsResponses: { name: 'Ken Thompson', notes: 'Beginner' },
    })
    expect((await get('bookings/uidHiddenSeats')).json.data.attendees).toEqual([])
    await control('PUT', '', { hiddenAttendees: 'are shown' })
    expect((await get('bookings/uidHiddenSeats')).json.data.attendees).toHaveLength(2)
  })

  it('outlive event types and hosts', async () => {
    expect((await get('bookings/uidOrphan')).json.data).toMatchObject({ eventType: null, eventTypeId: null })
    expect((await get('bookings/uidUnknownHost')).json.data.hosts[0].id).toBe('unknown')
    expect((await get('bookings/uidOther')).json.error.code).toBe('NotFoundException')
  })

  it('have guests both as addresses and as attendees', async () => {
    const { data } = (await get('bookings/uidIntro')).json as { data: Json }
    expect(data.guests).toEqual(['friend@example.net'])
    expect(data.attendees).toHaveLength(2)
    expect(data.bookingFieldsResponses).toMatchObject({ topics: ['Design', 'Web'], terms: true, seats: 3 })
    expect(JSON.stringify(data)).not.toContain('_hostId')
  })
})
