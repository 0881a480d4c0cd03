import type { KnownCalendar } from '../../platform/db/schema/calendars.ts'
import type { AccountClient } from '../client/account-client.ts'
import { sharedAs } from '../client/shared-as.ts'
import { type Door, openApi } from '../oauth/api.ts'
import { findAnywhere } from './find-anywhere.ts'
import { openGoogleFreeBusy } from './free-busy.ts'
import { openGoogleCalendar } from './google-calendar.ts'
import { findMainCalendar, listGoogleCalendars } from './list-calendars.ts'
import { openGooglePush } from './watch-events.ts'

/** A Google account and its calendars (Calendar API v3). */
export function openGoogleAccount(door: Door, known: readonly KnownCalendar[] = []): AccountClient {
  const api = openApi(door)
  return {
    identify: async () => ({ email: (await findMainCalendar(api)).externalId }),
    listCalendars: () => listGoogleCalendars(api),
    openCalendar: (calendar) =>
      sharedAs(calendar, known).reads === 'free_busy'
        ? openGoogleFreeBusy(api, calendar.calendarId)
        : openGoogleCalendar(api, calendar),
    findAnywhere: (known) => findAnywhere(api, known),
    push: openGooglePush(api),
  }
}
