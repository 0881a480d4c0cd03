import * as z from 'zod'
import type { AccountClient } from '../calendar/account-client.ts'
import { CalendarError } from '../calendar/calendar-client.ts'
import { findIn } from '../calendar/find-in.ts'
import { zoneOfEitherName } from '../calendar/windows-zones.ts'
import { type Door, openApi } from '../oauth/api.ts'
import { preferences } from './graph-event.ts'
import { openMicrosoftCalendar } from './microsoft-calendar.ts'

const Me = z.object({ mail: z.string().nullish(), userPrincipalName: z.string() })
const DefaultCalendar = z.object({ id: z.string(), name: z.string().optional() })
const ZoneSetting = z.object({ value: z.string() })

/** An account of Microsoft 365 or Outlook.com and its calendars (Graph 1.0). */
export function openMicrosoftAccount(door: Door): AccountClient {
  const api = openApi(door)
  const ask = async (path: string) => (await api({ path, headers: preferences() })).json
  return {
    identify: async () => {
      const me = Me.safeParse(await ask('/me'))
      if (!me.success) throw new CalendarError('unusable', 'Microsoft 365 did not say whose account it is.')
      return { email: me.data.mail ?? me.data.userPrincipalName }
    },
    listCalendars: async () => {
      const calendar = DefaultCalendar.safeParse(await ask('/me/calendar'))
      if (!calendar.success) throw new CalendarError('unusable', 'Microsoft 365 sent no calendar.')
      const zone = ZoneSetting.safeParse(await ask('/me/mailboxSettings/timeZone'))
      const timezone = zone.success ? zoneOfEitherName(zone.data.value) : null
      const { id, name = 'Calendar' } = calendar.data
      return [{ externalId: id, name, isPrimary: true, canWrite: true, timezone }]
    },
    openCalendar: (calendar) => openMicrosoftCalendar(api, calendar),
    findAnywhere: (known) =>
      findIn(openMicrosoftCalendar(api, { calendarId: known.calendarId, timezone: null }), known),
    push: null,
  }
}
