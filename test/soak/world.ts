import { randomUUID } from 'node:crypto'
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
const REQUIRED_HOST = KINDS.length + SHARING.length + 1

/** How many of the event types may have hosts. */
export const HOSTED = 4

/** Makes organizations as their owners do. Whatever happens in one is told to its path at the receiver. */
export async function makeWorld(caller: Caller, receiver: string, count: number): Promise<World> {
  const organizations: Organization[] = []
  for (let made = 0; made < count; made++) organizations.push(await makeOrganization(caller, receiver))
  return { organizations }
}

async function makeOrganization(caller: Caller, receiver: string): Promise<Organization> {
  const isOperator = true
  const named = { name: 'Soak', owner_user_id: randomUUID() }
  const { id } = await caller.must({ method: 'POST', path: '/v1/organizations', body: named, isOperator })
  const path = `/v1/organizations/${id}`
  await caller.must({ method: 'PATCH', path, body: { tier: 'scale' }, isOperator })
  const members: string[] = []
  for (let made = 0; made < MEMBERS; made++) {
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
  for (const [kind, hosts] of [...KINDS, ...sharing, ...FURTHER]) {
    const body = {
      ...kind,
      title: 'Soak',
      slug: `soak-${randomUUID()}`,
      duration_minutes: 30,
      minimum_notice_minutes: 0,
      booking_window_days: 365,
      timezone: 'UTC',
    }
    const type = await caller.must({ method: 'POST', path: '/v1/event-types', body, as: id })
    const own = `/v1/event-types/${type.id}`
    await caller.must({ method: 'PUT', path: `${own}/availability`, body: { rules: HOURS }, as: id })
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
  return { id, members, types: types.slice(0, -1), classId: types.at(-1)!, roomId, hook }
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
