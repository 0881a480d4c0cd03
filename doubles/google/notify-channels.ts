import { grantIsLive } from './end-grants.ts'
import type { Channel, State } from './state.ts'

/**
 * Notifies everybody who watches the events of a calendar of a change, also their own:
 * developers.google.com/workspace/calendar/api/guides/push#receive-notifications. One change causes several messages
 * (googleapis/google-api-java-client-services#20532), and «Notifications are not 100% reliable».
 */
export function tellChannels(state: State, calendarId: string | null, mail?: string): void {
  for (const channel of state.channels.values()) {
    const isOf = channel.calendarId === calendarId && (mail === undefined || channel.mail === mail)
    if (!isOf || !isTold(state, channel)) continue
    tellSync(state, channel)
    for (let times = 0; times < state.settings.notificationsPerChange; times++) {
      channel.changes++
      channel.messages++
      const { losesEveryNthNotification: nth } = state.settings
      if (nth === 0 || channel.changes % nth !== 0) send(state, channel, 'exists', channel.messages)
    }
  }
}

/** The first message of a channel, numbered 1. */
export function tellSync(state: State, channel: Channel): void {
  if (channel.messages > 0) return
  channel.messages = 1
  send(state, channel, 'sync', 1)
}

/** A channel ends with its time, when it is stopped and with the grant that made it. */
function isTold(state: State, channel: Channel): boolean {
  const now = state.frame.now()
  if (channel.expiresAt <= now || !grantIsLive(channel.grant, now)) return false
  if (channel.stoppedAt === null) return true
  // googleapis/google-api-nodejs-client#1402: messages may go on after a channel was stopped.
  return channel.stoppedAt + state.settings.stoppedChannelLingersSeconds * 1000 > now
}

/** Without a body. A token only where the channel has one. */
function send(state: State, channel: Channel, resourceState: string, number: number): void {
  state.frame.notify(
    channel.address,
    {
      'X-Goog-Channel-ID': channel.id,
      ...(channel.token !== null && { 'X-Goog-Channel-Token': channel.token }),
      'X-Goog-Channel-Expiration': new Date(channel.expiresAt).toUTCString(),
      'X-Goog-Resource-ID': channel.resourceId,
      'X-Goog-Resource-URI': channel.resourceUri,
      'X-Goog-Resource-State': resourceState,
      'X-Goog-Message-Number': String(number),
    },
    '',
  )
}
