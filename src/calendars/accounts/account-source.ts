import type { Env } from '../../env.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import type { AccountClient } from '../client/account-client.ts'
import type { Access } from '../oauth/access.ts'
import type { OAuthConfig } from '../oauth/oauth-config.ts'
import { openAccount } from './open-account.ts'
import { type AccountRow, replaceCredentials, selectAccount } from './queries.ts'

/** The columns that both tables of accounts have. */
export type StoredAccount = {
  readonly id: string
  readonly credentials: string
  readonly connectedAt: number
}

/** Where accounts of one kind are stored, and how they are opened. */
export type AccountSource<Row extends StoredAccount = StoredAccount> = {
  /** What the owner connects again when the credentials cannot be opened. */
  readonly connects: string
  find(db: Db, id: string): Promise<Row | undefined>
  /** False if the row has other credentials than `row.credentials` by now. */
  replaceCredentials(env: Env, row: Row, renewed: string): Promise<boolean>
  /** What of its calendars decides how they are opened: another text means that they are opened again. */
  sharing(row: Row): string
  /** Null if it has no calendars. Throws a CalendarError. */
  open(env: Env, row: Row, access: (config: OAuthConfig) => Promise<Access>): Promise<AccountClient | null>
}

export const calendarAccounts: AccountSource<AccountRow> = {
  connects: 'the calendar',
  find: async (db, id) => (await selectAccount(db, id))[0],
  replaceCredentials: (env, { id, credentials }, renewed) =>
    replaceCredentials(openDb(env, 'decide'), id, credentials, renewed),
  sharing: ({ calendars }) =>
    calendars.flatMap(({ external_id, reads }) => (reads ? [`${external_id} ${reads}`] : [])).join(),
  open: openAccount,
}
