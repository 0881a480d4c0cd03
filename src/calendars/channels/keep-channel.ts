import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { sha256 } from '../../platform/auth/secret.ts'
import { commitBatch, type Db, openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { AccountClient, Channel, Push } from '../client/account-client.ts'
import { newChannelSecret } from './channel-secret.ts'
import { isSuite, notificationsUrl } from './notifications-url.ts'
import { type ChannelRow, deleteChannels, findWithChannels, insertChannel, updateChannel } from './queries.ts'
import { wantsChannel } from './wants-channel.ts'

/** A bit less than the shortest life that a provider allows, Graph's of seven days. */
const LIFETIME_MS = 6.5 * DAY_MS
/** A provider that refuses is asked again after a day; one that does not answer, sooner. */
const REFUSED_PAUSE_MS = DAY_MS
const SILENT_PAUSE_MS = HOUR_MS

/**
 * Opens, renews or ends the channels of a connection. Only the object of its account calls it, one call at a time. Returns
 * whether a new channel was opened, because earlier changes were not reported. Failures of a provider are retried on another day.
 */
export async function keepChannel(
  env: Env,
  connectionId: string,
  open: () => Promise<AccountClient>,
  now: number = Date.now(),
): Promise<boolean> {
  const db = openDb(env, 'decide')
  const { connection, channels } = await findWithChannels(db, connectionId)
  const isWanted = connection !== null && wantsChannel(env, connection)
  const live = channels.find(({ expiresAt }) => expiresAt > now)
  if (!isWanted && channels.length === 0) return false
  if (isWanted && channels.length === 1 && live && live.renewAt > now) return false
  try {
    const { push } = await open()
    if (isWanted && push) {
      if (live && (await prolong(db, push, live, now))) {
        // Two objects may have opened one each where a new version took the place of the one before.
        const others = channels.filter(({ id }) => id !== live.id)
        if (others.length > 0) await endAll(db, push, others, now)
        return false
      }
      return await openAnew(env, db, push, connection, channels, now)
    }
    if (channels.length > 0) await endAll(db, push, channels, now)
  } catch (error) {
    if (!(error instanceof CalendarError)) throw error
    if (isWanted) await putOff(db, connection, channels, error, now)
    else await commitBatch(db, [deleteChannels(db, idsOf(channels))])
  }
  return false
}

async function prolong(db: Db, push: Push, live: ChannelRow, now: number): Promise<boolean> {
  const longer = await push.prolong(channelOf(live), LIFETIME_MS).catch((error) => {
    // It ended without a word.
    if (error instanceof CalendarError && error.failure === 'absent') return null
    throw error
  })
  if (!longer) return false
  const { resourceId, expiresAt } = longer
  await updateChannel(db, live.id, { resourceId, expiresAt, renewAt: renewalOf(expiresAt, now) })
  return true
}

/** The new one is there before the earlier ones end, so that nothing happens in between. */
async function openAnew(
  env: Env,
  db: Db,
  push: Push,
  connection: ConnectionRow,
  before: readonly ChannelRow[],
  now: number,
): Promise<boolean> {
  const { id: connectionId, calendarId, provider } = connection
  if (!isSuite(provider)) return false
  const secret = await newChannelSecret(env.ENCRYPTION_KEY, connectionId)
  const address = notificationsUrl(env, provider)
  const opened = await push.watch(calendarId, {
    id: newId(connectionId),
    secret,
    address,
    lifetimeMs: LIFETIME_MS,
  })
  const row: ChannelRow = {
    ...opened,
    connectionId,
    provider,
    secretHash: await sha256(secret),
    renewAt: renewalOf(opened.expiresAt, now),
    createdAt: now,
  }
  const inserted = insertChannel(db, row, connection)
  const dropped = before.length > 0 ? [deleteChannels(db, idsOf(before))] : []
  const [kept] = (await commitBatch(db, [inserted, ...dropped])) ?? []
  const isKept = kept === undefined || (kept as readonly unknown[]).length > 0
  await endQuietly(push, isKept ? before.filter((each) => isThere(each, now)).map(channelOf) : [opened])
  return isKept
}

async function endAll(
  db: Db,
  push: Push | null,
  channels: readonly ChannelRow[],
  now: number,
): Promise<void> {
  if (push) await endQuietly(push, channels.filter((each) => isThere(each, now)).map(channelOf))
  await commitBatch(db, [deleteChannels(db, idsOf(channels))])
}

/** A channel that goes on expires; its notifications are ignored. */
export async function endQuietly(push: Push, channels: readonly Channel[]): Promise<void> {
  for (const channel of channels) {
    await push.unwatch(channel).catch((error) => {
      if (!(error instanceof CalendarError)) throw error
    })
  }
}

/** Notes when it is tried again, with a channel or in the place of one. Until then the calendar is polled. */
async function putOff(
  db: Db,
  connection: ConnectionRow,
  [first]: readonly ChannelRow[],
  { failure, retryAfterMs }: CalendarError,
  now: number,
): Promise<void> {
  const isSilent = failure === 'unavailable' || failure === 'misconfigured'
  const pause = Math.min(Math.max(isSilent ? SILENT_PAUSE_MS : REFUSED_PAUSE_MS, retryAfterMs ?? 0), DAY_MS)
  const renewAt = now + pause
  if (first) return updateChannel(db, first.id, { renewAt })
  const { id: connectionId, provider } = connection
  if (!isSuite(provider)) return
  const none = { resourceId: null, secretHash: NO_SECRET, expiresAt: 0, createdAt: now }
  await commitBatch(db, [
    insertChannel(db, { ...none, id: newId(connectionId), connectionId, provider, renewAt }, connection),
  ])
}

/** A placeholder row: no channel is open, and no secret has this hash. */
const NO_SECRET = ''

/** Whether the provider may know it. */
export function isThere({ secretHash, expiresAt }: ChannelRow, now: number): boolean {
  return secretHash !== NO_SECRET && (expiresAt === 0 || expiresAt > now)
}

export function channelOf({ id, resourceId, expiresAt }: ChannelRow): Channel {
  return { id, resourceId, expiresAt }
}

function idsOf(channels: readonly ChannelRow[]): string[] {
  return channels.map(({ id }) => id)
}

/** When about a third of its life is left, and not all of them at once. */
function renewalOf(expiresAt: number, now: number): number {
  return now + Math.round((expiresAt - now) * (0.6 + 0.1 * Math.random()))
}
