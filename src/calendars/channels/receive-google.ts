import type { PublicCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import type { WholeAnswer } from '../../platform/http/route.ts'
import { takeNotifications } from './take-notifications.ts'

/**
 * A notification of Google has no body; its headers name the channel. The first one only says that the channel is there.
 * https://developers.google.com/workspace/calendar/api/guides/push
 */
export async function receiveFromGoogle(ctx: Context<PublicCaller>): Promise<WholeAnswer | undefined> {
  const header = (name: string) => ctx.request.headers.get(`x-goog-${name}`) ?? ''
  if (header('resource-state') === 'sync') return undefined
  const notification = { channelId: header('channel-id'), secret: header('channel-token') }
  return takeNotifications(ctx, 'calendar_a', [{ ...notification, told: 'changed' }])
}
