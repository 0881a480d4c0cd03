import type { Answers, Db, Query, Statement } from '../../platform/db/client.ts'
import type { Fence } from '../../platform/db/refusals.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import type { Message } from '../../platform/queue/messages.ts'
import type { Invitee, Schedule, ScheduleVersion } from '../schedule/schedule.ts'
import type { Released, ReleasedTime } from './promotions.ts'
import type { Workplace } from './workplace.ts'

/** What a verb decided to do. `runPlan` does all of it or nothing. */
export type Plan<Body> = {
  readonly status: 200 | 201
  readonly body: Body
  readonly statements: readonly Statement[]
  /** The schedule that it rests on: the commit is refused if what is offered has changed. */
  readonly decidedOn?: Schedule
  /** Sent to the queue after the commit. */
  readonly messages?: readonly Message[]
  /** The schedule after the commit; without it, nothing is remembered. */
  readonly apply?: (schedule: Schedule) => Schedule
  /** By how much it advances the version, at least; if that is known, the version is not read afterwards. */
  readonly moves?: ScheduleVersion
  readonly frees?: ReleasedTime
  /** Whether it releases several times: triggers record them, and they are offered to the waitlist after the commit. */
  readonly freesSeveral?: boolean
  /** Whether it may open slots that were closed. */
  readonly opens?: boolean
}

/** The end of a verb that commits nothing. */
export type Undone<Body> =
  | { readonly refusal: Refusal }
  /** Nothing had to change, and this is the result. */
  | { readonly unchanged: Body }

export type Decided<Body> = Plan<Body> | Undone<Body>

export type Queries = readonly Query<unknown>[]
export type Rows<Q extends Queries> = Readonly<Answers<Q>>

/** What a verb decides on, as of one moment. */
export type State<Q extends Queries> = {
  /** Null if there is no such event type, or if the verb loads none. */
  readonly schedule: Schedule | null
  /** The rows of the verb's own queries; null if it decides from memory. */
  readonly rows: Rows<Q> | null
  readonly now: PresentMs
  /** How many plans a fence refused before. */
  readonly lost: number
}

type Told<Body> = Body | null | undefined

export type Turn = Workplace & {
  readonly db: Db
  /** The object's tick at which the command came. */
  readonly arrivedAt: number
  /** A dry turn writes, announces and checks nothing. */
  readonly isDry: boolean
}

/** A command about an event type: what it reads, and what it decides. */
export type Verb<Q extends Queries, Body> = {
  readonly eventTypeId: string
  readonly claim: IdempotencyClaim | null
  readonly now: AskedMs
  /** Whether it is a dry run: its plan is not carried out. */
  readonly isDry?: boolean | undefined
  /** The start around which the schedule is loaded; left out if none is needed. */
  readonly around?: number
  /** Whether that start may have passed. */
  readonly reachesBack?: boolean
  /** The last start that it may be about, if `around` is only the first. */
  readonly reachesTo?: number
  /** Whether it also runs for a deleted event type. */
  readonly isDeletedToo?: boolean
  /** The invitee whose upcoming bookings are counted, if they are limited. */
  readonly invitee?: Invitee
  /** Whether it can be decided from memory; then `rows` is null, and it may be decided twice. */
  readonly canRecall?: (schedule: Schedule) => boolean
  /** Whether memory has everything that the verb's rows refer to; without it, it has. */
  readonly isRemembered?: (rows: Rows<Q>, schedule: Schedule) => boolean
  /** Whether the waitlist is served before it. */
  readonly servesFirst?: boolean
  /** The booking, or the series of bookings, whose time it may release. */
  readonly releases?: Released
  /** The rows of its queries as its caller read them: it decides on them first, and its commit proves them. */
  readonly asRead?: readonly (readonly unknown[])[]
  /** Read in the same round trip as everything else. */
  readonly asks: (turn: Turn) => Q | Promise<Q>
  readonly decide: (turn: Turn, state: State<Q>) => Decided<Body> | Promise<Decided<Body>>
  /** Read with a refusal from memory, for its caller alone: it is returned beside the refusal, and never stored. */
  readonly asksOfRefusal?: (turn: Turn) => Query<unknown>
  /** The result for a repeated command that had changed nothing. */
  readonly asItIs?: (rows: Rows<Q>, turn: Turn) => Told<Body> | Promise<Told<Body>>
  /** The fences that are an answer. All others mean that something has changed, and the verb decides again. */
  readonly refusesOn?: { readonly [F in Fence]?: Refusal }
  /** Whether it decides again without a pause, because each lost race leaves fewer to compete with. */
  readonly isRacing?: boolean
}
