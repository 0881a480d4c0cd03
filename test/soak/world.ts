import { randomUUID } from 'node:crypto'
import type { Ask } from '../support/storm/sound.ts'
import type { Bank } from './bank.ts'
import type { Calendars } from './calendars.ts'
import type { Caller, Json } from './caller.ts'
import { MOST_SEATS, type Organization, PLACES, type World } from './kinds.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const DAY_MS = 48 * HALF_HOUR_MS
const MEMBERS = 4
const HOURS = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '08:00',
  end_time: '14:00',
}))
const FEWER_HOURS = HOURS.map((rule) => ({ ...rule, start_time: '09:00', end_time: '12:00' }))
export const ALL_HOURS = [HOURS, HOURS, FEWER_HOURS]

const WAITS = { waitlist_enabled: true }
const ASKS = { ...WAITS, requires_approval: true }

/** As the storm has them, all of them public: four that compete for the same members, and three that need nobody. */
const KINDS: readonly (readonly [Json, readonly number[]])[] = [
  [{ ...WAITS, assignment_strategy: 'round_robin' }, [0, 1, 2, 3]],
  [{ ...ASKS, assignment_strategy: 'least_bookings', buffer_after_minutes: 15 }, [1, 2, 3]],
  [{ ...WAITS, assignment_strategy: 'none', buffer_before_minutes: 10 }, [0, 1]],
  [{ ...WAITS, assignment_strategy: 'availability_weighted', max_attendees: 3 }, [2, 3]],
  [{ ...ASKS, booking_cap: 5, booking_cap_period: 'daily' }, []],
  [{ ...ASKS, max_attendees: 4 }, []],
  [{ ...WAITS, booking_cap: 4, booking_cap_period: 'daily' }, []],
]

/** They share the two units of a room, which one of them needs besides a host. */
const SHARING: typeof KINDS = [
  [WAITS, []],
  [{ ...WAITS, assignment_strategy: 'round_robin' }, [0, 2]],
]

/** One with places to choose from, one whose first host takes part in each booking, and the class. */
const FURTHER: typeof KINDS = [
  [{ ...WAITS, places: PLACES }, []],
  [{ ...WAITS, assignment_strategy: 'round_robin' }, [3, 0, 1]],
  [{ ...WAITS, max_attendees: MOST_SEATS }, []],
]
/** The steps of the event type that is booked for the next few minutes, at any time of the day. */
export const SOON_MINUTES = 5
const SOON: readonly (readonly [Json, readonly number[]])[] = [
  [{ duration_minutes: SOON_MINUTES, max_attendees: MOST_SEATS, reminder_intervals: [] }, []],
]
export const PRICE = 5_000
const PAID: readonly (readonly [Json, readonly number[]])[] = [
  [
    {
      price_amount: PRICE,
      refund_policy: [{ until_minutes_before: 0, percent: 100 }],
      slot_interval_minutes: 15,
      duration_minutes: 15,
    },
    [],
  ],
]
/** Its only host is the member behind all others, who has a calendar. */
const WRITTEN: readonly (readonly [Json, readonly number[]])[] = [
  [{ assignment_strategy: 'round_robin' }, [MEMBERS]],
]
const TEXTED: readonly (readonly [Json, readonly number[]])[] = [
  [{ reminder_channels: ['email', 'sms'] }, []],
]
const ALWAYS = HOURS.map((rule) => ({ ...rule, start_time: '00:00', end_time: '24:00' }))

const REQUIRED_HOST = KINDS.length + SHARING.length + 1

/** How many of the event types may have hosts. */
export const HOSTED = 4

/** Makes organizations as their owners do. Whatever happens in one is told to its path at the receiver. */
export async function makeWorld(
  caller: Pick<Caller, 'must'>,
  receiver: string,
  calendars: Pick<Calendars, 'open'>,
  count: number,
): Promise<World> {
  const organizations: Organization[] = []
  for (let made = 0; made < count; made++)
    organizations.push(await makeOrganization(caller, receiver, calendars, made % 2 === 0))
  return { organizations }
}

