import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { withBooking } from '../../src/engine/schedule/apply-booking.ts'
import { withChecks } from '../../src/engine/schedule/calendar-times.ts'
import { decideStart } from '../../src/engine/schedule/decide-start.ts'
import { withHolds } from '../../src/engine/schedule/held-time.ts'
import { hostTimes } from '../../src/engine/schedule/host-times.ts'
import { loadForStart } from '../../src/engine/schedule/load-for-start.ts'
import { hostTeller } from '../../src/engine/schedule/people.ts'
import type { Hold, Holds, Schedule } from '../../src/engine/schedule/schedule.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { BookingRow } from '../../src/platform/db/schema/bookings.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { addBusyCalendars } from '../support/busy-calendars.ts'
import { createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(2)
const START = DAY + 10 * HOUR_MS
const HOSTS = 9

async function loadTeam() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
  await addHosts(organization, key, id, HOSTS)
  await addBusyCalendars(env.DB, organization, id, DAY)
  const { schedule, now } = await loadForStart(openDb(env, 'decide'), id, { start: START }, realNow(), {
    known: null,
  })
  return { schedule: schedule!, now }
}

const timesOfAll = (schedule: Schedule) => schedule.hosts.map((host) => hostTimes(schedule, host))

it('keeps the taken times of all hosts but the one who is booked or whose calendar changed', async () => {
  const { schedule, now } = await loadTeam()
  const before = timesOfAll(schedule)
  expect(before.every(({ length }) => length > 100)).toBe(true)
  const wanted = { durationMinutes: 30, now, emails: ['a@example.com'], mover: null, hostsToSkip: 0 }
  const decision = decideStart(schedule, START, wanted)
  if ('refusal' in decision) throw new Error(decision.refusal.reason)
  const { placement } = decision
  const row = { id: 'b', sessionId: null, attendees: [], startTime: START } as unknown as BookingRow
  const after = withBooking(schedule, row, placement)
  const booked = after.hosts.findIndex(({ id }) => id === placement.host!.member_id)
  const others = timesOfAll(after).map((times, at) => times === before[at])
  expect(others).toEqual(after.hosts.map((_, at) => at !== booked))
  const range = { start: DAY, end: DAY + 24 * HOUR_MS }
  const peopleOf = (one: Schedule) => one.hosts.map(hostTeller(one, range))
  const people = peopleOf(schedule)
  expect(peopleOf(after).map((person, at) => person === people[at])).toEqual(others)
  expect(timesOfAll(after)[booked]).toContainEqual(expect.objectContaining(placement.hold))

  const calendar = after.calendars.find(({ connection }) => connection.memberId === after.hosts[3]!.id)!
  const answers = new Map([[calendar.connection.id, { range, asOf: now, busy: [range] }]])
  const checked = withChecks(after, answers, answers)
  expect(timesOfAll(checked).map((times, at) => times === timesOfAll(after)[at])).toEqual(
    after.hosts.map((_, at) => at !== 3),
  )
  expect(timesOfAll(checked)[3]).toContainEqual(range)
})

it('keeps what is held of a host in order, whatever is booked first', () => {
  const holdAt = (start: number, resourceId = 'host'): Hold => {
    return { resourceId, start, end: start + 1, holder: '', keptBy: '', meetsAt: start, expiresAt: null }
  }
  const others: Holds = new Map([['another', [holdAt(0, 'another')]]])
  const after = [3, 1, 4, 0, 2].reduce((holds, start) => withHolds(holds, [holdAt(start)]), others)
  expect(after.get('host')!.map(({ start }) => start)).toEqual([0, 1, 2, 3, 4])
  expect(after.get('another')).toBe(others.get('another'))
})

it('asks the calendars of a team six at a time, and all of them', async () => {
  const { schedule } = await loadTeam()
  let [running, most, asked] = [0, 0, 0]
  const looks = new CalendarLooks(env, async () => {
    asked += 1
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    running -= 1
    return { value: [] } as never
  })
  let ticks = 0
  const answers = await looks.ask(
    schedule.calendars.map(({ connection }) => connection),
    {
      range: { start: DAY, end: DAY + 24 * HOUR_MS },
      since: 0,
      tick: () => ++ticks,
      deadline: Date.now() + 10_000,
      isOwnEvent: () => false,
    },
  )
  expect([asked, most, answers.size]).toEqual([HOSTS, 6, HOSTS])
})
