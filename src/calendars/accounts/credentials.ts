import type { Env } from '../../env.ts'
import { seal, unseal } from '../../platform/auth/secret.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Tokens } from '../oauth/tokens.ts'
import type { CaldavCredentials } from './open-caldav.ts'
import type { IcsCredentials } from './open-ics.ts'

export type Credentials = CaldavCredentials | IcsCredentials | Tokens

export function sealCredentials(env: Env, credentials: Credentials): Promise<string> {
  return seal(env.ENCRYPTION_KEY, JSON.stringify(credentials))
}

/** Throws a CalendarError. The caller knows which credentials its provider has. */
export async function openCredentials<C extends Credentials>(
  env: Env,
  sealed: string,
  connects = 'the calendar',
): Promise<C> {
  try {
    return JSON.parse(await unseal(env.ENCRYPTION_KEY, sealed))
  } catch {
    throw new CalendarError(
      'unavailable',
      `The stored credentials cannot be opened; connect ${connects} again.`,
    )
  }
}
