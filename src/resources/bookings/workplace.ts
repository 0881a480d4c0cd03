import type { Env } from '../../env.ts'
import type { Message } from '../../queue/messages.ts'
import type { CalendarLooks } from '../calendars/calendar-looks.ts'
import type { TimeFreed } from '../waitlist/commands.ts'
import type { ScheduleMemory } from './schedule-memory.ts'

/** What the EventType object gives the verbs that run in it. */
export type Workplace = {
  readonly env: Env
  readonly memory: ScheduleMemory
  readonly looks: CalendarLooks
  /** Tells the queue of what was committed, without making the caller wait. */
  readonly announce: (message: Message) => void
  /** Tells another event type that it has freed time to offer, of a host they share, without making the caller wait. */
  readonly tellTimeFreed: (news: TimeFreed) => void
}
