import { type Interval, intersect } from '../../core/interval.ts'
import { isMarked } from '../../engine/schedule/own-uids.ts'
import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { CalendarError, isEnd } from '../../platform/icalendar/calendar-error.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import { keepChannel } from '../channels/keep-channel.ts'
import type { AccountClient } from '../client/account-client.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import { inTime } from '../client/in-time.ts'
import {
  firstPoll,
  isComparisonDue,
  type Poll,
  pollAfter,
  pollAtOnce,
  pollWhenNotified,
} from '../sync/poll-plan.ts'
import { type OpenForSync, syncCalendar } from '../sync/sync-calendar.ts'
import type { Synced } from '../sync/synced.ts'
import type { AccountSource } from './account-source.ts'
import {
  type AccountAnswer,
  type AccountCalls,
  answer,
  type BusyEvent,
  type BusyQuery,
  type SyncWanted,
} from './ask-account.ts'
import { OpenedAccount, type RenewalMemory } from './opened-account.ts'

/** When the calendars of an account are asked again. It may be lost: the sweep asks for what it forgot. */
export type PollMemory = {
  get(): Readonly<Record<string, Poll>>
  /** The object is also called at the earliest of them. */
  put(polls: Readonly<Record<string, Poll>>): Promise<void>
}

/** What the object has in its own storage. */
export type AccountMemory = { readonly polls: PollMemory; readonly renewals: RenewalMemory }

type Running = { readonly began: number; readonly isThorough: boolean; readonly done: Promise<void> }

/** Everything that is done with one account: see `AccountCalls`. */
export class AccountKeeper implements Omit<AccountCalls, 'erase'> {
  readonly #env: Env
  readonly #id: string
  readonly #polls: PollMemory
  readonly #account: OpenedAccount
  /** Running syncs by connection. */
  readonly #running = new Map<string, Running>()
  /** Connections whose channels are being changed. */
  readonly #keeping = new Map<string, Promise<void>>()

  constructor(env: Env, source: AccountSource, id: string, { polls, renewals }: AccountMemory) {
    this.#env = env
    this.#id = id
    this.#polls = polls
    this.#account = new OpenedAccount(env, source, id, renewals)
  }

