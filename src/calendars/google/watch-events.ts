import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Push } from '../client/account-client.ts'
import type { Api } from '../oauth/api.ts'
import { apiFailure, reasonsIn } from '../oauth/api-failure.ts'

/** `expiration` is in epoch milliseconds. */
const Answer = z.object({ id: z.string(), resourceId: z.string(), expiration: z.coerce.number() })

/** Google sends no notifications about holidays and birthdays, nor to addresses that it refuses. */
const NOT_TOLD = /^(pushNotSupportedForRequestedResource$|push\.webhookUrl)/

/**
 * Notification channels: https://developers.google.com/workspace/calendar/api/guides/push. `watch` throws `unusable` if the
 * calendar must be polled. A channel cannot be renewed.
 */
export function openGooglePush(api: Api): Push {
  return {
    watch: async (calendarId, { id, secret, address, lifetimeMs }) => {
      const { status, json } = await api({
        method: 'POST',
        path: `/calendars/${encodeURIComponent(calendarId)}/events/watch`,
        body: {
          id,
          type: 'web_hook',
          address,
          token: secret,
          params: { ttl: String(Math.floor(lifetimeMs / 1000)) },
        },
        expects: [400, 401, 404],
      })
      if (status === 404)
        throw new CalendarError('absent', 'The Google account has no such calendar any more.')
      if (reasonsIn(json).some((reason) => NOT_TOLD.test(reason))) {
        throw new CalendarError(
          'unusable',
          'Google Calendar sends no notifications of changes of this calendar.',
        )
      }
      if (status >= 400) throw apiFailure('Google Calendar', status, new Headers(), json)
      const parsed = Answer.safeParse(json)
      if (!parsed.success) throw new CalendarError('unusable', 'Google Calendar sent no channel.')
      const { id: channelId, resourceId, expiration } = parsed.data
      return { id: channelId, resourceId, expiresAt: expiration }
    },
    prolong: async () => null,
    unwatch: async ({ id, resourceId }) => {
      await api({ method: 'POST', path: '/channels/stop', body: { id, resourceId }, expects: [404] })
    },
  }
}
