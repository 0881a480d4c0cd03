import type { Db, Query, Statement } from '../../platform/db/client.ts'
import type { Fence } from '../../platform/db/refusals.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import type { Message } from '../../platform/queue/messages.ts'
import type { Invitee, Schedule, ScheduleVersion } from '../schedule/schedule.ts'
import type { ReleasedTime } from './promotions.ts'
import type { Workplace } from './workplace.ts'

/** What a verb decided to do. `runPlan` does it, all or nothing. */
export type Plan<Body> = {
  readonly status: 200 | 201
  readonly body: Body
  readonly statements: readonly Statement[]
  /** What it rests on: the commit is refused when that is no longer what is offered. */
  readonly decidedOn?: Schedule
  /** Told to the queue after the commit. */
  readonly messages?: readonly Message[]
  /** The schedule after the commit; where it is left out, nothing is remembered. */
  readonly apply?: (schedule: Schedule) => Schedule
  /** By how much it moves the version on, at least; where that is known, nobody asks for the version afterwards. */
  readonly moves?: ScheduleVersion
  readonly frees?: ReleasedTime
  /** Whether it may open slots that were closed. */
  readonly opens?: boolean
}

/** What commits nothing. */
export type Undone<Body> =
  | { readonly refusal: Refusal }
  /** All is so already, and this is how it is. */
  | { readonly unchanged: Body }

export type Decided<Body> = Plan<Body> | Undone<Body>

export type Queries = readonly Query<unknown>[]
export type Rows<Q extends Queries> = { readonly [K in keyof Q]: Q[K]['_']['result'] }

/** What a verb decides on, as it was in one moment. */
export type State<Q extends Queries> = {
  /** Null where there is no such event type, and where the verb asks for none. */
  readonly schedule: Schedule | null
  /** The answers to the verb's own queries; null where memory knew enough without asking. */
  readonly rows: Rows<Q> | null
  readonly now: PresentMs
  /** How many plans a fence refused before. */
  readonly lost: number
}

type Told<Body> = Body | null | undefined

export type Turn = Workplace & {
  readonly db: Db
  /** The moment of the object's time that the command came. */
  readonly arrivedAt: number
  /** Nothing is written, told or asked outside in a dry one. */
  readonly isDry: boolean
}

/** One command about an event type: what it needs to know, and what it decides. */
export type Verb<Q extends Queries, Body> = {
  readonly eventTypeId: string
  readonly claim: IdempotencyClaim | null
  readonly now: AskedMs
  /** Whether it only tells how it would end: its plan is not carried out. */
  readonly isDry?: boolean | undefined
  /** The start around which the schedule is loaded; left out where none is needed. */
  readonly around?: number
  /** Whether it goes on for an event type that was deleted. */
  readonly isDeletedToo?: boolean
  /** Whose bookings to come count with it, where they are limited. */
  readonly invitee?: Invitee
  /** Whether it may be decided by the schedule that memory knows; then `rows` is null. It may be decided twice then. */
  readonly canRecall?: (schedule: Schedule) => boolean
  /** Whether those who wait are served before it. */
  readonly servesFirst?: boolean
  /** The booking whose time it may give up. */
  readonly releases?: string
  /** Asked in the same round trip as everything else. */
  readonly asks: (turn: Turn) => Q | Promise<Q>
  readonly decide: (turn: Turn, state: State<Q>) => Decided<Body> | Promise<Decided<Body>>
  /** Told again to whoever repeats a command that had changed nothing. */
  readonly asItIs?: (rows: Rows<Q>, turn: Turn) => Told<Body> | Promise<Told<Body>>
  /** The fences that are an answer. Any other one means that the world has changed, and the verb decides again. */
  readonly refusesOn?: { readonly [F in Fence]?: Refusal }
  /** How long it waits before it decides again: not at all where each race it loses leaves fewer to race with. */
  readonly isRacing?: boolean
}
