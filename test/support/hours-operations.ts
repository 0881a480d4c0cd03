import { type Answered, call } from './app.ts'
import { chance } from './chance.ts'
import { bookingInput, dateOf, iso, openStarts, unique } from './factories.ts'
import { createMember } from './hosts.ts'
import { daily } from './hours.ts'
import { NOW, type World, ZONES } from './hours-world.ts'
import { packAll } from './packed.ts'
import { rows } from './storm/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What the storm is about. */
export const FIRST = NOW + DAY_MS / 2
export const DAYS = 14
/** On these most of it happens, so that time gets scarce: clocks change on two of them. */
const BUSY_DAYS = [1, 2, 5, 12]
const AT_A_TIME = 16

const OPENING = [
  'other hours',
  'back',
  'limit',
  'change',
  'host',
  'unhost',
  'other host',
  'other time off',
  'new hours',
]

type Row = Record<string, any>
type Booked = { readonly id: string; readonly cancel_token: string; readonly event_type_id: string }

/**
 * Does so much of everything at random, many at a time, and tells how often each was answered how. `tell` hears at once of
 * time off and the bookings that it was said to affect.
 */
export async function storm(
  world: World,
  seed: number,
  howMuch: number,
  tell: (created: Row) => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const { organization, key, members, types, schedules } = world
  const inOrganization = (path: string) => `/v1/organizations/${organization.id}${path}`
  const { below: random, pick } = chance(seed)
  const booked: Booked[] = []
  const timeOff: string[] = []
  const everybody: string[] = []
  const counts = new Map<string, number>()
  const someDay = () => FIRST + (random(5) > 0 ? pick(BUSY_DAYS) : random(DAYS)) * DAY_MS
  const someStart = () => someDay() + random(96) * (HOUR_MS / 4)
  const someWindows = () =>
    pick([
      daily(['06:00', '22:00']),
      daily(['07:00', '12:00'], ['12:30', '21:00']),
      daily(['08:00', '11:20'], ['13:10', '18:00']),
      daily(['20:00', '24:00'], ['00:00', '06:00']),
      daily(['05:00', '23:30']),
      random(2) ? [] : daily(['09:00', '17:00']),
    ])
  const openStart = async (id: string, day = someDay(), days = 0) => {
    const open = await openStarts(id, day, day + days * DAY_MS)
    return open.length > 0 && random(8) > 0 ? Date.parse(pick(open)) : someStart()
  }
  const bookAt = async (id: string, start: number) => {
    const input = bookingInput(id, start, { invitee_email: `p${random(20)}@example.com` })
    const answer = await call('POST', '/v1/bookings', { body: input })
    if (answer.status === 201) booked.push(answer.body)
    return answer
  }
  const waitFor = (event_type_id: string, start_time?: string) => {
    const who = { invitee_name: 'Wil', invitee_email: `${unique('w')}@example.com` }
    return call('POST', '/v1/waitlist', {
      body: { event_type_id, ...who, ...(start_time && { start_time }) },
    })
  }
  const byToken = ({ id, cancel_token }: Booked, verb: string, body = {}) =>
    call('POST', `/v1/bookings/${id}/${verb}?token=${cancel_token}`, { body })
  const withKey = (method: string, path: string, body?: Row) =>
    call(method, path, { key, ...(body && { body }) })

  /** How often each is done, against the others. */
  const operations: Readonly<Record<string, readonly [number, (start?: number) => Promise<Answered>]>> = {
    book: [
      40,
      async () => {
        const id = pick(types)
        return bookAt(id, await openStart(id))
      },
    ],
    // Several want the same people on the same day, while somebody is off and takes fewer.
    rush: [
      2,
      async () => {
        const day = someDay()
        const starts = await Promise.all(types.map(async (id) => [id, await openStart(id, day, 0)] as const))
        const member = pick(members)
        const [first] = await Promise.all([
          ...starts.map(([id, start]) => bookAt(id, start)),
          operations.off![1](day + 8 * HOUR_MS),
          call('PATCH', inOrganization(`/members/${member}`), {
            key: organization.liveKey,
            body: { max_bookings_per_day: 1 },
          }),
          ...starts.map(([id, start]) => bookAt(id, start)),
        ])
        return first!
      },
    ],
    cancel: [12, () => byToken(booked.splice(random(booked.length), 1)[0]!, 'cancel')],
    move: [
      10,
      async () => {
        const one = pick(booked)
        return byToken(one, 'reschedule', { new_start_time: iso(await openStart(one.event_type_id)) })
      },
    ],
    // For any time, for one that is taken, or for one that may be open or not.
    wait: [
      20,
      async () => {
        const event_type_id = pick(types)
        const day = someDay()
        const query = `event_type_id=${event_type_id}&start=${dateOf(day)}&end=${dateOf(day)}&timezone=UTC`
        const { body: found } = await call('GET', `/v1/availability?${query}`)
        const taken = (found.waitlist_slots ?? []).map((slot: Row) => slot.start_time)
        const which = random(8)
        const start_time = which < 5 && taken.length > 0 ? (pick(taken) as string) : iso(someStart())
        return waitFor(event_type_id, which < 6 ? start_time : undefined)
      },
    ],
    'new hours': [
      3,
      async () => {
        const member_id = pick([...members, null])
        const answer = await withKey('POST', '/v1/schedules', {
          name: 'More',
          member_id,
          is_default: member_id !== null && random(2) > 0,
          timezone: pick(['UTC', 'Asia/Kathmandu', 'America/New_York']),
          rules: someWindows(),
        })
        if (answer.status === 201) schedules.push(answer.body.id)
        return answer
      },
    ],
    'other hours': [
      6,
      () => {
        const body = pick([
          { rules: someWindows() },
          { timezone: pick(['UTC', 'Australia/Lord_Howe', 'Europe/Berlin']) },
          {
            overrides: [
              {
                date: dateOf(someDay()),
                intervals: random(2) ? [] : [{ start_time: '09:10', end_time: '17:00' }],
              },
            ],
          },
          { is_default: random(2) > 0 },
        ])
        return withKey('PATCH', `/v1/schedules/${pick(schedules)}`, body)
      },
    ],
    'no hours': [2, () => withKey('DELETE', `/v1/schedules/${pick(schedules)}`)],
    off: [
      5,
      async (start = someStart()) => {
        const period = pick([
          { start: iso(start), end: iso(start + (1 + random(30)) * HOUR_MS) },
          { start: dateOf(start), end: dateOf(start + random(2) * DAY_MS) },
        ])
        const whose = random(6) === 0 ? { all: true } : { member_ids: [pick(members)] }
        const named = random(3) === 0 ? { external_id: `x${random(3)}` } : {}
        const answer = await withKey('POST', '/v1/time-off', { ...whose, ...period, ...named })
        if (answer.status === 201) {
          for (const { id, member_id } of answer.body.data)
            (member_id === null ? everybody : timeOff).push(id)
          // What replaces time off under its name is no new row.
          if (!('external_id' in named)) await tell(answer.body)
        }
        return answer
      },
    ],
    back: [5, () => withKey('DELETE', `/v1/time-off/${everybody[2] ? everybody.shift() : pick(timeOff)}`)],
    'other time off': [
      2,
      () => {
        const start = someStart()
        return withKey('PATCH', `/v1/time-off/${pick(timeOff)}`, {
          start: iso(start),
          end: iso(start + 5 * HOUR_MS),
        })
      },
    ],
    limit: [
      5,
      () => {
        const path = inOrganization(`/members/${pick(members)}`)
        const body = pick([
          { max_bookings_per_day: pick([null, 1, 2, 3]) },
          { max_bookings_per_week: pick([null, 4, 8]) },
          { timezone: pick(ZONES) },
        ])
        return call('PATCH', path, { key: organization.liveKey, body })
      },
    ],
    'leave and come': [
      1,
      async () => {
        const at = random(members.length)
        const { id } = await createMember(organization)
        const [gone] = members.splice(at, 1, id)
        await withKey('POST', `/v1/event-types/${pick(types)}/hosts`, { member_id: id })
        await withKey('POST', '/v1/schedules', {
          name: 'New',
          member_id: id,
          is_default: true,
          rules: someWindows(),
        })
        return call('DELETE', inOrganization(`/members/${gone}`), { key: organization.liveKey })
      },
    ],
    host: [3, () => withKey('POST', `/v1/event-types/${pick(types)}/hosts`, { member_id: pick(members) })],
    unhost: [2, () => withKey('DELETE', `/v1/event-types/${pick(types)}/hosts/${pick(members)}`)],
    'other host': [
      3,
      () => {
        const body = pick([
          { schedule_id: null },
          { schedule_id: pick(schedules) },
          { priority: 1 + random(9) },
        ])
        return withKey('PATCH', `/v1/event-types/${pick(types)}/hosts/${pick(members)}`, body)
      },
    ],
    change: [
      6,
      () => {
        const body = pick([
          { slot_interval_minutes: pick([null, 15, 45, 70]) },
          { booking_window_days: pick([null, 5, 12]) },
          { bookable_from: pick([null, '2031-03-26', '2031-03-28']) },
          { bookable_until: pick([null, '2031-04-02', '2031-04-05']) },
          { invitee_limit: pick([null, 1, 2, 5]) },
          { hours_from: pick(['own', 'hosts']) },
          { schedule_id: pick([null, ...schedules]) },
          { minimum_notice_minutes: pick([0, 1_500]) },
        ])
        return withKey('PATCH', `/v1/event-types/${pick(types)}`, body)
      },
    ],
  }

  const TIMES = Object.values(operations).reduce((sum, [often]) => sum + often, 0)

  async function operate(): Promise<[string, Answered]> {
    let dice = random(TIMES)
    for (const [name, [often, does]] of Object.entries(operations)) {
      dice -= often
      if (
        dice < 0 &&
        !(/cancel|move/.test(name) && booked.length === 0) &&
        !(/back|time off/.test(name) && timeOff.length === 0)
      ) {
        return [name, await does()]
      }
    }
    return ['book', await operations.book![1]()]
  }

  const note = (name: string, { status, body }: Answered) => {
    if (status >= 500) throw new Error(`${name} ${JSON.stringify(body)}`)
    const told = `${name} ${status}`
    counts.set(told, (counts.get(told) ?? 0) + 1)
  }
  const packs = chance(seed + 7)
  let left = howMuch
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (left-- > 0) {
        if (packs.below(6) === 0) await packAll(rows, packs)
        note(...(await operate()))
      }
    }),
  )

  // In the calm after it, one change at a time has to serve by itself whoever waits, before the public can be faster.
  const allOpen = async (id: string) => openStarts(id, FIRST, FIRST + (DAYS - 1) * DAY_MS)
  for (let round = 0; round < howMuch / 8; round++) {
    const id = pick(types)
    const before = new Set(await allOpen(id))
    note('wait', await waitFor(id))
    const name = pick(OPENING)
    if (!/back|time off/.test(name) || timeOff.length > 0) note(name, await operations[name]![1]())
    const opened = (await allOpen(id)).filter((start) => !before.has(start))
    if (opened.length > 0) note('book', await bookAt(id, Date.parse(pick(opened))))
  }
  return counts
}
