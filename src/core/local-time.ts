import { LAST_INSTANT } from './last-instant.ts'
import { DAY_MS } from './time-units.ts'

/**
 * A zone's offsets from UTC over a stretch of time. `offsets[i]` (milliseconds) holds before
 * `transitions[i]` (an instant); the last offset holds from the last transition on.
 */
export type ZoneTable = {
  readonly timeZone: string
  readonly transitions: readonly number[]
  readonly offsets: readonly number[]
}

const PADDING_MS = 40 * DAY_MS
const BLOCK_MS = 180 * DAY_MS
/** More blocks than there are between the first and the last instant. */
const MOST_BLOCKS = 2 ** 21
const NAMES_KNOWN = 512
const ZONES_KNOWN = 128
const TABLES_OF_ZONE = 16
const MAX_NAME_LENGTH = 64
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

const knownNames = new Map<string, boolean>()
/** By zone, and within a zone by the blocks that a table covers. */
const tables = new Map<string, Map<number, ZoneTable>>()

function remember<K, T>(cache: Map<K, T>, key: K, value: T, most: number): T {
  if (cache.size >= most) cache.delete(cache.keys().next().value as K)
  cache.set(key, value)
  return value
}

/** Whether the name is in the IANA time zone database, case-insensitively. Offsets such as `+05:00` are not. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_NAME_LENGTH || !ZONE_NAME.test(name)) return false
  const known = knownNames.get(name)
  if (known !== undefined) return known
  try {
    new Temporal.ZonedDateTime(0n, name)
    return remember(knownNames, name, true, NAMES_KNOWN)
  } catch {
    return remember(knownNames, name, false, NAMES_KNOWN)
  }
}

/**
 * The zone's offsets over `[from, to)` (instants) and at least 40 days on both sides, enough for the month around any
 * instant in it. Throws a RangeError if the zone is unknown.
 */
export function zoneTable(timeZone: string, from: number, to: number): ZoneTable {
  // Whole blocks, so that requests for neighbouring ranges share one table.
  const firstBlock = Math.floor((from - PADDING_MS) / BLOCK_MS)
  const endBlock = Math.ceil((to + PADDING_MS) / BLOCK_MS)
  const key = firstBlock * MOST_BLOCKS + endBlock
  const known = tables.get(timeZone)?.get(key)
  if (known) return known
  const table = readZone(timeZone, firstBlock * BLOCK_MS, endBlock * BLOCK_MS)
  const ofZone = tables.get(timeZone) ?? remember(tables, timeZone, new Map<number, ZoneTable>(), ZONES_KNOWN)
  return remember(ofZone, key, table, TABLES_OF_ZONE)
}

function readZone(timeZone: string, from: number, to: number): ZoneTable {
  const first = Temporal.Instant.fromEpochMilliseconds(Math.max(from, -LAST_INSTANT))
  let moment: Temporal.ZonedDateTime | null = first.toZonedDateTimeISO(timeZone)
  const transitions: number[] = []
  const offsets = [moment.offsetNanoseconds / 1e6]
  for (;;) {
    moment = moment.getTimeZoneTransition('next')
    if (moment === null || moment.epochMilliseconds >= to) return { timeZone, transitions, offsets }
    transitions.push(moment.epochMilliseconds)
    offsets.push(moment.offsetNanoseconds / 1e6)
  }
}

/** The wall clock at an instant, as the milliseconds it would be if the wall clock showed UTC. */
export function wallTimeOf(table: ZoneTable, instant: number): number {
  const { transitions, offsets } = table
  let index = transitions.length
  while (index > 0 && instant < transitions[index - 1]!) index--
  return instant + offsets[index]!
}

/**
 * The instant at which the wall clock shows `wallTime`. A skipped wall time moves forward by the gap; a time that happens
 * twice is the earlier (RFC 5545 section 3.3.5, "compatible" in Temporal).
 */
export function instantOf(table: ZoneTable, wallTime: number): number {
  const index = periodOf(table, wallTime)
  const instant = wallTime - table.offsets[index]!
  return index > 0 && instant < table.transitions[index - 1]! ? wallTime - table.offsets[index - 1]! : instant
}

/** The first instant of the date whose midnight is `midnight` (wall time); after a gap, the end of the gap. */
export function startOfDate(table: ZoneTable, midnight: number): number {
  const index = periodOf(table, midnight)
  const instant = midnight - table.offsets[index]!
  return index > 0 ? Math.max(instant, table.transitions[index - 1]!) : instant
}

/** The same without a table. Throws a RangeError if the zone is unknown. */
export function startOfDateIn(timeZone: string, midnight: number): number {
  return startOfDate(zoneTable(timeZone, midnight, midnight), midnight)
}

/** The date of an instant, in days since 1970. If a clock change returns to the date before, the new one has begun. */
export function dayAt(table: ZoneTable, instant: number): number {
  let day = Math.floor(wallTimeOf(table, instant) / DAY_MS)
  while (startOfDate(table, (day + 1) * DAY_MS) <= instant) day++
  return day
}

/** The same without a table, as the wall time of that midnight. Throws a RangeError if the zone is unknown. */
export function dateInZone(timeZone: string, instant: number): number {
  return dayAt(zoneTable(timeZone, instant, instant), instant) * DAY_MS
}

/** The offset of a whole date, from its midnight to the next; null if the clock changes on it. */
export function offsetOfDate(table: ZoneTable, midnight: number): number | null {
  const index = periodOf(table, midnight)
  if (index !== periodOf(table, midnight + DAY_MS)) return null
  const offset = table.offsets[index]!
  const isSkipped = index > 0 && midnight - offset < table.transitions[index - 1]!
  return isSkipped ? null : offset
}

/** The wall time at which the offset of a wall time ends; infinite if it does not. */
export function offsetEndsAt(table: ZoneTable, wallTime: number): number {
  const index = periodOf(table, wallTime)
  return (table.transitions[index] ?? Number.POSITIVE_INFINITY) + table.offsets[index]!
}

/** The earliest period of one offset that ends after the wall time. */
function periodOf({ transitions, offsets }: ZoneTable, wallTime: number): number {
  let index = transitions.length
  while (index > 0 && wallTime - offsets[index - 1]! < transitions[index - 1]!) index--
  return index
}

/** `YYYY-MM-DD` (RFC 3339 full-date) to the wall time of its midnight; null if it is not a calendar date. */
export function parseDate(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null
  const wallTime = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(wallTime) && formatDate(wallTime) === date ? wallTime : null
}

/** The `YYYY-MM-DD` date of a wall time, for the years 0 to 9999. */
export function formatDate(wallTime: number): string {
  return new Date(wallTime).toISOString().slice(0, 10)
}

/** `HH:MM` or `HH:MM:SS`, up to `24:00`, to milliseconds since midnight; null if it is neither. */
export function parseTimeOfDay(text: string): number | null {
  const match = /^(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (match === null) return null
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
  if (minutes > 59 || seconds > 59) return null
  const time = ((hours * 60 + minutes) * 60 + seconds) * 1000
  return time <= DAY_MS ? time : null
}
