import * as z from 'zod'
import { HOUR_MS } from '../../core/time-units.ts'
import type { KnownCalendar } from '../../platform/db/schema/calendars.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { AccountClient } from '../client/account-client.ts'
import { sharedAs } from '../client/shared-as.ts'
import { type Door, openApi } from '../oauth/api.ts'
import { findInAccount } from './find-in-account.ts'
import { openGraphFreeBusy } from './free-busy.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { listGraphCalendars, zoneOfMailbox } from './list-calendars.ts'
import { openMicrosoftCalendar } from './microsoft-calendar.ts'
import { openSubscriptions } from './subscriptions.ts'

const Me = z.object({ mail: z.string().nullish(), userPrincipalName: z.string() })

/** One less than Outlook takes at once, because writes run beside. */
const AT_ONCE = 3

/** A mailbox gets another zone when its owner moves, or first sets one. */
const ZONE_KEPT_MS = HOUR_MS

/** An account of Microsoft 365 or Outlook.com and its calendars (Graph 1.0). */
export function openMicrosoftAccount(door: Door, known: readonly KnownCalendar[] = []): AccountClient {
  const api = limitConcurrency(openApi(door), AT_ONCE)
  let [askedAt, zone]: [number, Promise<string | null> | null] = [0, null]
  const zoneNow = () => {
    if (askedAt < Date.now() - ZONE_KEPT_MS) {
      const before = zone
      askedAt = Date.now()
      zone = zoneOfMailbox(api).catch((error) => {
        askedAt = 0
        // The zone that was kept when it was connected may be another: rather no list than times of that.
        if (before === null) throw error
        return before
      })
    }
    return zone
  }
  return {
    identify: async () => {
      const me = Me.safeParse((await api({ path: '/me' })).json)
      if (!me.success) throw new CalendarError('unusable', 'Microsoft 365 did not say whose account it is.')
      return { email: me.data.mail ?? me.data.userPrincipalName }
    },
    listCalendars: () => listGraphCalendars(api),
    openCalendar: (calendar) => {
      const { calendarId, timezone } = calendar
      const { reads, owner } = sharedAs(calendar, known)
      return reads === 'free_busy' && owner !== undefined
        ? openGraphFreeBusy(api, owner)
        : openMicrosoftCalendar(
            api,
            calendarId,
            async () => (await zoneNow()) ?? timezone,
            calendar.blocks === 'all_events',
          )
    },
    findAnywhere: (known) => findInAccount(api, known),
    push: openSubscriptions(api),
  }
}
