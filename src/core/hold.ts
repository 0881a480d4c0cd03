import type { Interval } from './interval.ts'

/** What a booking takes beside its time, all in milliseconds. */
export type SlotRules = {
  readonly durationMs: number
  readonly bufferBeforeMs: number
  readonly bufferAfterMs: number
}

/** The time that a booking at `start` takes of each of its resources: its own and the buffers around it. */
export function holdOf(start: number, rules: SlotRules): Interval {
  return { start: start - rules.bufferBeforeMs, end: start + rules.durationMs + rules.bufferAfterMs }
}
