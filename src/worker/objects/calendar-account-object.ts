import { DurableObject } from 'cloudflare:workers'
import type { AccountKeeper } from '../../calendars/accounts/account-keeper.ts'
import type { AccountCalls, LookAt, SyncWanted } from '../../calendars/accounts/ask-account.ts'
import type { Poll } from '../../calendars/sync/poll-plan.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { homeOf } from '../../platform/db/shards.ts'

const POLLS = 'polls'
const ACCOUNT_ID = 'account-id'

/**
 * One object per account of a calendar provider. It keeps when its calendars are asked again; all else is in the
 * database, and what it forgets the sweep makes up for.
 */
export class CalendarAccountObject extends DurableObject<Env> implements AccountCalls {
  // An alarm may not say whose object it wakes.
  readonly #accountId = this.ctx.id.name ?? this.ctx.storage.kv.get<string>(ACCOUNT_ID)!
  #keeper: Promise<AccountKeeper> | null = null

  async accessToken(refused: string | null) {
    return (await this.#opened()).accessToken(refused)
  }

  async look(wanted: LookAt) {
    return (await this.#opened()).look(wanted)
  }

  async sync(wanted: SyncWanted) {
    return (await this.#opened()).sync(wanted)
  }

  async told(connectionId: string) {
    return (await this.#opened()).told(connectionId)
  }

  async keepChannel(connectionId: string) {
    return (await this.#opened()).keepChannel(connectionId)
  }

  async readAt() {
    return (await this.#opened()).readAt()
  }

  async connected(readAt: Readonly<Record<string, number | null>>) {
    return (await this.#opened()).connected(readAt)
  }

  async erase(): Promise<void> {
    this.#keeper = null
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    try {
      await (await this.#opened()).pollDue()
    } catch (error) {
      console.error(JSON.stringify({ calendarAccount: this.#accountId, cause: bareError(error).stack }))
    }
    await this.#wakeAt(this.#polls())
  }

  /** What speaks with providers is evaluated for the first account that needs it. */
  #opened(): Promise<AccountKeeper> {
    this.#keeper ??= import('../../calendars/accounts/account-keeper.ts').then(
      ({ AccountKeeper }) =>
        new AccountKeeper(homeOf(this.env, this.#accountId), this.#accountId, {
          get: () => this.#polls(),
          put: async (polls) => {
            this.ctx.storage.kv.put(ACCOUNT_ID, this.#accountId)
            this.ctx.storage.kv.put(POLLS, polls)
            await this.#wakeAt(polls)
          },
        }),
    )
    return this.#keeper
  }

  #polls(): Readonly<Record<string, Poll>> {
    return this.ctx.storage.kv.get<Record<string, Poll>>(POLLS) ?? {}
  }

  async #wakeAt(polls: Readonly<Record<string, Poll>>): Promise<void> {
    const now = Date.now()
    // What could not be asked when it was due is asked in a while.
    const moments = Object.values(polls).map(({ at }) => (at <= now ? now + MINUTE_MS : at))
    if (moments.length === 0) return this.ctx.storage.deleteAlarm()
    await this.ctx.storage.setAlarm(Math.min(...moments))
  }
}
