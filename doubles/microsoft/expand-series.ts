import type { Json } from '../world.ts'
import { dateText, instantOf, wallMs } from './local-time.ts'
import type { EventFields, StoredEvent } from './state.ts'

/** learn.microsoft.com/graph/api/resources/recurrencepattern, …/recurrencerange */

const DAY = 86_400_000
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const INDEXES = ['first', 'second', 'third', 'fourth']

/** Days since 1970. */
const dayOf = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY)
const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7
const firstOf = (year: number, month: number) => Math.round(Date.UTC(year, month, 1) / DAY)
const wantedDays = (pattern: Json): number[] =>
  ((pattern.daysOfWeek ?? []) as string[]).map((name) => DAYS.indexOf(name.toLowerCase()))

/** A day that a short month does not have is its last one. */
const monthly = (year: number, month: number, dayOfMonth: number) =>
  Math.min(firstOf(year, month) + dayOfMonth - 1, firstOf(year, month + 1) - 1)

function relative(year: number, month: number, pattern: Json): number {
  const days = wantedDays(pattern)
  const all: number[] = []
  for (let day = firstOf(year, month); day < firstOf(year, month + 1); day += 1) {
    if (days.includes(weekdayOf(day))) all.push(day)
  }
  const index = INDEXES.indexOf((pattern.index ?? 'first').toLowerCase())
  return index < 0 ? all.at(-1)! : all[index]!
}

/** The days of the n-th period of a pattern that begins with `start`. */
function daysOfPeriod(pattern: Json, start: number, n: number): number[] {
  const step = n * (pattern.interval ?? 1)
  const from = new Date(start * DAY)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()]
  switch (pattern.type) {
    case 'daily':
      return [start + step]
    case 'weekly': {
      const first = DAYS.indexOf((pattern.firstDayOfWeek ?? 'sunday').toLowerCase())
      const week = start - ((weekdayOf(start) - first + 7) % 7) + step * 7
      const days = wantedDays(pattern)
      return [0, 1, 2, 3, 4, 5, 6].map((at) => week + at).filter((day) => days.includes(weekdayOf(day)))
    }
    case 'absoluteMonthly':
      return [monthly(year, month + step, pattern.dayOfMonth)]
    case 'relativeMonthly':
      return [relative(year, month + step, pattern)]
    case 'absoluteYearly':
      return [monthly(year + step, pattern.month - 1, pattern.dayOfMonth)]
    case 'relativeYearly':
      return [relative(year + step, pattern.month - 1, pattern)]
    default:
      return []
  }
}

/** The local dates on which occurrences start, up to and with `until`; those that were removed are among them. */
export function datesOf({ pattern, range }: Json, until: string): string[] {
  const start = dayOf(range.startDate)
  const end = Math.min(
    dayOf(until),
    range.type === 'endDate' ? dayOf(range.endDate) : Number.POSITIVE_INFINITY,
  )
  const count = range.type === 'numbered' ? range.numberOfOccurrences : Number.POSITIVE_INFINITY
  const dates: string[] = []
  for (let n = 0; n < 40_000 && dates.length < count; n += 1) {
    for (const day of daysOfPeriod(pattern, start, n)) {
      if (day > end || dates.length >= count) return dates
      if (day >= start) dates.push(dateText(day * DAY))
    }
  }
  return dates
}

export type Instance = {
  readonly event: StoredEvent
  /** `null` if it is not an occurrence. */
  readonly date: string | null
  readonly type: 'singleInstance' | 'seriesMaster' | 'occurrence' | 'exception'
  readonly fields: EventFields
}

/** One occurrence as it is, or `null` where it was removed. */
export function occurrenceOn(event: StoredEvent, date: string): Instance | null {
  if (event.removedDates.has(date)) return null
  const { start, end, isAllDay } = event.fields
  const startWall = Date.parse(`${date}T00:00:00Z`) + (wallMs(start.ms, start.zone) % DAY)
  const startMs = instantOf(startWall, start.zone)
  const lengthOnTheWall = wallMs(end.ms, end.zone) - wallMs(start.ms, start.zone)
  const endMs = isAllDay ? instantOf(startWall + lengthOnTheWall, end.zone) : startMs + end.ms - start.ms
  const own = {
    ...event.fields,
    start: { ms: startMs, zone: start.zone },
    end: { ms: endMs, zone: end.zone },
  }
  const exception = event.exceptions.get(date)
  return exception
    ? { event, date, type: 'exception', fields: { ...own, ...exception } }
    : { event, date, type: 'occurrence', fields: own }
}

export const singleOf = (event: StoredEvent): Instance => ({
  event,
  date: null,
  type: event.recurrence ? 'seriesMaster' : 'singleInstance',
  fields: event.fields,
})

/** Whether a series has an occurrence that would start on this local date; it may be removed or elsewhere. */
export const hasDate = ({ recurrence }: StoredEvent, date: string): boolean =>
  recurrence !== null && datesOf(recurrence, date).includes(date)

/** What of an event lies in a stretch of time: the event, or the occurrences of its series. */
export function instancesIn(event: StoredEvent, fromMs: number, toMs: number): Instance[] {
  const isIn = ({ fields }: Instance) => fields.start.ms < toMs && fields.end.ms > fromMs
  if (!event.recurrence) return [singleOf(event)].filter(isIn)
  const { start, end } = event.fields
  const since = dateText(fromMs - 2 * DAY - (end.ms - start.ms))
  const near = datesOf(event.recurrence, dateText(toMs + 2 * DAY)).filter((date) => date >= since)
  const dates = new Set([...near, ...event.exceptions.keys()])
  return [...dates].flatMap((date) => occurrenceOn(event, date) ?? []).filter(isIn)
}
