import type { OpenHours } from '../../../core/open-hours.ts'
import type { Calendar } from '../calendar.ts'
import { decodeHours, listIn, type OverrideValues, type RuleOfSchedule, rulesOf } from '../decode-hours.ts'
import { calendarOf } from '../resources/decode-resources.ts'
import type { Hold, HostLimits, TimeOff } from '../schedule.ts'
import { readBusy, readHolds } from '../taken/read-times.ts'
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

type TimeOffValues = readonly [id: string, start: number, end: number]
type Dates = { readonly first: string; readonly last: string }

export function decodePerson(raw: RawPerson, base: number): KnownPerson {
  const isLimited = raw.per_day !== null || raw.per_week !== null
  return {
    userId: raw.user_id,
    email: raw.user_email,
    usualScheduleId: raw.schedule_id,
    timeOff: listIn<TimeOffValues>(raw.time_off).map(([id, start, end]) => ({ id, start, end })),
    limits: isLimited ? { perDay: raw.per_day, perWeek: raw.per_week } : null,
    timeZone: raw.timezone,
    holds: readHolds(raw.holds, base, raw.resource_id),
    hasExpired: raw.has_expired === 1,
  }
}

export function decodeCalendar(raw: RawCalendar, base: number): KnownCalendar {
  const calendar = calendarOf(JSON.parse(raw.connection), readBusy(raw.busy))
  return {
    calendar,
    holds: readHolds(raw.holds, base, calendar.connection.id),
    hasExpired: raw.has_expired === 1,
  }
}

type Day = { readonly date: string; readonly intervals: OverrideValues[1] }

/** The hours of a schedule, with its overrides for these dates. */
export function decodeOwnHours(raw: RawHours, { first, last }: Dates): OpenHours {
  const rules = listIn<RuleOfSchedule>(raw.schedule_rules)
  const days = listIn<Day>(raw.schedule_overrides).filter(({ date }) => date >= first && date <= last)
  return decodeHours(
    raw.schedule_zone,
    rulesOf(rules),
    days.map(({ date, intervals }) => [date, intervals]),
  )
}
