import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import { keepChannel } from '../channels/keep-channel.ts'
import { inTime } from '../client/in-time.ts'
import { firstPoll, type Poll, pollAfter, pollAtOnce, pollWhenTold } from '../sync/poll-plan.ts'
import { type OpenForSync, syncCalendar } from '../sync/sync-calendar.ts'
import type { Synced } from '../sync/synced.ts'
import {
  type AccountCalls,
  type LookAt,
  type SeenEvent,
  type SyncWanted,
  type Told,
  tell,
} from './ask-account.ts'
import { OpenedAccount } from './opened-account.ts'

/** What the object keeps, and may lose: the sweep asks for what it forgot. */
export type PollMemory = {
  get(): Readonly<Record<string, Poll>>
  /** Also has the object called at the earliest of them. */
  put(polls: Readonly<Record<string, Poll>>): Promise<void>
}

/** All that is done with one account: see `AccountCalls`. */
export class AccountKeeper implements Omit<AccountCalls, 'erase'> {
  readonly #env: Env
  readonly #id: string
  readonly #polls: PollMemory
  readonly #account: OpenedAccount
  /** Syncs that run, by connection, and when they began. */
  readonly #running = new Map<string, { readonly began: number; readonly done: Promise<void> }>()
  /** Channels that are being seen to, by connection. */
  readonly #keeping = new Map<string, Promise<void>>()

  constructor(env: Env, id: string, polls: PollMemory) {
    this.#env = env
    this.#id = id
    this.#polls = polls
    this.#account = new OpenedAccount(env, id)
  }

  accessToken(refused: string | null): Promise<Told<string>> {
    return this.#answering(() =>
      this.#account.use(({ access }) => {
        if (!access) throw new CalendarError('unusable', 'This kind of account has no tokens.')
        return refused === null ? access.token() : access.renewedToken(refused)
      }),
    )
  }

  look({ calendarId, timezone, range, patienceMs }: LookAt): Promise<Told<readonly SeenEvent[]>> {
    return this.#answering(async () => {
      const events = await inTime(patienceMs, (signal) =>
        this.#account.use(({ client }) =>
          client.openCalendar({ calendarId, timezone }).listEvents(range, signal),
        ),
      )
      if (!events) throw new CalendarError('unavailable', 'The calendar did not answer in time.')
      return events.filter(({ busy }) => busy.length > 0).map(({ uid, busy }) => ({ uid, busy }))
    })
  }

  async sync(wanted: SyncWanted): Promise<void> {
    const { connectionId, since } = wanted
    for (;;) {
      const running = this.#running.get(connectionId)
      if (!running) break
      // One that broke off says nothing to those who wait for it.
      const isDone = await running.done.then(
        () => true,
        () => false,
      )
      if (isDone && running.began >= since) return
    }
    const done = this.#sync(wanted).finally(() => this.#running.delete(connectionId))
    this.#running.set(connectionId, { began: Date.now(), done })
    return done
  }

  async readAt(): Promise<Readonly<Record<string, number>>> {
    return Object.fromEntries(Object.entries(this.#polls.get()).map(([id, { readAt }]) => [id, readAt]))
  }

  async connected(readAt: Readonly<Record<string, number | null>>): Promise<void> {
    this.#account.forget()
    const read = Object.entries(readAt).flatMap(([id, at]) =>
      at === null ? [] : [[id, firstPoll(at)] as const],
    )
    if (read.length > 0) await this.#polls.put({ ...this.#polls.get(), ...Object.fromEntries(read) })
  }

  /** Asks the calendars whose time has come, also those that are told of meanwhile. */
  async pollDue(): Promise<void> {
    const asked = new Map<string, number>()
    const isDue = ([id, { at }]: readonly [string, Poll]) => at <= Date.now() && asked.get(id) !== at
    // One after the other: providers count how much is asked at once.
    for (;;) {
      const due = Object.entries(this.#polls.get()).find(isDue)
      if (!due) return
      const [connectionId, { at }] = due
      asked.set(connectionId, at)
      try {
        await this.sync({ connectionId, since: Date.now() })
      } catch (error) {
        // Its turn comes again, and that of the others now.
        console.error(JSON.stringify({ calendar: connectionId, cause: bareError(error).stack }))
      }
    }
  }

  async told(connectionId: string): Promise<void> {
    const polls = this.#polls.get()
    const next = pollWhenTold(polls[connectionId] ?? null, Date.now(), this.#running.has(connectionId))
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
      isNew = await keepChannel(this.#env, connectionId, async () => (await this.#account.open()).client)
    } finally {
      // What is wanted during the sync is seen to anew.
      this.#keeping.delete(connectionId)
    }
    if (isNew) await this.sync({ connectionId, since: Date.now() })
  }

  /** That the permission ended is kept by a sync, which is not waited for here. */
  async #answering<T>(ask: () => Promise<T>): Promise<Told<T>> {
    const told = await tell(ask)
    const hasEnded = 'failure' in told && (told.failure === 'revoked' || told.failure === 'expired')
    if (hasEnded) await this.#polls.put(pollAtOnce(this.#polls.get(), Date.now()))
    return told
  }

  async #sync(wanted: SyncWanted): Promise<void> {
    const { connectionId, since, isForced = false } = wanted
    const known = this.#polls.get()[connectionId]
    if (known && known.readAt >= since && !isForced) return
    const began = Date.now()
    const open: OpenForSync = async (calendar) => ({
      ...(await this.#account.open()).client.openCalendar(calendar),
      listChanges: (window, since) =>
        this.#account.use(({ client }) => client.openCalendar(calendar).listChanges(window, since)),
    })
    const synced = await syncCalendar(this.#env, connectionId, wanted, open, await this.readAt())
    await this.#plan(connectionId, synced, began, known)
    if ('wantsChannel' in synced && synced.wantsChannel) {
      await wakeQueue(this.#env, { type: 'calendar-channel', accountId: this.#id, connectionId })
    }
  }

  async #plan(connectionId: string, synced: Synced, began: number, known: Poll | undefined): Promise<void> {
    const { [connectionId]: before, ...others } = this.#polls.get()
    // Connected again while it was asked for the former connection.
    if (synced.outcome === 'gone' && before?.readAt !== known?.readAt) return
    const next = pollAfter(before ?? null, synced, began, Math.random())
    await this.#polls.put(next ? { ...others, [connectionId]: next } : others)
  }
}
