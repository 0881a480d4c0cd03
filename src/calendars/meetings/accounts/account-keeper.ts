import { MINUTE_MS } from '../../../core/time-units.ts'
import type { Env } from '../../../env.ts'
import { openDb } from '../../../platform/db/client.ts'
import { othersOf } from '../../../platform/db/shards.ts'
import { CalendarError } from '../../../platform/icalendar/calendar-error.ts'
import { realNow } from '../../../platform/limits/clock.ts'
import { type Told, tell } from '../../accounts/ask-account.ts'
import { openKeptAccess } from '../../accounts/kept-access.ts'
import type { Access } from '../../oauth/access.ts'
import { isEnd, keepEnd } from '../keep-failure.ts'
import type { AccountCalls } from './ask-account.ts'
import { configOfAccounts, openTokens, sealTokens } from './credentials.ts'
import { type AccountRow, replaceCredentials, selectAccount, selectAccountToRenew } from './queries.ts'

/** Renewed tokens, sealed, until the database has them in place of those before. */
export type Renewal = { readonly before: string; readonly after: string }

/** What the object keeps of a renewal in its own storage, which has it before the database does. */
type RenewalMemory = {
  get(): Renewal | null
  put(renewal: Renewal): void
  delete(): void
}

/** A row that was changed without a word to the object is noticed after this long. */
const ROW_TTL_MS = MINUTE_MS

/** All that is done with one account: see `AccountCalls`. */
export class ConferencingAccountKeeper implements Omit<AccountCalls, 'connected' | 'erase'> {
  readonly #env: Env
  readonly #id: string
  readonly #renewals: RenewalMemory
  #opened: { readonly access: Access; readonly at: number } | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(env: Env, id: string, renewals: RenewalMemory) {
    this.#env = env
    this.#id = id
    this.#renewals = renewals
  }

  accessToken(refused: string | null): Promise<Told<string>> {
    return this.#inTurn(() =>
      tell(async () => {
        const access = await this.#open()
        try {
          return refused === null ? await access.token() : await access.renewedToken(refused)
        } catch (error) {
          // The next to ask begins with what is kept.
          this.#opened = null
          throw error
        }
      }),
    )
  }

  changed(): Promise<void> {
    return this.#inTurn(async () => {
      this.#opened = null
    })
  }

  /**
   * Renews tokens that nobody used for a while: a refresh token that is 90 days old ends the permission
   * (https://developers.zoom.us/docs/integrations/oauth), and the next booking would have no link. One that ended all the
   * same is told of at once. Returns whether there is nothing to renew any more.
   */
  async renewUnused(): Promise<boolean> {
    const db = openDb(this.#env, 'decide')
    const [account] = await selectAccountToRenew(db, this.#id)
    if (!account) return true
    const told = await this.accessToken(null)
    if ('failure' in told && isEnd(told.failure))
      await keepEnd(this.#env, db, account, told.failure, told.message, realNow())
    return false
  }

  /** One after the other: a row that is read while its tokens are renewed would have them renewed twice. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(ask)
    this.#last = answer.catch(() => {})
    return answer
  }

  async #open(): Promise<Access> {
    if (this.#opened && Date.now() - this.#opened.at < ROW_TTL_MS) return this.#opened.access
    const access = await this.#openAccess(await this.#load())
    this.#opened = { access, at: Date.now() }
    return access
  }

  async #load(): Promise<AccountRow> {
    const db = openDb(this.#env, 'decide')
    const [row] = await selectAccount(db, this.#id)
    if (!row) throw new CalendarError('absent', 'The account is no longer connected.')
    if (row.status === 'revoked' || row.status === 'expired') {
      throw new CalendarError(row.status, row.error ?? 'The access to Zoom ended; connect once more.')
    }
    const renewal = this.#renewals.get()
    if (!renewal) return row
    const isOurs = renewal.before === row.credentials
    if (isOurs) await replaceCredentials(db, row, renewal.after)
    this.#renewals.delete()
    return isOurs ? { ...row, credentials: renewal.after } : row
  }

  /** The provider takes each refresh token once: a renewed one is lost nowhere on its way to the database. */
  async #openAccess(row: AccountRow): Promise<Access> {
    const db = openDb(this.#env, 'decide')
    const { access } = await openKeptAccess(configOfAccounts(this.#env), row.credentials, {
      seal: (tokens) => sealTokens(this.#env, tokens),
      unseal: (credentials) => openTokens(this.#env, credentials),
      load: async () => (await selectAccount(db, row.id))[0]?.credentials || null,
      replace: async (before, after) => {
        this.#renewals.put({ before, after })
        const read = { ...row, credentials: before }
        const isKept = await replaceCredentials(db, read, after)
        // Whoever lives by the same permission elsewhere; without these tokens they have to connect once more.
        const others = othersOf(this.#env).map((home) => openDb(home, 'decide'))
        await Promise.allSettled(others.map((other) => replaceCredentials(other, read, after)))
        this.#renewals.delete()
        return isKept
      },
      onOthers: () => {
        this.#opened = null
      },
    })
    return access
  }
}
