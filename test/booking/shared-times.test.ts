import { expect, it } from 'vitest'
import { SharedTimes } from '../../src/booking/slots/shared-times.ts'
import type { Hold, Schedule } from '../../src/engine/schedule/schedule.ts'

type Told = { readonly held?: readonly Hold[]; readonly busy?: readonly (readonly [number, number])[] }

function scheduleOf({ held = [], busy = [] }: Told): Schedule {
  const times = busy.map(([start, end]) => ({ start, end }))
  return {
    holds: new Map([['ada', held]]),
    calendars: [{ connection: { id: 'work' }, busy: times }],
  } as unknown as Schedule
}

function hold(start: number, changed: Partial<Hold> = {}): Hold {
  const end = start + 30
  return {
    resourceId: 'ada',
    start,
    end,
    holder: 'abcdef',
    keptBy: '',
    meetsAt: start,
    expiresAt: null,
    ...changed,
  }
}

const heldBy = (schedule: Schedule) => schedule.holds.get('ada')
const busyOf = (schedule: Schedule) => schedule.calendars[0]!.busy

it('keeps equal times once, as long as a schedule has them', () => {
  const times = new SharedTimes()
  const read = () => scheduleOf({ held: [hold(0), hold(60)], busy: [[5, 9]] })
  const first = times.share(read())
  times.add(first)
  const bytes = times.bytes
  expect(bytes).toBeGreaterThan(0)
  const second = times.share(read())
  expect(heldBy(second)).toBe(heldBy(first))
  expect(busyOf(second)).toBe(busyOf(first))
  times.add(second)
  expect(times.bytes).toBe(bytes)
  times.remove(first)
  expect(times.bytes).toBe(bytes)
  expect(heldBy(times.share(read()))).toBe(heldBy(second))
  times.remove(second)
  expect(times.bytes).toBe(0)
  const again = read()
  expect(heldBy(times.share(again))).toBe(heldBy(again))
})

it.each<[string, Told]>([
  ['another holder', { held: [hold(0), hold(30, { holder: 'ghijkl' }), hold(60)] }],
  ['another meeting', { held: [hold(0), hold(30, { meetsAt: 35 }), hold(60)] }],
  ['a deadline', { held: [hold(0), hold(30, { expiresAt: 90 }), hold(60)] }],
  ['another start', { held: [hold(0), hold(31, { end: 60, meetsAt: 30 }), hold(60)] }],
  ['another end', { held: [hold(0), hold(30, { end: 59 }), hold(60)] }],
  ['one time less', { held: [hold(0), hold(60)] }],
])('never takes times for others that differ in %s', (_what, { held }) => {
  const times = new SharedTimes()
  times.add(times.share(scheduleOf({ held: [hold(0), hold(30), hold(60)] })))
  const other = scheduleOf({ held: held! })
  expect(heldBy(times.share(other))).toBe(held)
})

it('tells busy times from holds at the same times', () => {
  const times = new SharedTimes()
  const calendar = (holds: readonly Hold[], busy: Told['busy']) => {
    const schedule = scheduleOf({ busy: busy! })
    return { ...schedule, holds: new Map([['work', holds]]) }
  }
  const first = times.share(calendar([hold(0)], [[0, 30]]))
  times.add(first)
  const second = times.share(calendar([hold(0)], [[0, 30]]))
  expect(second.holds.get('work')).toBe(first.holds.get('work'))
  expect(busyOf(second)).toBe(busyOf(first))
  expect(busyOf(second)[0]).not.toHaveProperty('holder')
})
