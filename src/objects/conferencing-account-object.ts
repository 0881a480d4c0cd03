import { DurableObject } from 'cloudflare:workers'
import { homeOf } from '../db/shards.ts'
import type { Env } from '../env.ts'
import type { ConferencingAccountKeeper, Renewal } from '../resources/conferencing/accounts/account-keeper.ts'
import type { AccountCalls } from '../resources/conferencing/accounts/ask-account.ts'

const RENEWAL = 'renewal'

/** One object per account of a provider of meetings. It keeps renewed tokens until the database has them, and nothing else. */
export class ConferencingAccountObject extends DurableObject<Env> implements AccountCalls {
  #keeper: Promise<ConferencingAccountKeeper> | null = null

  async accessToken(refused: string | null) {
    return (await this.#opened()).accessToken(refused)
  }

  async changed() {
    return (await this.#opened()).changed()
  }

  async erase(): Promise<void> {
    this.#keeper = null
    await this.ctx.storage.deleteAll()
  }

  /** What speaks with providers is evaluated for the first account that needs it. */
  #opened(): Promise<ConferencingAccountKeeper> {
    const { kv } = this.ctx.storage
    const accountId = this.ctx.id.name!
    this.#keeper ??= import('../resources/conferencing/accounts/account-keeper.ts').then(
      ({ ConferencingAccountKeeper }) =>
        new ConferencingAccountKeeper(homeOf(this.env, accountId), accountId, {
          get: () => kv.get<Renewal>(RENEWAL) ?? null,
          put: (renewal) => kv.put(RENEWAL, renewal),
          delete: () => kv.delete(RENEWAL),
        }),
    )
    return this.#keeper
  }
}
