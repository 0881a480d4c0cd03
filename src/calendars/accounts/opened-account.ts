import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { isSealedByFirst, seal, unseal } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { AccountClient } from '../client/account-client.ts'
import type { Access } from '../oauth/access.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { openKeptAccess, type TokenStore } from './kept-access.ts'
import { openAccount, openCredentials, sealCredentials } from './open-account.ts'
import { type AccountRow, replaceCredentials, selectAccount } from './queries.ts'

type Opened = {
  readonly row: AccountRow
  readonly client: AccountClient
  readonly access: Access | null
  /** What its tokens were kept as last: the row's credentials, or those that took their place. */
  readonly credentials: () => string
}

/** A row that was changed by another way than `forget` is noticed after this long. */
const ROW_TTL_MS = MINUTE_MS

/** An account as its object has it open. Nobody else renews its tokens. */
export class OpenedAccount {
  readonly #env: Env
  readonly #id: string
  #opened: { readonly account: Promise<Opened>; readonly at: number } | null = null

  constructor(env: Env, id: string) {
    this.#env = env
    this.#id = id
  }

  /** The next to ask reads its row again. */
  forget(): void {
    this.#opened = null
  }

  /** What was refused with credentials that others took the place of meanwhile is asked once more with those. */
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

  async #isConnectedAnew({ id, connectedAt }: AccountRow): Promise<boolean> {
    const [now] = await selectAccount(openDb(this.#env, 'decide'), id)
    return now !== undefined && now.connectedAt !== connectedAt
  }

  /** What is open stays so while its row is the same, for it may be renewing its tokens: two at once would be refused. */
  async #load(before: Promise<Opened> | null): Promise<Opened> {
    const [found] = await selectAccount(openDb(this.#env, 'decide'), this.#id)
    if (!found) throw new CalendarError('absent', 'The account is no longer connected.')
    const opened = await before?.catch(() => null)
    if (opened?.credentials() === found.credentials) return opened
    const row = await this.#reseal(found)
    let access: Access | null = null
    let credentials = () => row.credentials
    const client = await openAccount(this.#env, row, async (config) => {
      const kept = await openKeptAccess(config, row.credentials, this.#tokens())
      access = kept.access
      credentials = kept.credentials
      return access
    })
    return { row, client, access, credentials: () => credentials() }
  }

  /** Credentials that an older key sealed are sealed again with the newest. */
  async #reseal(row: AccountRow): Promise<AccountRow> {
    const { ENCRYPTION_KEY } = this.#env
    if (await isSealedByFirst(ENCRYPTION_KEY, row.credentials)) return row
    try {
      const credentials = await seal(ENCRYPTION_KEY, await unseal(ENCRYPTION_KEY, row.credentials))
      const db = openDb(this.#env, 'decide')
      const isKept = await replaceCredentials(db, row.id, row.credentials, credentials)
      return isKept ? { ...row, credentials } : row
    } catch {
      // Whoever opens them says what is wrong.
      return row
    }
  }

  #tokens(): TokenStore {
    const db = openDb(this.#env, 'decide')
    return {
      seal: (tokens) => sealCredentials(this.#env, tokens),
      unseal: async (credentials) => (await openCredentials(this.#env, credentials)) as Tokens,
      load: async () => (await selectAccount(db, this.#id))[0]?.credentials ?? null,
      replace: (before, after) => replaceCredentials(db, this.#id, before, after),
      onOthers: () => this.forget(),
    }
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof CalendarError &&
    (error.failure === 'revoked' || error.failure === 'expired' || error.failure === 'refused')
  )
}
