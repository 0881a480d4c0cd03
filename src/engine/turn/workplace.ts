import type { Env } from '../../env.ts'
import type { Db, Query, Statement } from '../../platform/db/client.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { Message } from '../../platform/queue/messages.ts'
import type { CalendarChecks } from './calendar-checks.ts'
import type {
  CapacityChange,
  PromotionPreview,
  Promotions,
  Reason,
  Released,
  ReleasedTime,
  WaitlistDemand,
} from './promotions.ts'
import type { ScheduleMemory } from './schedule-memory.ts'

/** This event type has released time that the waitlist was not offered yet. */
export type TimeReleased = { readonly eventTypeId: string; readonly now: AskedMs }

/** What an event type's object provides to its turns. */
export type Workplace = {
  readonly env: Env
  readonly memory: ScheduleMemory
  readonly checks: CalendarChecks
  readonly waitlist: Waitlist
  /** Sends a message about the commit to the queue, without making the caller wait. */
  readonly announce: (message: Message) => void
  /** Notifies another event type that shares a host about released time, without making the caller wait. */
  readonly announceReleased: (news: TimeReleased) => void
}

/** The waitlist of an event type, as turns use it. */
export type Waitlist = {
  /** Read with a booking before its time is released. */
  readonly selectDemand: (
    db: Db,
    eventTypeId: string,
    released: Released,
  ) => readonly [Query<{ waiting: number }>, Query<{ id: string }>, Query<FreedRow>]
  /**
   * For the batch that releases time without that reading: it is refused if anybody waits for this event type, and its second
   * statement returns the others.
   */
  readonly guardNobody: (
    db: Db,
    eventTypeId: string,
    released: Released,
  ) => readonly [Statement, Query<{ id: string }>]
  readonly planPromotions: (
    db: Db,
    demand: WaitlistDemand,
    released: ReleasedTime,
    now: AskedMs,
  ) => Promise<Promotions>
  /** What `promote` would do with all released time, without doing it. */
  readonly preview: (db: Db, eventTypeId: string, now: AskedMs) => Promise<PromotionPreview>
  readonly prepareChange: (db: Db, eventTypeId: string, now: AskedMs) => Promise<CapacityChange>
  /** Promotes waiting entries into released time. It never throws: what it cannot do stays recorded. */
  readonly promote: (
    workplace: Workplace,
    eventTypeId: string,
    now: AskedMs,
    reason?: Reason,
  ) => Promise<void>
}
