import { DurableObject } from 'cloudflare:workers'
import type { AccountKeeper } from '../../calendars/accounts/account-keeper.ts'
import type { AccountSource } from '../../calendars/accounts/account-source.ts'
import {
  type AccountCalls,
  type BusyQuery,
  readAccountName,
  type SyncWanted,
} from '../../calendars/accounts/ask-account.ts'
import type { Renewal } from '../../calendars/accounts/opened-account.ts'
import type { Poll } from '../../calendars/sync/poll-plan.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { homeOf } from '../../platform/db/shards.ts'

const NAME = 'name'
const POLLS = 'polls'
const RENEWAL = 'renewal'

/** Unused tokens of meetings are renewed this often. The provider ends them after 90 days, so that some renewals may fail. */
const RENEWED_EVERY_MS = 15 * DAY_MS

/**
 * One object per account of a provider. It stores when its calendars are asked again, and renewed tokens until the database has
 * them; all else is in the database.
 */
export class AccountObject extends DurableObject<Env> implements AccountCalls {
  // An alarm may not say whose object it wakes.
  readonly #name = this.ctx.id.name ?? this.ctx.storage.kv.get<string>(NAME)!
  #keeper: Promise<AccountKeeper> | null = null

  async accessToken(refused: string | null) {
    await this.#renewLater()
    return (await this.#opened()).accessToken(refused)
  }

  async connected(readAt?: Readonly<Record<string, number | null>>) {
    await this.#renewLater()
    return (await this.#opened()).connected(readAt)
  }

  async changed() {
    return (await this.#opened()).changed()
  }

  async listBusy(wanted: BusyQuery) {
    return (await this.#opened()).listBusy(wanted)
  }

  async sync(wanted: SyncWanted) {
    return (await this.#opened()).sync(wanted)
  }

  async notified(connectionId: string) {
    return (await this.#opened()).notified(connectionId)
  }

  async keepChannel(connectionId: string) {
    return (await this.#opened()).keepChannel(connectionId)
  }

  async readAt() {
    return (await this.#opened()).readAt()
  }

  async erase(): Promise<void> {
    this.#keeper = null
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    if (this.#isOfMeetings) {
      // First, in case the rest fails.
      await this.#renewLater()
      const { renewUnused } = await import('../../calendars/meetings/accounts/renew-unused.ts')
      const [, id] = readAccountName(this.#name)
      if (await renewUnused(homeOf(this.env, id), id, await this.#opened())) await this.erase()
      return
    }
    try {
      await (await this.#opened()).pollDue()
    } catch (error) {
      console.error(JSON.stringify({ calendarAccount: this.#name, cause: bareError(error).stack }))
    }
    await this.#wakeFor(this.#polls())
  }

  /** Code for providers is evaluated for the first account that needs it. */
  #opened(): Promise<AccountKeeper> {
    this.#keeper ??= this.#open()
    return this.#keeper
  }

  async #open(): Promise<AccountKeeper> {
    const { kv } = this.ctx.storage
    const [, id] = readAccountName(this.#name)
    const [{ AccountKeeper }, source] = await Promise.all([
      import('../../calendars/accounts/account-keeper.ts'),
      this.#source(),
    ])
    return new AccountKeeper(homeOf(this.env, id), source, id, {
      polls: {
        get: () => this.#polls(),
        put: async (polls) => {
          kv.put(NAME, this.#name)
          kv.put(POLLS, polls)
          await this.#wakeFor(polls)
        },
      },
      renewals: {
        get: () => kv.get<Renewal>(RENEWAL) ?? null,
        put: (renewal) => (renewal ? kv.put(RENEWAL, renewal) : void kv.delete(RENEWAL)),
      },
    })
  }

  get #isOfMeetings(): boolean {
    return readAccountName(this.#name)[0] === 'conferencing'
  }

  async #source(): Promise<AccountSource> {
    return this.#isOfMeetings
      ? (await import('../../calendars/meetings/accounts/account-source.ts')).meetingAccounts
      : (await import('../../calendars/accounts/account-source.ts')).calendarAccounts
  }

  #polls(): Readonly<Record<string, Poll>> {
    return this.ctx.storage.kv.get<Record<string, Poll>>(POLLS) ?? {}
  }

  async #wakeFor(polls: Readonly<Record<string, Poll>>): Promise<void> {
    const now = Date.now()
    // Calendars that could not be asked in time are asked in a while.
    const moments = Object.values(polls).map(({ at }) => (at <= now ? now + MINUTE_MS : at))
    if (moments.length === 0) return this.ctx.storage.deleteAlarm()
    await this.ctx.storage.setAlarm(Math.min(...moments))
  }

  /** Calendars are asked so often that their tokens are never unused. */
  async #renewLater(): Promise<void> {
    const { storage } = this.ctx
    if (!this.#isOfMeetings || (await storage.getAlarm()) !== null) return
    storage.kv.put(NAME, this.#name)
    await storage.setAlarm(Date.now() + RENEWED_EVERY_MS)
  }
}
