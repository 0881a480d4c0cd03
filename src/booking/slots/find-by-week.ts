import type { Interval } from '../../core/interval.ts'
import { overlaps } from '../../core/interval.ts'
import { hasReservedTime } from '../../engine/schedule/claimed-starts.ts'
import type { CurrentVersion } from '../../engine/schedule/schedule.ts'
import { fullPeriods } from '../../engine/schedule/slot-request.ts'
import { selectVersion } from '../../engine/schedule/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import {
  type Asked,
  foundIn,
  type Loaded,
  loadLater,
  loadSlots,
  loadWhole,
  searchedUntil,
  withLater,
} from './load-slots.ts'
import type { Found } from './slot-memory.ts'
import { recallLater, recallWeek, rememberWeek } from './week-memory.ts'
import { joinWeeks, SPAN_MS, splitInWeeks, type Week, weeksIn } from './weeks.ts'

/**
 * What is open in a range. Only the weeks that are not remembered are loaded, and what is `around` the range at its ends.
 * `told` is the version if the caller has read it, null if nothing remembered can be current.
 */
export async function findByWeek(
  db: Db,
  asked: Asked,
  around: Interval,
  told: CurrentVersion | null | undefined,
): Promise<Found> {
  const { id, range } = asked
  if (range.start >= range.end) return loadWhole(db, asked)
  const weeks = weeksIn(range)
  const missingIn = (version: CurrentVersion | null) =>
    weeks.filter((week) => recallPart(asked, version, week) === null)
  // The version is read first: weeks that turn out to be outdated would be read in addition to all others.
  const isSomeThere = told === undefined && missingIn(null).length < weeks.length
  const version = isSomeThere ? ((await selectVersion(db, id))[0] ?? null) : (told ?? null)
  const missing = version === null ? weeks : missingIn(version)
  if (version && missing.length === 0) {
    return foundAgain(asked, version, recallAll(asked, version, weeks)) ?? loadWhole(db, asked)
  }
  if (version && missing.length < weeks.length) {
    const gap = {
      start: missing[0] === weeks[0] ? around.start : missing[0]!,
      end: missing.at(-1) === weeks.at(-1) ? around.end : missing.at(-1)! + SPAN_MS,
    }
    const loaded = await loadSlots(db, { ...asked, range: gap, told: version })
    const others = weeks.filter((week) => !missing.includes(week))
    const known = recallAll(asked, { ...loaded.schedule.version, changes: '' }, others)
    if (known.length === others.length && !isReserved(loaded)) return answer(db, asked, loaded, known)
  }
  return answer(db, asked, await loadSlots(db, { ...asked, range: around, told: version }), [])
}

function recallAll(asked: Asked, version: CurrentVersion, weeks: readonly number[]): Week[] {
  return weeks.map((week) => recallPart(asked, version, week)).filter((week) => week !== null)
}

function recallPart(
  { id, duration, range, now }: Asked,
  version: CurrentVersion | null,
  week: number,
): Week | null {
  const part = { start: Math.max(week, range.start), end: Math.min(week + SPAN_MS, range.end) }
  const known = recallWeek({ id, duration, version, now }, week, part)
  // A search finds only what is open.
  return known?.part.fullPeriods ? known : null
}

/** Time reserved for the waitlist is decided with everything around it, so it is loaded again each time. */
function isReserved({ schedule }: Loaded): boolean {
  return schedule.hasExpired || hasReservedTime(schedule)
}

/** Null if nothing is open and it is not known what is open later. */
function foundAgain(
  { id, duration, range, now }: Asked,
  version: CurrentVersion,
  known: readonly Week[],
): Found | null {
  const { own, shared } = version
  const found = { ...joinWeeks(range, known), version: { own, shared } }
  if (!isNothing(found)) return found
  const later = recallLater({ id, duration, version, now }, range.end)
  return later && withLater(found, later)
}

/** The answer with what was just loaded; what was known before is of the same version. */
async function answer(db: Db, asked: Asked, loaded: Loaded, known: readonly Week[]): Promise<Found> {
  const { range, now } = asked
  const { schedule, durationMinutes, slots } = loaded
  const full = fullPeriods(schedule, schedule.range)
  const weeks = splitInWeeks(foundIn(schedule, slots, now), schedule.range, full)
  const others = known.filter(({ part }) => !weeks.some((week) => overlaps(part, week.part)))
  const found = joinWeeks(range, [...others, ...weeks])
  if (isNothing(found) && schedule.range.end < range.end) return loadWhole(db, asked)
  const next = slots.starts.find((start) => start >= range.end)
  const later = isNothing(found) ? await laterThan(db, asked, loaded, next) : null
  const isUsual = durationMinutes === schedule.eventType.durationMinutes
  for (const week of isReserved(loaded) ? [] : weeks) {
    const isLast = week === weeks.at(-1) && next === undefined
    rememberWeek(
      isLast ? { ...week, part: { ...week.part, later } } : week,
      isUsual ? null : durationMinutes,
      now,
    )
  }
  return later ? withLater(found, later) : found
}

function isNothing({ slots }: Found): boolean {
  return slots.starts.length === 0 && !slots.isClosed
}

/** What is open after the range, of which nothing is; `next` if that was loaded. */
function laterThan(db: Db, { now }: Asked, { schedule, durationMinutes }: Loaded, next: number | undefined) {
  const isInReach = next !== undefined && next < searchedUntil(schedule, now)
  if (isInReach) return { start: next, trueUntil: schedule.trueUntil }
  return loadLater(db, schedule, { after: schedule.range.end, durationMinutes, now })
}
