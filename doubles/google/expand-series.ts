import { instantAt, wallAt } from '../wall-clock.ts'
import type { Json } from '../world.ts'
import { expandRule, readRule } from './expand-rule.ts'
import { readDate } from './local-time.ts'
import type { Calendar, StoredEvent } from './state.ts'

export type Span = { readonly start: number; readonly end: number }

/** When a time of an event is. Whole days begin at midnight where the calendar is. */
export function timeOf(time: Json, zone: string): number {
  return time.date ? instantAt(zone, readDate(time.date)!) : Date.parse(time.dateTime)
}

export function spanOf(fields: Json, zone: string): Span {
  return { start: timeOf(fields.start, zone), end: timeOf(fields.end, zone) }
}

/** An instance's id is that of its series with its original start: developers.google.com/workspace/calendar/api/guides/recurringevents. */
export function instanceId(seriesId: string, original: Json): string {
  const text = original.date ?? new Date(Date.parse(original.dateTime)).toISOString().slice(0, 19)
  return `${seriesId}_${text.replaceAll(/[-:]/g, '')}${original.date ? '' : 'Z'}`
}

/**
 * The original starts of a series in order that come before an instant. Series of whole days step by dates, others by the
 * clock on the wall of their own zone, so that they keep their hour when clocks change.
 */
export function* startsOf(fields: Json, zone: string, before: number): Generator<Json> {
  const isAllDay = Boolean(fields.start.date)
  const ownZone = fields.start.timeZone ?? zone
  const toWall = (time: Json) =>
    isAllDay ? readDate(time.date)! : wallAt(ownZone, Date.parse(time.dateTime))
  const toTime = (wall: number): Json =>
    isAllDay
      ? { date: new Date(wall).toISOString().slice(0, 10) }
      : { dateTime: new Date(instantAt(ownZone, wall)).toISOString(), timeZone: ownZone }
  const lines: string[] = fields.recurrence ?? []
  const left = new Set(lines.filter(isOf('EXDATE')).flatMap((line) => wallsOf(line, isAllDay, ownZone)))
  const added = lines.filter(isOf('RDATE')).flatMap((line) => wallsOf(line, isAllDay, ownZone))
  const walls: Generator<number>[] = lines
    .filter(isOf('RRULE'))
    .map((line) => ruled(line, fields, toWall, ownZone, isAllDay))
  walls.push(
    (function* () {
      yield* [toWall(fields.start), ...added].sort((a, b) => a - b)
    })(),
  )
  const heads = walls.map((one) => one.next())
  let last = Number.NaN
  while (true) {
    let at = -1
    for (const [index, head] of heads.entries()) {
      if (!head.done && (at < 0 || head.value < heads[at]!.value!)) at = index
    }
    if (at < 0) return
    const wall = heads[at]!.value as number
    heads[at] = walls[at]!.next()
    if (wall === last || left.has(wall)) continue
    last = wall
    const time = toTime(wall)
    if (timeOf(time, zone) >= before) return
    yield time
  }
}

const isOf = (name: string) => (line: string) => line.startsWith(`${name}:`) || line.startsWith(`${name};`)

function* ruled(
  line: string,
  fields: Json,
  toWall: (time: Json) => number,
  zone: string,
  isAllDay: boolean,
): Generator<number> {
  const rule = readRule(line.slice(line.indexOf(':') + 1))
  if (!rule) return
  const until = rule.until === null ? Number.POSITIVE_INFINITY : untilOf(rule.until, zone, isAllDay)
  let given = 0
  for (const wall of expandRule(rule, toWall(fields.start))) {
    if (wall > until || (rule.count !== null && given >= rule.count)) return
    given++
    yield wall
  }
}

/** Until includes the last one; a date includes its whole day. */
function untilOf(text: string, zone: string, isAllDay: boolean): number {
  const date = Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6, 8)))
  if (!text.includes('T')) return date + (isAllDay ? 0 : 86_399_000)
  const time = Number(text.slice(9, 11)) * 3_600_000 + Number(text.slice(11, 13)) * 60_000
  const whole = date + time + Number(text.slice(13, 15)) * 1000
  return text.endsWith('Z') && !isAllDay ? wallAt(zone, whole) : whole
}

function wallsOf(line: string, isAllDay: boolean, zone: string): number[] {
  const ownZone = /TZID=([^;:]+)/.exec(line)?.[1]
  return line
    .slice(line.lastIndexOf(':') + 1)
    .split(',')
    .map((text) => {
      const wall = untilOf(text.replace(/Z$/, ''), zone, true)
      if (isAllDay || !text.includes('T')) return wall
      const instant = text.endsWith('Z') ? wall : instantAt(ownZone ?? zone, wall)
      return wallAt(zone, instant)
    })
}

/** How far a series goes where nothing ends a list: one without end for two years from now or from its start. */
export function horizonOf(fields: Json, zone: string, now: number): number {
  const rules = (fields.recurrence ?? []).filter(isOf('RRULE')) as string[]
  const isEndless = rules.some((rule) => !/COUNT=|UNTIL=/.test(rule))
  return isEndless ? Math.max(now, timeOf(fields.start, zone)) + 730 * 86_400_000 : Number.POSITIVE_INFINITY
}

/** An instance of a series as it is where nobody changed it. */
export function instanceOf(series: Json, original: Json, zone: string): Json {
  const { recurrence: _, ...rest } = series
  const length = spanOf(series, zone).end - spanOf(series, zone).start
  const isAllDay = Boolean(original.date)
  const days = isAllDay ? readDate(series.end.date)! - readDate(series.start.date)! : 0
  const end = isAllDay
    ? { date: new Date(readDate(original.date)! + days).toISOString().slice(0, 10) }
    : {
        dateTime: new Date(Date.parse(original.dateTime) + length).toISOString(),
        timeZone: series.end.timeZone,
      }
  return {
    ...structuredClone(rest),
    id: instanceId(series.id, original),
    start: { ...original },
    end,
    recurringEventId: series.id,
    originalStartTime: { ...original },
  }
}

export function exceptionsOf(calendar: Calendar, seriesId: string): StoredEvent[] {
  return [...calendar.events.values()].filter(({ fields }) => fields.recurringEventId === seriesId)
}