async function makeOrganization(
  caller: Pick<Caller, 'must'>,
  receiver: string,
  calendars: Pick<Calendars, 'open'>,
  followsCalendars: boolean,
): Promise<Organization> {
  const isOperator = true
  const named = { name: 'Soak', owner_user_id: randomUUID() }
  const { id } = await caller.must({ method: 'POST', path: '/v1/organizations', body: named, isOperator })
  const path = `/v1/organizations/${id}`
  await caller.must({ method: 'PATCH', path, body: { tier: 'scale' }, isOperator })
  const calendar_moves = followsCalendars ? 'follow' : 'ask'
  await caller.must({ method: 'PATCH', path, body: { calendar_moves }, as: id })
  const members: string[] = []
  for (let made = 0; made < MEMBERS + 1; made++) {
    const user_email = `${randomUUID()}@example.com`
    const invited = { email: user_email, role: 'member' }
    const { token } = await caller.must({
      method: 'POST',
      path: `${path}/invitations`,
      body: invited,
      as: id,
    })
    const body = { token, user_id: randomUUID(), user_email }
    members.push((await caller.must({ method: 'POST', path: '/v1/invitations/accept', body, isOperator })).id)
  }
  const room = { name: 'Soak', quantity: 2 }
  const { id: roomId } = await caller.must({ method: 'POST', path: '/v1/resources', body: room, as: id })
  const requires = [{ resource_ids: [roomId], count: 1 }]
  const sharing = SHARING.map(([kind, hosts]) => [{ ...kind, requires }, hosts] as const)
  const types: string[] = []
  for (const [kind, hosts] of [...KINDS, ...sharing, ...FURTHER, ...SOON, ...PAID, ...WRITTEN, ...TEXTED]) {
    const body = {
      duration_minutes: 30,
      ...kind,
      title: 'Soak',
      slug: `soak-${randomUUID()}`,
      minimum_notice_minutes: 0,
      booking_window_days: 365,
      timezone: 'UTC',
    }
    const type = await caller.must({ method: 'POST', path: '/v1/event-types', body, as: id })
    const own = `/v1/event-types/${type.id}`
    const rules = 'reminder_intervals' in kind ? ALWAYS : HOURS
    await caller.must({ method: 'PUT', path: `${own}/availability`, body: { rules }, as: id })
    for (const at of hosts) {
      const isRequired = types.length === REQUIRED_HOST && at === hosts[0]
      const host = { member_id: members[at], ...(isRequired && { part: 'required' }) }
      await caller.must({ method: 'POST', path: `${own}/hosts`, body: host, as: id })
    }
    types.push(type.id)
  }
  const hook = `/${id}`
  const endpoint = { url: receiver + hook, events: ['*'] }
  const { verification_status } = await caller.must({
    method: 'POST',
    path: '/v1/webhooks',
    body: endpoint,
    as: id,
  })
  if (verification_status !== 'verified') throw new Error('the receiver was not verified')
  const [classId, soonId, paidId, calendarTypeId, textId] = types.splice(-5)
  const account = { ...(await calendars.open(id)), member_id: members.pop() }
  const connect = { method: 'POST', path: '/v1/calendars/caldav/connect', body: account, as: id }
  const { id: connectionId } = await caller.must(connect)
  return {
    id,
    members,
    types,
    calendarTypeId: calendarTypeId!,
    textId: textId!,
    connectionId,
    classId: classId!,
    soonId: soonId!,
    paidId: paidId!,
    roomId,
    hook,
  }
}

/** Connects each organization to an account that takes payments, while the service does not run. */
export async function connectAccounts(ask: Ask, { organizations }: World, bank: Bank): Promise<void> {
  for (const { id } of organizations) {
    const accountId = await bank.openAccount()
    await ask(
      `INSERT INTO payment_accounts (organization_id, account_id, country, charges_enabled, payouts_enabled, connected_at,
       created_at, updated_at) VALUES (?1, ?2, 'DE', 1, 1, ?3, ?3, ?3)`,
      id,
      accountId,
      Date.now(),
    )
  }
}

const FIRST_DAY = Math.floor(Date.now() / DAY_MS) + 3
const STARTS_A_DAY = 12
/** Far enough ahead that no start passes, near enough that all may be booked. */
const DAYS = 300

/** The starts that are in demand on the `at`-th day of a run: one day of them. */
export function startsOf(at: number): readonly string[] {
  const first = (FIRST_DAY + (at % DAYS)) * DAY_MS + 16 * HALF_HOUR_MS
  return Array.from({ length: STARTS_A_DAY }, (_, index) =>
    new Date(first + index * HALF_HOUR_MS).toISOString(),
  )
}

/** The starts of a day, which is counted from 1970. */
export function startsOfDay(day: number): readonly number[] {
  return Array.from({ length: STARTS_A_DAY }, (_, index) => day * DAY_MS + (16 + index) * HALF_HOUR_MS)
}
