import { call, callAsService } from './app.ts'
import { createEventType, createOrganization, iso } from './factories.ts'
import { addHost, createMember } from './hosts.ts'
import { daily } from './hours.ts'

type Row = Record<string, any>

/** The sandbox's clock stands still here. Clocks change on the 30th in Berlin, and on April 6th on Lord Howe. */
export const NOW = Date.UTC(2031, 2, 24, 12)
/** The zones of members, of whom one has none. */
export const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', null]

/** Eight event types that share five members, in every way in which hours can be put together. */
export async function makeWorld() {
  const organization = await createOrganization({ timezone: 'Pacific/Apia' })
  const key = organization.testKey
  await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(NOW) } })
  const plenty = { active_per_email: 100_000, waiting_per_email: 100_000 }
  await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { public_limits: plenty } })
  const members: string[] = []
  for (const timezone of ZONES) {
    const { id } = await createMember(organization)
    await call('PATCH', `/v1/organizations/${organization.id}/members/${id}`, {
      key: organization.liveKey,
      body: { timezone },
    })
    members.push(id)
  }
  const schedule = async (input: Row) => {
    const { status, body } = await call('POST', '/v1/schedules', { key, body: { name: 'Hours', ...input } })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id as string
  }
  const shared = await schedule({
    timezone: 'Europe/Berlin',
    rules: daily(['08:00', '12:00'], ['13:00', '18:00']),
  })
  for (const at of [0, 1, 3]) {
    const rules = daily(['07:00', '15:00'], ['16:00', '22:00'])
    await schedule({ member_id: members[at], is_default: true, rules })
  }
  const kinds: [Row, number[]][] = [
    [{ assignment_strategy: 'round_robin', buffer_after_minutes: 10 }, [0, 1, 2]],
    [{ assignment_strategy: 'least_bookings', hours_from: 'hosts', slot_interval_minutes: 20 }, [0, 1, 3]],
    [{ buffer_before_minutes: 15, timezone: 'America/New_York' }, [0, 3]],
    [{ hours_from: 'hosts', slot_interval_minutes: 50 }, [1, 3]],
    [{ assignment_strategy: 'least_recent', max_attendees: 3, schedule_id: shared }, [0, 4]],
    [{ max_attendees: 3, bookable_until: '2031-04-04' }, [1, 2]],
    [
      {
        schedule_id: shared,
        booking_cap: 3,
        booking_cap_period: 'daily',
        timezone: 'Asia/Kathmandu',
        booking_window_days: 10,
        invitee_limit: 2,
      },
      [],
    ],
    [
      {
        assignment_strategy: 'availability_weighted',
        hours_from: 'hosts',
        invitee_limit: 3,
        bookable_from: '2031-03-26',
      },
      [0, 1, 2, 3, 4],
    ],
  ]
  const types: string[] = []
  for (const [input, hosts] of kinds) {
    const { id } = await createEventType(
      key,
      { waitlist_enabled: true, waitlist_max: 500, ...input },
      daily(['06:00', '20:00']),
    )
    for (const at of hosts) await addHost(key, id, members[at]!)
    types.push(id)
  }
  return { organization, key, members, types, schedules: [shared] }
}

export type World = Awaited<ReturnType<typeof makeWorld>>
