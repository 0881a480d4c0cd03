import type { OpenHours } from '../../core/open-hours.ts'
import type { RuleToSetAside } from '../../core/rules-to-set-aside.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Host, Schedule } from './schedule.ts'

export const NO_RULES: readonly RuleToSetAside[] = []

/** How far back a start may be without the notice. */
const REACHES_BACK_MINUTES = 24 * 60

const ALWAYS_OPEN: OpenHours = {
  timeZone: 'UTC',
  weekly: [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, startMs: 0, endMs: DAY_MS })),
  overrides: new Map(),
}

/** The schedule as if these rules did not exist. The grid is a part of the question: see `decide-start.ts`. */
export function settingAside(schedule: Schedule, rules: readonly RuleToSetAside[]): Schedule {
  return rules.reduce((known, rule) => WITHOUT[rule](known), schedule)
}

const WITHOUT: Readonly<Record<RuleToSetAside, (schedule: Schedule) => Schedule>> = {
  hours: (schedule) => ({
    ...withTerms(schedule, { hoursFrom: 'own' }),
    hours: ALWAYS_OPEN,
    closed: [],
    hosts: schedule.hosts.map((host) => ({ ...host, hours: null, timeOff: [] })),
    rooms: schedule.rooms.map((room) => ({ ...room, active: true, hours: null, timeOff: [] })),
  }),
  notice: (schedule) => withTerms(schedule, { minimumNoticeMinutes: -REACHES_BACK_MINUTES }),
  window: (schedule) =>
    withTerms(schedule, { bookingWindowDays: null, bookableFrom: null, bookableUntil: null }),
  grid: (schedule) => schedule,
  cap: (schedule) => withTerms(schedule, { bookingCap: null }),
  limits: (schedule) => ({
    ...withTerms(schedule, { inviteeLimit: null }),
    hosts: schedule.hosts.map((host): Host => ({ ...host, limits: null })),
  }),
  busy: (schedule) => ({
    ...withTerms(schedule, { calendarOutage: 'last_known' }),
    calendars: schedule.calendars.map((calendar) => ({ ...calendar, busy: [] })),
    closing: [],
    rooms: schedule.rooms.map((room) => ({ ...room, feeds: [] })),
  }),
}

function withTerms(schedule: Schedule, terms: Partial<Schedule['eventType']>): Schedule {
  return { ...schedule, eventType: { ...schedule.eventType, ...terms } }
}
