import type { Env } from '../env.ts'
import { bareError } from '../platform/db/bare-error.ts'
import type { ConnectionRow } from '../platform/db/schema/calendars.ts'
import { wakeQueue } from '../platform/queue/messages.ts'
import { askAccount } from './accounts/ask-account.ts'
import { wantsChannel } from './channels/wants-channel.ts'

/** Call it after the commit: what was not read in time is read soon, and all of it from now on. */
export async function announceConnection(
  env: Env,
  rows: readonly ConnectionRow[],
  eventIds: readonly string[] = [],
): Promise<void> {
  const [first] = rows
  if (!first?.accountId) return
  const { accountId } = first
  const readAt = Object.fromEntries(rows.map(({ id, lastSyncAt }) => [id, lastSyncAt]))
  try {
    await askAccount(env, accountId).connected(readAt)
  } catch (error) {
    // The account is connected anyway; the sweep repairs what its object missed.
    console.error(JSON.stringify({ calendarAccount: accountId, cause: bareError(error).stack }))
  }
  const unread = rows.filter(({ lastSyncAt }) => lastSyncAt === null)
  const toWatch = rows.filter((row) => wantsChannel(env, row))
  await wakeQueue(
    env,
    ...eventIds.map((eventId) => ({ type: 'event', eventId }) as const),
    ...unread.map(
      ({ id, connectedAt }) =>
        ({ type: 'calendar', accountId, connectionId: id, since: connectedAt }) as const,
    ),
    ...toWatch.map(({ id }) => ({ type: 'calendar-channel', accountId, connectionId: id }) as const),
  )
}