  accessToken(refused: string | null): Promise<AccountAnswer<string>> {
    return this.#answer(() =>
      this.#account.use(({ access }) => {
        if (!access) throw new CalendarError('unusable', 'This kind of account has no tokens.')
        return refused === null ? access.token() : access.renewedToken(refused)
      }),
    )
  }

  async connected(readAt: Readonly<Record<string, number | null>> = {}): Promise<void> {
    this.#account.forget()
    const read = Object.entries(readAt).flatMap(([id, at]) =>
      at === null ? [] : [[id, firstPoll(at)] as const],
    )
    if (read.length > 0) await this.#polls.put({ ...this.#polls.get(), ...Object.fromEntries(read) })
  }

  async changed(): Promise<void> {
    this.#account.forget()
  }

  listBusy({
    calendarId,
    timezone,
    blocks,
    range,
    patienceMs,
  }: BusyQuery): Promise<AccountAnswer<readonly BusyEvent[]>> {
    return this.#answer(async () => {
      const events = await inTime(patienceMs, (signal) =>
        this.#account.use((opened) =>
          clientOf(opened)
            .openCalendar({ calendarId, timezone, ...(blocks && { blocks }) })
            .listEvents(range, signal),
        ),
      )
      if (!events) throw new CalendarError('unavailable', 'The calendar did not answer in time.')
      return events.flatMap((event) => busyEvent(event, range))
    })
  }

  async sync(wanted: SyncWanted): Promise<void> {
    const { connectionId, since } = wanted
    for (;;) {
      const running = this.#running.get(connectionId)
      if (!running) break
      // A sync that threw does not answer those who wait for it.
      const isDone = await running.done.then(
        () => true,
        () => false,
      )
      if (isDone && running.began >= since && (running.isThorough || !wanted.isThorough)) return
    }
    const began = Date.now()
    const isThorough = this.#isThorough(wanted, began)
    const done = this.#sync(wanted, isThorough).finally(() => this.#running.delete(connectionId))
    this.#running.set(connectionId, { began, isThorough, done })
    return done
  }

  async readAt(): Promise<Readonly<Record<string, number>>> {
    return Object.fromEntries(Object.entries(this.#polls.get()).map(([id, { readAt }]) => [id, readAt]))
  }

  /** Syncs the calendars that are due, also those that become due during this call. */
  async pollDue(): Promise<void> {
    const asked = new Map<string, number>()
    const isDue = ([id, { at }]: readonly [string, Poll]) => at <= Date.now() && asked.get(id) !== at
    // One after the other, because providers limit concurrent requests.
    for (;;) {
      const due = Object.entries(this.#polls.get()).find(isDue)
      if (!due) return
      const [connectionId, { at }] = due
      asked.set(connectionId, at)
      try {
        await this.sync({ connectionId, since: Date.now() })
      } catch (error) {
        // It is retried later, and the others are synced now.
        console.error(JSON.stringify({ calendar: connectionId, cause: bareError(error).stack }))
      }
    }
  }

  async notified(connectionId: string): Promise<void> {
    const polls = this.#polls.get()
    const next = pollWhenNotified(polls[connectionId] ?? null, Date.now(), this.#running.has(connectionId))
    if (next) await this.#polls.put({ ...polls, [connectionId]: next })
  }

  keepChannel(connectionId: string): Promise<void> {
    const kept = this.#keeping.get(connectionId) ?? this.#keepChannel(connectionId)
    this.#keeping.set(connectionId, kept)
    return kept
  }

  async #keepChannel(connectionId: string): Promise<void> {
    let isNew: boolean
    try {
      isNew = await keepChannel(this.#env, connectionId, async () => clientOf(await this.#account.open()))
    } finally {
      // A call during the sync changes the channels once more.
      this.#keeping.delete(connectionId)
    }
    if (isNew) await this.sync({ connectionId, since: Date.now() })
  }

  /** An ended permission is stored by a sync of its calendars, which is not waited for here. */
  async #answer<T>(ask: () => Promise<T>): Promise<AccountAnswer<T>> {
    const answered = await answer(ask)
    const polls = this.#polls.get()
    const hasCalendars = Object.keys(polls).length > 0
    if ('failure' in answered && isEnd(answered.failure) && hasCalendars)
      await this.#polls.put(pollAtOnce(polls, Date.now()))
    return answered
  }

  #isThorough({ connectionId, isForced = false, isThorough = false }: SyncWanted, now: number): boolean {
    const poll = this.#polls.get()[connectionId]
    // What its provider reports and a listing does not show came and went since the last one.
    const isTold = poll?.toldAt !== undefined
    return isForced || isThorough || isTold || isComparisonDue(poll, now)
  }

  async #sync(wanted: SyncWanted, isThorough: boolean): Promise<void> {
    const { connectionId, since, isForced = false } = wanted
    const known = this.#polls.get()[connectionId]
    const doneAt = wanted.isThorough ? known?.comparedAt : known?.readAt
    if (doneAt !== undefined && doneAt >= since && !isForced) return
    const began = Date.now()
    const open: OpenForSync = async (calendar) => ({
      ...clientOf(await this.#account.open()).openCalendar(calendar),
      listChanges: (window, since) =>
        this.#account.use((opened) => clientOf(opened).openCalendar(calendar).listChanges(window, since)),
    })
    const synced = await syncCalendar(
      this.#env,
      connectionId,
      { ...wanted, isThorough },
      open,
      await this.readAt(),
    )
    await this.#plan(connectionId, synced, began, known, isThorough)
    if ('wantsChannel' in synced && synced.wantsChannel) {
      await wakeQueue(this.#env, { type: 'calendar-channel', accountId: this.#id, connectionId })
    }
  }

  async #plan(
    connectionId: string,
    synced: Synced,
    began: number,
    known: Poll | undefined,
    isThorough: boolean,
  ): Promise<void> {
    const { [connectionId]: before, ...others } = this.#polls.get()
    // Connected again while it was asked for the former connection.
    if (synced.outcome === 'gone' && before?.readAt !== known?.readAt) return
    const next = pollAfter(before ?? null, synced, began, Math.random())
    const comparedAt = isThorough ? began : (before?.comparedAt ?? 0)
    await this.#polls.put(next ? { ...others, [connectionId]: { ...next, comparedAt } } : others)
  }
}

function clientOf({ client }: { readonly client: AccountClient | null }): AccountClient {
  if (client) return client
  throw new CalendarError('unusable', 'This kind of account has no calendars.')
}

/** Nothing where it blocks nothing; one of ours counts as busy even where the calendar shows it as free. */
function busyEvent({ uid, busy, time }: ExternalEvent, range: Interval): BusyEvent[] {
  if (busy.length > 0) return [{ uid, busy }]
  const ours = isMarked(uid) && time !== null ? intersect([time], [range]) : []
  return ours.length === 0 ? [] : [{ uid, busy: ours, isFree: true }]
}
