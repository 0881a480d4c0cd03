import type { AccountClient } from '../client/account-client.ts'
import { type Door, openApi } from '../oauth/api.ts'
import { findAnywhere } from './find-anywhere.ts'
import { openGoogleCalendar } from './google-calendar.ts'
import { findMainCalendar, listGoogleCalendars } from './list-calendars.ts'
import { openGooglePush } from './watch-events.ts'

/** A Google account and its calendars (Calendar API v3). */
export function openGoogleAccount(door: Door): AccountClient {
  const api = openApi(door)
  return {
    identify: async () => ({ email: (await findMainCalendar(api)).externalId }),
    listCalendars: () => listGoogleCalendars(api),
    openCalendar: (calendar) => openGoogleCalendar(api, calendar),
    findAnywhere: (known) => findAnywhere(api, known),
    push: openGooglePush(api),
  }
}
