import type { Interval } from '../../core/interval.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { CurrentVersion } from '../../engine/schedule/schedule.ts'
import { SEARCH_AHEAD_MS } from './load-slots.ts'
import { type Later, SlotMemory } from './slot-memory.ts'
import { joinParts, SPAN_MS, type Week, weekOf } from './weeks.ts'

/** The open starts that this isolate found, by event type, duration and week. */
const memory = new SlotMemory(8_000_000)

/** An event type under a version that was just read, or any if it is null; without a duration, with its usual one. */
type Question = {
  readonly id: string
  readonly duration?: number | undefined
  readonly version: CurrentVersion | null
  readonly now: number
}

/** Whether anything of a week is remembered with the usual duration, true or not. */
export function isWeekRemembered(id: string, week: number): boolean {
  return memory.has(keyOf(id, week))
}

/** The open starts of a week if all of a part of it is remembered and still true. */
export function recallWeek(question: Question, week: number, { start, end }: Interval): Week | null {
  const known = recall(question, week)
  return known && known.part.start <= start && known.part.end >= end ? known : null
}

/** Remembers a part of a week; `duration` is null for the usual one. */
export function rememberWeek(found: Week, duration: number | null, now: number): void {
  const week = weekOf(found.part.start)
  const key = keyOf(found.slots.eventTypeId, week, duration ?? undefined)
  const before = recallKey(key, { ...found.version, changes: '' }, now)
  memory.remember(key, before ? joinParts(before, found) : found)
}

/** The first open start from an instant on; null if it is not remembered. */
export function recallLater(question: Question, instant: number): Later | null {
  for (let week = weekOf(instant); ; week += SPAN_MS) {
    const known = recall(question, week)
    if (!known || known.part.start > Math.max(week, instant)) return null
    const start = known.slots.starts.find((open) => open >= instant)
    const present = known.sandboxNow ?? question.now
    if (start !== undefined && start >= present + SEARCH_AHEAD_MS) return null
    if (start !== undefined) return { start, trueUntil: known.trueUntil }
    const { later, end } = known.part
    if (later) return isStillLater(later, known, question.now) ? later : null
    if (end < week + SPAN_MS) return null
  }
}

function isStillLater({ start, trueUntil }: Later, { sandboxNow, noticeMs }: Week, now: number): boolean {
  return now < trueUntil && (start === null || start >= (sandboxNow ?? now) + noticeMs)
}

function recall({ id, duration, version, now }: Question, week: number): Week | null {
  const usual = recallKey(keyOf(id, week), version, now)
  if (duration === undefined || usual?.slots.durationMs === duration * MINUTE_MS) return usual
  return recallKey(keyOf(id, week, duration), version, now)
}

function recallKey(key: string, version: CurrentVersion | null, now: number): Week | null {
  const known = memory.recall(key, version, now)
  return known && { ...(known.found as Week), slots: known.slots, version: known.version }
}

function keyOf(id: string, week: number, duration?: number): string {
  return duration === undefined ? `${id} ${week}` : `${id} ${week} ${duration}`
}
