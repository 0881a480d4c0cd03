/** One call of a double, below the path of its world. */
export type Call = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Where the world is, without a slash at the end. */
  readonly base: string
}

export type Reply = {
  readonly status: number
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Json = Record<string, any>

/** What is told of a double by `PUT <world>/control`; everything may be left out. */
export type Settings = {
  /** The next so many calls of the API (tokens are given all the same) are refused. */
  readonly failures?: number
  readonly failureStatus?: number
  readonly failureBody?: unknown
  readonly retryAfter?: string
  /** Before every answer of the API. */
  readonly delayMs?: number
  readonly pageSize?: number
  readonly tokenLifetimeSeconds?: number
  /** Of the mailbox or the calendar, as the provider names zones. */
  readonly timeZone?: string
  /** Which of the scopes that were asked for the owner leaves ticked; all unless said. */
  readonly grantedScope?: string
  /** When a meeting that was asked for is there: at once, when the event is read again, never. */
  readonly meeting?: 'ready' | 'pending' | 'failed'
  /** How a repeated transaction is answered. */
  readonly duplicates?: 'answer' | 'refuse'
}

export type StoredEvent = { data: Json; version: number; isDeleted: boolean }

/** What one person has at a provider. */
export type Account = {
  readonly email: string
  /** Access tokens and when they run out. */
  readonly accessTokens: Map<string, number>
  readonly refreshTokens: Set<string>
  ended: 'revoked' | 'expired' | null
  readonly events: Map<string, StoredEvent>
  readonly meetings: Map<string, Json>
  version: number
  /** Cursors of an earlier epoch are known no more. */
  epoch: number
  readonly mails: Json[]
}

export type Grant = { readonly email: string; readonly request: URLSearchParams; isUsed: boolean }

/** A provider of its own for one test: nothing in it is shared with any other. */
export type World = {
  settings: Settings
  readonly accounts: Map<string, Account>
  readonly codes: Map<string, Grant>
  readonly calls: Json[]
}

export function accountOf(world: World, email: string): Account {
  const known = world.accounts.get(email)
  if (known) return known
  const account: Account = {
    email,
    accessTokens: new Map(),
    refreshTokens: new Set(),
    ended: null,
    events: new Map(),
    meetings: new Map(),
    version: 1,
    epoch: 1,
    mails: [],
  }
  world.accounts.set(email, account)
  return account
}

/** The account whose access token the call bears; null when there is none or it ran out. */
export function bearerOf(world: World, call: Call): Account | null {
  const token = /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1]
  for (const account of world.accounts.values()) {
    const expiresAt = account.accessTokens.get(token ?? '')
    if (expiresAt !== undefined) return expiresAt > Date.now() && account.ended === null ? account : null
  }
  return null
}

export function store(account: Account, id: string, data: Json, isDeleted = false): StoredEvent {
  account.version += 1
  const stored = { data, version: account.version, isDeleted }
  account.events.set(id, stored)
  return stored
}

/** The fields of `json` whose names are listed. */
export function pick(json: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)))
}
