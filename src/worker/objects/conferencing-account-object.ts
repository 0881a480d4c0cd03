import { DurableObject } from 'cloudflare:workers'
import type { ConferencingAccountKeeper, Renewal } from '../../calendars/meetings/accounts/account-keeper.ts'
import type { AccountCalls } from '../../calendars/meetings/accounts/ask-account.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { homeOf } from '../../platform/db/shards.ts'

const RENEWAL = 'renewal'
const ACCOUNT_ID = 'account-id'

/** What nobody uses is renewed so often. The provider ends it after 90 days, so that some of that may fail. */
const RENEWED_EVERY_MS = 15 * DAY_MS

/**
 * One object per account of a provider of meetings. It keeps renewed tokens until the database has them, and wakes to renew
 * those that nobody uses.
 */
export class ConferencingAccountObject extends DurableObject<Env> implements AccountCalls {
  // An alarm may not say whose object it wakes.
  readonly #accountId = this.ctx.id.name ?? this.ctx.storage.kv.get<string>(ACCOUNT_ID)!
  #keeper: Promise<ConferencingAccountKeeper> | null = null

  async accessToken(refused: string | null) {
    await this.#wakeLater()
    return (await this.#opened()).accessToken(refused)
  }

  async connected() {
    await this.#wakeLater()
    return this.changed()
  }

  async changed() {
    return (await this.#opened()).changed()
  }

  async erase(): Promise<void> {
    this.#keeper = null
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    // First, for whatever fails now.
    await this.#wakeLater()
    if (await (await this.#opened()).renewUnused()) await this.erase()
  }

  async #wakeLater(): Promise<void> {
    const { storage } = this.ctx
    if ((await storage.getAlarm()) !== null) return
    storage.kv.put(ACCOUNT_ID, this.#accountId)
    await storage.setAlarm(Date.now() + RENEWED_EVERY_MS)
  }

  /** What speaks with providers is evaluated for the first account that needs it. */
  #opened(): Promise<ConferencingAccountKeeper> {
    const { kv } = this.ctx.storage
    this.#keeper ??= import('../../calendars/meetings/accounts/account-keeper.ts').then(
      ({ ConferencingAccountKeeper }) =>
        new ConferencingAccountKeeper(homeOf(this.env, this.#accountId), this.#accountId, {
          get: () => kv.get<Renewal>(RENEWAL) ?? null,
          put: (renewal) => kv.put(RENEWAL, renewal),
          delete: () => kv.delete(RENEWAL),
        }),
    )
    return this.#keeper
  }
}
