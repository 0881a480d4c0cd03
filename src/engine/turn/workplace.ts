import type { Env } from '../../env.ts'
import type { Db, Query } from '../../platform/db/client.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { Message } from '../../platform/queue/messages.ts'
import type { CalendarChecks } from './calendar-checks.ts'
import type {
  CapacityChange,
  PromotionPreview,
  Promotions,
  Reason,
  ReleasedTime,
  WaitlistDemand,
} from './promotions.ts'
import type { ScheduleMemory } from './schedule-memory.ts'

/** Time was freed that this event type has not offered yet to those who wait for it. */
export type TimeReleased = { readonly eventTypeId: string; readonly now: AskedMs }

/** What the object of an event type gives to the turns that run in it. */
export type Workplace = {
  readonly env: Env
  readonly memory: ScheduleMemory
  readonly checks: CalendarChecks
  readonly waitlist: Waitlist
  /** Tells the queue of what was committed, without making the caller wait. */
  readonly announce: (message: Message) => void
  /** Tells another event type that it has freed time to offer, of a host they share, without making the caller wait. */
  readonly announceReleased: (news: TimeReleased) => void
}

/** The line of those who wait for an event type, as the turn needs it. The waitlist is one. */
export type Waitlist = {
  /** Asked beside a booking before its time is given up. */
  readonly selectDemand: (
    db: Db,
    eventTypeId: string,
    bookingId: string,
  ) => readonly [Query<{ waiting: number }>, Query<{ id: string }>, Query<FreedRow>]
  readonly planPromotions: (
    db: Db,
    demand: WaitlistDemand,
    released: ReleasedTime,
    now: AskedMs,
  ) => Promise<Promotions>
  /** What `promote` would do with all that was freed, of which nothing is done. */
  readonly preview: (db: Db, eventTypeId: string, now: AskedMs) => Promise<PromotionPreview>
  readonly prepareChange: (db: Db, eventTypeId: string, now: AskedMs) => Promise<CapacityChange>
  /** Books those who wait in time that was freed. It never fails: what it cannot do stays written down. */
  readonly promote: (
    workplace: Workplace,
    eventTypeId: string,
    now: AskedMs,
    reason?: Reason,
  ) => Promise<void>
}
