import type { OpenHours } from '../../../core/open-hours.ts'
import type { Calendar } from '../calendar.ts'
import { decodeHours, listIn } from '../decode-hours.ts'
import { calendarOf, type Pair } from '../decode-schedule.ts'
import type { Hold, HostLimits, TimeOff } from '../schedule.ts'
import type { RawCalendar, RawHours, RawPerson } from './queries.ts'

/** A calendar, for all event types that check it. */
export type KnownCalendar = {
  readonly calendar: Omit<Calendar, 'isDefault'>
  readonly holds: readonly Hold[]
  readonly hasExpired: boolean
}

/** A member in one mode, for all event types that they host. */
export type KnownPerson = {
  readonly userId: string
  readonly email: string
  readonly usualScheduleId: string | null
  readonly timeOff: readonly TimeOff[]
  readonly limits: Omit<HostLimits, 'timeZone'> | null
  readonly timeZone: string | null
  readonly holds: readonly Hold[]
  readonly hasExpired: boolean
}

type TakenValues = readonly [startsAt: number, endsAt: number, meetsAt: number, expiresAt: number | null]
type TimeOffValues = readonly [id: string, start: number, end: number]
type Dates = { readonly first: string; readonly last: string }

/** Availability does not need the ids of the holders. */
export function holdsIn(json: string, resourceId: string): Hold[] {
  return listIn<TakenValues>(json).map(([startsAt, endsAt, meetsAt, expiresAt]) => ({
    resourceId,
    startsAt,
    endsAt,
    holderId: '',
    keptBy: '',
    meetsAt,
    expiresAt,
  }))
}

export function decodePerson(raw: RawPerson): KnownPerson {
  const isLimited = raw.per_day !== null || raw.per_week !== null
  return {
    userId: raw.user_id,
    email: raw.user_email,
    usualScheduleId: raw.schedule_id,
    timeOff: listIn<TimeOffValues>(raw.time_off).map(([id, start, end]) => ({ id, start, end })),
    limits: isLimited ? { perDay: raw.per_day, perWeek: raw.per_week } : null,
    timeZone: raw.timezone,
    holds: holdsIn(raw.holds, raw.resource_id),
    hasExpired: raw.has_expired === 1,
  }
}

export function decodeCalendar(raw: RawCalendar): KnownCalendar {
  const values = JSON.parse(raw.connection)
  const { isDefault: _, ...calendar } = calendarOf([values, 0, listIn<Pair>(raw.busy)])
  return { calendar, holds: holdsIn(raw.holds, calendar.connection.id), hasExpired: raw.has_expired === 1 }
}

type Day = { readonly date: string; readonly intervals: Parameters<typeof decodeHours>[2][number][1] }

/** The hours of a schedule, with its overrides for these dates. */
export function decodeOwnHours(raw: RawHours, { first, last }: Dates): OpenHours {
  const rules = listIn<{ day_of_week: number; start_time: string; end_time: string }>(raw.schedule_rules)
  const days = listIn<Day>(raw.schedule_overrides).filter(({ date }) => date >= first && date <= last)
  return decodeHours(
    raw.schedule_zone,
    rules.map((rule) => [rule.day_of_week, rule.start_time, rule.end_time]),
    days.map(({ date, intervals }) => [date, intervals]),
  )
}
