import type { Interval } from './interval.ts'

/** The length of a meeting and of its buffers, in milliseconds. */
export type SlotRules = {
  readonly durationMs: number
  readonly bufferBeforeMs: number
  readonly bufferAfterMs: number
}

/** The time that a booking at `start` takes of each of its resources: its own and its buffers. */
export function holdOf(start: number, rules: SlotRules): Interval {
  return { start: start - rules.bufferBeforeMs, end: start + rules.durationMs + rules.bufferAfterMs }
}
