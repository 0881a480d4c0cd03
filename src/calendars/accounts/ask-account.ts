import type { Interval } from '../../core/interval.ts'
import type { Env } from '../../env.ts'
import { CalendarError, type CalendarFailure } from '../../platform/icalendar/calendar-error.ts'
import type { Access } from '../oauth/access.ts'

/** An answer that crosses from the object: errors lose their class on the way. */
export type Told<T> =
  | { readonly value: T }
  | {
      readonly failure: CalendarFailure
      readonly message: string
      readonly retryAfterMs: number | null
    }

/** What blocks time at this moment. */
export type SeenEvent = { readonly uid: string; readonly busy: readonly Interval[] }

export type LookAt = {
  readonly calendarId: string
  readonly timezone: string | null
  readonly range: Interval
  /** How long it is waited for, in milliseconds. */
  readonly patienceMs: number
}

export type SyncWanted = {
  readonly connectionId: string
  /** A sync that began since then is fresh enough. */
  readonly since: number
  /** Also when the permission had ended. */
  readonly isForced?: boolean
}

/**
 * What the object of an account answers to; `src/worker/objects` has the class. It alone renews the account's tokens, asks the
 * provider about its calendars, and knows when that was: two at once would undo each other.
 */
export type AccountCalls = {
  accessToken(refused: string | null): Promise<Told<string>>
  look(wanted: LookAt): Promise<Told<readonly SeenEvent[]>>
  /** Asks a calendar what changed and keeps it. It never fails: what went wrong is kept with the connection. */
  sync(wanted: SyncWanted): Promise<void>
  /** Its provider says that something changed in a calendar, once or often: it is asked very soon. */
  told(connectionId: string): Promise<void>
  /** Makes the channels of a calendar what they should be now. It fails as `sync` does not either. */
  keepChannel(connectionId: string): Promise<void>
  /** When each of its calendars was last read. */
  readAt(): Promise<Readonly<Record<string, number>>>
  /** Its credentials were changed, or calendars of it connected: when each was read already, null where not yet. */
  connected(readAt: Readonly<Record<string, number | null>>): Promise<void>
  /** The account is about to be deleted, and its calendars are: nothing of it is kept. */
  erase(): Promise<void>
}

export function askAccount(env: Env, accountId: string): AccountCalls {
  return env.CALENDAR_ACCOUNTS.getByName(accountId) as unknown as AccountCalls
}

export async function tell<T>(ask: () => Promise<T>): Promise<Told<T>> {
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
    token: async () => answerIn(await object.accessToken(null)),
    renewedToken: async (refused) => answerIn(await object.accessToken(refused)),
  }
}

/** The value, or throws the CalendarError that was told. */
export function answerIn<T>(told: Told<T>): T {
  if ('value' in told) return told.value
  throw new CalendarError(told.failure, told.message, told.retryAfterMs)
}
