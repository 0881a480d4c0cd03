import type { KnownCalendar } from '../../platform/db/schema/calendars.ts'
import type { CalendarKey, ListedCalendar } from './account-client.ts'

/** How a calendar is shared with the account, by what is asked for, else by the account's last list. */
export function sharedAs(
  calendar: CalendarKey,
  known: readonly KnownCalendar[],
): Pick<ListedCalendar, 'reads' | 'owner'> {
  if (calendar.reads !== undefined) return calendar
  return known.find(({ external_id }) => external_id === calendar.calendarId) ?? {}
}
