import type { Interval } from '../core/interval.ts'
import type { Calendar } from '../engine/schedule/calendar.ts'
import type { CalendarChecks, CheckRequest, Elsewhere, TakenCheck } from '../engine/turn/calendar-checks.ts'
import type { Env } from '../env.ts'
import { bareError } from '../platform/db/bare-error.ts'
import { openDb } from '../platform/db/client.ts'
import { CalendarError } from '../platform/icalendar/calendar-error.ts'
import {
  type AccountAnswer,
  askAccount,
  type BusyEvent,
  type BusyQuery,
  unwrap,
} from './accounts/ask-account.ts'
import { inTime } from './client/in-time.ts'
import { findOwnEvents } from './sync/own-events.ts'
import { selectElsewhere } from './sync/queries.ts'

type Connection = Calendar['connection']

export type CalendarLook = (
  env: Env,
  accountId: string,
  wanted: BusyQuery,
) => Promise<AccountAnswer<readonly BusyEvent[]>>

/** A calendar that did not answer is not asked again for this long. */
const SILENCE_MS = 30_000
/** Limit of questions at a time: all hosts of a team may have a calendar, and a Worker has six connections. */
const MOST_AT_ONCE = 6
/** Only requests that wait at this moment reuse an answer. */
const KEPT = 16

/**
 * What an EventType object asked calendars. Requests that waited when a question began share its answer, so a stampede on one day
 * asks each calendar once.
 */
export class CalendarLooks implements CalendarChecks {
  readonly #env: Env
  readonly #look: CalendarLook
  readonly #taken = new Map<string, TakenCheck[]>()
  readonly #silentUntil = new Map<string, number>()

  constructor(
    env: Env,
    look: CalendarLook = (of, accountId, wanted) => askAccount(of, accountId).listBusy(wanted),
  ) {
    this.#env = env
    this.#look = look
  }

  /** What the calendars say; those that do not answer in time are missing from it. It never fails. */
  async ask(connections: readonly Connection[], wanted: CheckRequest): Promise<Map<string, TakenCheck>> {
    const answers = new Map<string, TakenCheck>()
    const left = connections.values()
    const askInTurn = async () => {
      for (const connection of left) {
        const look = await this.#askOne(connection, wanted)
        if (look) answers.set(connection.id, look)
      }
    }
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, askInTurn))
    return answers
  }

  elsewhere(connectionIds: readonly string[], { start, end }: Interval): PromiseLike<readonly Elsewhere[]> {
    return selectElsewhere(openDb(this.#env, 'decide'), JSON.stringify(connectionIds), start, end)
  }

  async #askOne(connection: Connection, wanted: CheckRequest): Promise<TakenCheck | null> {
    const { range, since } = wanted
    const known = this.#taken
      .get(connection.id)
      ?.find((look) => look.tick > since && look.range.start <= range.start && range.end <= look.range.end)
    if (known) return known
    const now = Date.now()
    const { status } = connection
    // One that fails is asked all the same: it may have come back.
    const isAskable = status === 'active' || status === 'error'
    if (!isAskable || now >= wanted.deadline || now < (this.#silentUntil.get(connection.id) ?? 0)) return null

    const tick = wanted.tick()
    try {
      const events = await this.#listInTime(connection, range, wanted.deadline - now)
      const { foreign, moved } = await this.#sorted(connection, events, wanted.isOwnEvent)
      const look = { range, asOf: now, busy: foreign.flatMap(({ busy }) => busy), moved, tick }
      this.#taken.set(connection.id, [look, ...(this.#taken.get(connection.id) ?? [])].slice(0, KEPT))
      return look
    } catch (error) {
      this.#silentUntil.set(connection.id, Date.now() + SILENCE_MS)
      const cause = error instanceof CalendarError ? error.message : bareError(error).stack
      console.warn(JSON.stringify({ calendar: connection.id, unanswered: cause }))
      return null
    }
  }

  async #listInTime(
    { accountId, calendarId, timezone, blocks }: Connection,
    range: Interval,
    ms: number,
  ): Promise<readonly BusyEvent[]> {
    const wanted = { calendarId, timezone, blocks, range, patienceMs: ms }
    // The object keeps to its patience; this is for one that does not answer itself.
    const told = await inTime(ms, () => this.#look(this.#env, accountId, wanted))
    if (!told) throw new CalendarError('unavailable', 'The calendar did not answer in time.')
    return unwrap(told)
  }

  /** The database is asked only about events that look like ours and stand where none of the known bookings is. */
  async #sorted(
    { organizationId }: Connection,
    events: readonly BusyEvent[],
    isKnown: CheckRequest['isOwnEvent'],
  ): Promise<{ readonly foreign: readonly BusyEvent[]; readonly moved: readonly BusyEvent[] }> {
    const others = events.filter(({ uid, busy }) => busy.length > 0 && !isKnown(uid, busy))
    const own = await findOwnEvents(this.#env, organizationId, others)
    return {
      foreign: others.filter(({ uid, isFree }) => !own.has(uid) && !isFree),
      moved: others.filter(({ uid }) => own.get(uid)?.isElsewhere),
    }
  }
}
