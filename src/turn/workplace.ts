import type { Env } from '../env.ts'
import type { AskedMs } from '../limits/clock.ts'
import type { Message } from '../queue/messages.ts'
import type { Line } from './line.ts'
import type { Looks } from './looks.ts'
import type { ScheduleMemory } from './schedule-memory.ts'

/** Time was freed that this event type has not offered yet to those who wait for it. */
export type TimeFreed = { readonly eventTypeId: string; readonly now: AskedMs }

/** What the object of an event type gives to the turns that run in it. */
export type Workplace = {
  readonly env: Env
  readonly memory: ScheduleMemory
  readonly looks: Looks
  readonly line: Line
  /** Tells the queue of what was committed, without making the caller wait. */
  readonly announce: (message: Message) => void
  /** Tells another event type that it has freed time to offer, of a host they share, without making the caller wait. */
  readonly tellTimeFreed: (news: TimeFreed) => void
}
