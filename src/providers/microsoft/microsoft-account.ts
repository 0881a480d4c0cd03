import * as z from 'zod'
import type { AccountClient } from '../calendar/account-client.ts'
import { CalendarError } from '../calendar/calendar-client.ts'
import { type Door, openApi } from '../oauth/api.ts'
import { findInAccount } from './find-in-account.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { listGraphCalendars } from './list-calendars.ts'
import { openMicrosoftCalendar } from './microsoft-calendar.ts'
import { openSubscriptions } from './subscriptions.ts'

const Me = z.object({ mail: z.string().nullish(), userPrincipalName: z.string() })

/** One less than Outlook takes at once, for whoever writes beside. */
const AT_ONCE = 3

/** An account of Microsoft 365 or Outlook.com and its calendars (Graph 1.0). */
export function openMicrosoftAccount(door: Door): AccountClient {
  const api = limitConcurrency(openApi(door), AT_ONCE)
  return {
    identify: async () => {
      const me = Me.safeParse((await api({ path: '/me' })).json)
      if (!me.success) throw new CalendarError('unusable', 'Microsoft 365 did not say whose account it is.')
      return { email: me.data.mail ?? me.data.userPrincipalName }
    },
    listCalendars: () => listGraphCalendars(api),
    openCalendar: (calendar) => openMicrosoftCalendar(api, calendar),
    findAnywhere: (known) => findInAccount(api, known),
    push: openSubscriptions(api),
  }
}
