import * as z from 'zod'
import { HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Channel, Push, Subscriber } from '../client/account-client.ts'
import type { Api, ApiAnswer, ApiRequest } from '../oauth/api.ts'
import { PREFERENCES } from './graph-event.ts'
import { refusalIn } from './graph-refusal.ts'
import { calendarPath } from './microsoft-calendar.ts'

/** https://learn.microsoft.com/graph/api/resources/subscription */
const Subscription = z.object({ id: z.string(), expirationDateTime: z.string() })

/**
 * Documented as 10,080 minutes, and as 4,230 before; a few minutes less than documented are refused.
 * https://learn.microsoft.com/graph/change-notifications-overview
 */
const LIFETIMES_MS = [10_020 * MINUTE_MS, 4_200 * MINUTE_MS, HOUR_MS]

/** Graph reports the changes of one calendar. It requests an echo from the address before it answers. */
export function openSubscriptions(api: Api): Push {
  return {
    watch: async (calendarId, subscriber) => {
      const request = { method: 'POST', path: '/subscriptions', headers: PREFERENCES } as const
      const made = await forAsLongAsItMay(api, subscriber.lifetimeMs, (expirationDateTime) => ({
        ...request,
        body: { ...described(calendarId, subscriber), expirationDateTime },
      }))
      return channelOf(made)
    },
    prolong: async (channel, lifetimeMs) => {
      const request = { method: 'PATCH', path: subscriptionPath(channel) } as const
      const answer = await forAsLongAsItMay(api, lifetimeMs, (expirationDateTime) => ({
        ...request,
        body: { expirationDateTime },
        expects: [404, 410],
      }))
      return answer.status >= 400 ? null : channelOf(answer)
    },
    unwatch: async (channel) => {
      await api({ method: 'DELETE', path: subscriptionPath(channel), expects: [404, 410] })
    },
  }
}

function subscriptionPath({ id }: Pick<Channel, 'id'>): string {
  return `/subscriptions/${encodeURIComponent(id)}`
}

function described(calendarId: string, { secret, address }: Subscriber) {
  return {
    changeType: 'created,updated,deleted',
    notificationUrl: address,
    lifecycleNotificationUrl: address,
    resource: `${calendarPath(calendarId).slice(1)}/events`,
    clientState: secret,
  }
}

/** Asks for less where so much is refused. */
async function forAsLongAsItMay(
  api: Api,
  wantedMs: number,
  requestUntil: (expirationDateTime: string) => ApiRequest,
): Promise<ApiAnswer> {
  const lifetimes = [...new Set(LIFETIMES_MS.map((most) => Math.min(most, wantedMs)))]
  for (const lifetimeMs of lifetimes) {
    const request = requestUntil(new Date(Date.now() + lifetimeMs).toISOString())
    const answer = await api({ ...request, expects: [400, ...(request.expects ?? [])] })
    if (answer.status !== 400) return answer
    const { message = 'no reason' } = refusalIn(answer.json) ?? {}
    if (!/expiration/i.test(message)) {
      throw new CalendarError(
        'unusable',
        `Microsoft 365 does not notify of changes: ${message.slice(0, 200)}`,
      )
    }
  }
  throw new CalendarError('unusable', 'Microsoft 365 accepts no duration for notifications of changes.')
}

function channelOf({ json }: ApiAnswer): Channel {
  const made = Subscription.safeParse(json)
  const expiresAt = Date.parse(made.data?.expirationDateTime ?? '')
  if (!made.success || Number.isNaN(expiresAt)) {
    throw new CalendarError('unusable', 'Microsoft 365 returned an invalid subscription.')
  }
  return { id: made.data.id, resourceId: null, expiresAt }
}
