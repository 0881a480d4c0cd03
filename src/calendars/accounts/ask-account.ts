import type { Interval } from '../../core/interval.ts'
import type { Env } from '../../env.ts'
import { CalendarError, type CalendarFailure } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarKey } from '../client/account-client.ts'
import type { Access } from '../oauth/access.ts'

/** Errors lose their class when an object returns them, so failures are data. */
export type AccountAnswer<T> =
  | { readonly value: T }
  | {
      readonly failure: CalendarFailure
      readonly message: string
      readonly retryAfterMs: number | null
    }

/** What blocks time at this moment. */
export type BusyEvent = {
  readonly uid: string
  readonly busy: readonly Interval[]
  /** The calendar says that it is free: it blocks only if it is ours. */
  readonly isFree?: true
}

export type BusyQuery = Pick<CalendarKey, 'calendarId' | 'timezone' | 'blocks'> & {
  readonly range: Interval
  /** The longest wait, in milliseconds. */
  readonly patienceMs: number
}

export type SyncWanted = {
  readonly connectionId: string
  /** A sync that began since then is fresh enough. */
  readonly since: number
  /** Also when the permission had ended. */
  readonly isForced?: boolean
  /** Also compares the list of all events, unless that was done since then. */
  readonly isThorough?: boolean
}

/** What is connected with an account: calendars (`calendar_accounts`) or meetings (`conferencing_connections`). */
export type AccountKind = 'calendar' | 'conferencing'

/**
 * What the object of an account answers; `src/worker/objects` has the class. Only this object renews the account's tokens and
 * calls the provider about its calendars, because two at once would undo each other.
 */
export type AccountCalls = {
  /** An access token, a new one if the API `refused` the last. */
  accessToken(refused: string | null): Promise<AccountAnswer<string>>
  /** Its credentials were changed, or calendars of it connected: when each was last read, null if never. */
  connected(readAt?: Readonly<Record<string, number | null>>): Promise<void>
  /** Its row was changed, so it is read again. */
  changed(): Promise<void>
  /** Deletes what the object stores, before the account is deleted. */
  erase(): Promise<void>
  /** What blocks time in a calendar now. */
  listBusy(wanted: BusyQuery): Promise<AccountAnswer<readonly BusyEvent[]>>
  /** Reads what changed in a calendar and stores it. Failures are stored with the connection. */
  sync(wanted: SyncWanted): Promise<void>
  /** The provider reported a change in a calendar, so it is synced very soon. */
  notified(connectionId: string): Promise<void>
  /** Opens, renews or closes the channels of a calendar. */
  keepChannel(connectionId: string): Promise<void>
  /** When each of its calendars was last read. */
  readAt(): Promise<Readonly<Record<string, number>>>
}

/** What an account of meetings answers. */
export type MeetingAccountCalls = Pick<AccountCalls, 'accessToken' | 'connected' | 'changed' | 'erase'>

export function accountName(kind: AccountKind, accountId: string): string {
  return `${kind}/${accountId}`
}

export function readAccountName(name: string): readonly [kind: AccountKind, accountId: string] {
  return name.split('/') as [AccountKind, string]
}

export function askAccount(env: Env, accountId: string): AccountCalls {
  return env.ACCOUNTS.getByName(accountName('calendar', accountId)) as unknown as AccountCalls
}

export function askMeetingAccount(env: Env, accountId: string): MeetingAccountCalls {
  return env.ACCOUNTS.getByName(accountName('conferencing', accountId)) as unknown as MeetingAccountCalls
}

export async function answer<T>(ask: () => Promise<T>): Promise<AccountAnswer<T>> {
  try {
    return { value: await ask() }
  } catch (error) {
    if (!(error instanceof CalendarError)) throw error
    const { failure, message, retryAfterMs } = error
    return { failure, message, retryAfterMs }
  }
}

/** The tokens of an account, which its object renews. Every call may throw a CalendarError. */
export function accessBy(object: Pick<AccountCalls, 'accessToken'>): Access {
  return {
    token: async () => unwrap(await object.accessToken(null)),
    renewedToken: async (refused) => unwrap(await object.accessToken(refused)),
  }
}

/** The value, or throws the CalendarError that the object returned. */
export function unwrap<T>(answered: AccountAnswer<T>): T {
  if ('value' in answered) return answered.value
  throw new CalendarError(answered.failure, answered.message, answered.retryAfterMs)
}
