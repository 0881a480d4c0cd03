import type { Env } from '../../env.ts'
import { type CalendarClient, CalendarError } from '../../providers/calendar/calendar-client.ts'
import type { CaldavCredentials } from './open-calendar.ts'
import type { ConnectionRow } from './store.ts'

export function openCaldav(_env: Env, _row: ConnectionRow, _credentials: CaldavCredentials): CalendarClient {
  throw new CalendarError('unavailable', 'TODO')
}
