import * as z from 'zod'
import type { AccountClient } from '../calendar/account-client.ts'
import { CalendarError } from '../calendar/calendar-client.ts'
import { findIn } from '../calendar/find-in.ts'
import { type Door, openApi } from '../oauth/api.ts'
import { openGoogleCalendar } from './google-calendar.ts'

/** The id of a primary calendar is the address of its owner. */
const Primary = z.object({ id: z.string(), timeZone: z.string().optional() })

/** A Google account and its calendars (Calendar API v3). */
export function openGoogleAccount(door: Door): AccountClient {
  const api = openApi(door)
  async function primary() {
    const parsed = Primary.safeParse((await api({ path: '/calendars/primary' })).json)
    if (!parsed.success) throw new CalendarError('unusable', 'Google Calendar sent no calendar.')
    return parsed.data
  }
  return {
    identify: async () => ({ email: (await primary()).id }),
    listCalendars: async () => {
      const { id, timeZone = null } = await primary()
      return [{ externalId: id, name: id, isPrimary: true, canWrite: true, timezone: timeZone }]
    },
    openCalendar: (calendar) => openGoogleCalendar(api, calendar),
    findAnywhere: (known) =>
      findIn(openGoogleCalendar(api, { calendarId: known.calendarId, timezone: null }), known),
    push: null,
  }
}
