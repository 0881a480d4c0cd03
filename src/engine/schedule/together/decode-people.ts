import type { OpenHours } from '../../../core/open-hours.ts'
import type { Calendar } from '../calendar.ts'
import { decodeHours, listIn, type OverrideValues, type RuleOfSchedule, rulesOf } from '../decode-hours.ts'
import { calendarOf, timeOffIn } from '../resources/decode-resources.ts'
import { roomFrom } from '../resources/rooms.ts'
import type { Hold, HostLimits, Room, TimeOff } from '../schedule.ts'
import { readBusy, readHolds } from '../taken/read-times.ts'
import type { RawCalendar, RawFeed, RawHours, RawPerson, RawRoom } from './queries.ts'

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
  readonly name: string | null
  readonly usualScheduleId: string | null
  readonly timeOff: readonly TimeOff[]
  readonly limits: Omit<HostLimits, 'timeZone'> | null
  readonly timeZone: string | null
  readonly holds: readonly Hold[]
  readonly hasExpired: boolean
}

type Dates = { readonly first: string; readonly last: string }

export function decodePerson(raw: RawPerson, base: number): KnownPerson {
  const isLimited = raw.per_day !== null || raw.per_week !== null
  return {
    userId: raw.user_id,
    email: raw.user_email,
    name: raw.name,
    usualScheduleId: raw.schedule_id,
    timeOff: timeOffIn(raw.time_off),
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

/** A room or equipment, for all event types that require it. */
export function decodeRoom(
  raw: RawRoom,
  hours: ReadonlyMap<string, OpenHours>,
  feeds: readonly RawFeed[],
): Room {
  const { id, name, quantity, active, schedule_id: scheduleId, time_off: timeOff } = raw
  return roomFrom(
    { id, name, quantity, active: active === 1, scheduleId },
    timeOffIn(timeOff),
    hours,
    feeds.map(decodeFeed),
  )
}

/** A calendar that only blocks time. */
export function decodeFeed({ connection, busy }: Pick<RawFeed, 'connection' | 'busy'>): Calendar {
  return { ...calendarOf(JSON.parse(connection), readBusy(busy)), isDefault: false }
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
