import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { isSealedByFirst, seal, unseal } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { CalendarError, isEnd } from '../../platform/icalendar/calendar-error.ts'
import { send } from '../../platform/transport/fetch.ts'
import type { AccountClient } from '../client/account-client.ts'
import { type Access, openAccess } from '../oauth/access.ts'
import type { OAuthConfig } from '../oauth/oauth-config.ts'
import type { Tokens } from '../oauth/tokens.ts'
import type { AccountSource, StoredAccount } from './account-source.ts'
import { openCredentials, sealCredentials } from './credentials.ts'

type Opened = {
  readonly row: StoredAccount
  readonly client: AccountClient | null
  readonly access: Access | null
  /** What its tokens were last stored as: the row's credentials or their replacement. */
  readonly credentials: () => string
}

/** Renewed tokens, sealed, until the database has them in place of those before. */
export type Renewal = { readonly before: string; readonly after: string }

/** The object's own storage gets renewed tokens before the database, because a provider may take a refresh token only once. */
export type RenewalMemory = {
  get(): Renewal | null
  put(renewal: Renewal | null): void
}

/** A row that changed without a call to the object is noticed after this long. */
const ROW_TTL_MS = MINUTE_MS

/** An account as its object has it open. Nothing else renews its tokens. */
export class OpenedAccount {
  readonly #env: Env
  readonly #source: AccountSource
  readonly #id: string
  readonly #renewals: RenewalMemory
  #opened: { readonly account: Promise<Opened>; readonly at: number } | null = null

  constructor(env: Env, source: AccountSource, id: string, renewals: RenewalMemory) {
    this.#env = env
    this.#source = source
    this.#id = id
    this.#renewals = renewals
  }

  /** The next call reads its row again. */
  forget(): void {
    if (this.#opened) this.#opened = { ...this.#opened, at: Number.NEGATIVE_INFINITY }
  }

  /** If the account was connected again after it was opened, a refused call is repeated with the new credentials. */
  async use<T>(ask: (opened: Opened) => T | Promise<T>): Promise<T> {
    const opened = await this.open()
    try {
      return await ask(opened)
    } catch (error) {
      if (!isRefusal(error) || !(await this.#isConnectedAnew(opened.row))) throw error
      this.forget()
      return ask(await this.open())
    }
  }

  /** Throws a CalendarError. */
  open(): Promise<Opened> {
    const known = this.#opened
    if (known && Date.now() - known.at < ROW_TTL_MS) return known.account
    const account = this.#load(known ? known.account : null)
    this.#opened = { account, at: Date.now() }
    account.catch(() => {
      if (this.#opened?.account === account) this.#opened = null
    })
    return account
  }

  #find(): Promise<StoredAccount | undefined> {
    return this.#source.find(openDb(this.#env, 'decide'), this.#id)
  }

  async #isConnectedAnew({ connectedAt }: StoredAccount): Promise<boolean> {
    const now = await this.#find()
    return now !== undefined && now.connectedAt !== connectedAt
  }

  /** It stays open while its credentials are the same: it may be renewing its tokens, and two renewals at once are refused. */
  async #load(before: Promise<Opened> | null): Promise<Opened> {
    const found = await this.#find()
    if (!found) throw new CalendarError('absent', 'The account is no longer connected.')
    const row = await this.#finishRenewal(found)
    const opened = await before?.catch(() => null)
    if (opened?.credentials() === row.credentials) {
      const { access } = opened
      if (!access || this.#source.sharing(opened.row) === this.#source.sharing(row)) return opened
      return { ...opened, row, client: await this.#source.open(this.#env, row, async () => access) }
    }
    return this.#openRow(await this.#reseal(row))
  }

  async #openRow(row: StoredAccount): Promise<Opened> {
    let access: Access | null = null
    let { credentials } = row
    const unseal = (sealed: string) => openCredentials<Tokens>(this.#env, sealed, this.#source.connects)
    const client = await this.#source.open(this.#env, row, async (config: OAuthConfig) => {
      const onTokens = async (tokens: Tokens) => {
        const renewed = await sealCredentials(this.#env, tokens)
        if (await this.#store({ ...row, credentials }, renewed)) credentials = renewed
      }
      const loadTokens = async () => {
        const stored = (await this.#find())?.credentials
        if (!stored) return null
        credentials = stored
        return unseal(stored)
      }
      access = openAccess({ config, tokens: await unseal(credentials), onTokens, loadTokens }, send)
      return access
    })
    return { row, client, access, credentials: () => credentials }
  }

  /** False if others replaced the credentials, which are as good: the next call opens those. */
  async #store(row: StoredAccount, renewed: string): Promise<boolean> {
    this.#renewals.put({ before: row.credentials, after: renewed })
    let isStored = false
    try {
      isStored = await this.#source.replaceCredentials(this.#env, row, renewed)
      this.#renewals.put(null)
      return isStored
    } finally {
      if (!isStored) this.forget()
    }
  }

  /** Stores a renewal that the database did not take before. */
  async #finishRenewal(row: StoredAccount): Promise<StoredAccount> {
    const renewal = this.#renewals.get()
    if (!renewal) return row
    const isOurs = renewal.before === row.credentials
    if (isOurs) await this.#source.replaceCredentials(this.#env, row, renewal.after)
    this.#renewals.put(null)
    return isOurs ? { ...row, credentials: renewal.after } : row
  }

  /** Credentials that an older key sealed are sealed again with the newest. */
  async #reseal(row: StoredAccount): Promise<StoredAccount> {
    const { ENCRYPTION_KEY } = this.#env
    if (await isSealedByFirst(ENCRYPTION_KEY, row.credentials)) return row
    try {
      const credentials = await seal(ENCRYPTION_KEY, await unseal(ENCRYPTION_KEY, row.credentials))
      const isStored = await this.#source.replaceCredentials(this.#env, row, credentials)
      return isStored ? { ...row, credentials } : row
    } catch {
      // Opening them says what is wrong.
      return row
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof CalendarError && (isEnd(error.failure) || error.failure === 'refused')
}
