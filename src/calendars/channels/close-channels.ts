import { SECOND_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { send } from '../../platform/transport/fetch.ts'
import { openCredentials } from '../accounts/credentials.ts'
import { openAccount } from '../accounts/open-account.ts'
import { type AccountRow, selectAccount } from '../accounts/queries.ts'
import { inTime } from '../client/in-time.ts'
import { openAccess } from '../oauth/access.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { channelOf, endQuietly, isThere } from './keep-channel.ts'
import { type ChannelRow, selectClosing, type Whose } from './queries.ts'

/** The longest wait for a provider when a calendar is disconnected. */
const PATIENCE_MS = 5 * SECOND_MS

/** Ends the channels of these connections at their providers. Call it before the connections are deleted. */
export async function findClosing(env: Env, db: Db, whose: Whose): Promise<() => Promise<void>> {
  const found = await selectClosing(db, whose)
  const accounts = new Map(found.map(({ account }) => [account.id, account]))
  const closeAll = () =>
    Promise.all(
      [...accounts.values()].map((account) =>
        close(
          env,
          account,
          found.filter((each) => each.account.id === account.id).map(({ channel }) => channel),
        ),
      ),
    )
  return async () => {
    await inTime(PATIENCE_MS, closeAll)
  }
}

/** The channels are deleted here even if the provider does not answer; there they expire. */
async function close(env: Env, account: AccountRow, channels: readonly ChannelRow[]): Promise<void> {
  const there = channels.filter((channel) => isThere(channel, Date.now())).map(channelOf)
  if (there.length === 0) return
  try {
    const { push } = await openLeaving(env, account)
    if (push) await endQuietly(push, there)
  } catch (error) {
    if (error instanceof CalendarError) return
    console.error(JSON.stringify({ calendarAccount: account.id, cause: bareError(error).stack }))
  }
}

/** An account that is gone has no object that renews its tokens any more; whatever they become is of no use to anybody. */
async function openLeaving(env: Env, account: AccountRow) {
  const [remaining] = await selectAccount(openDb(env, 'decide'), account.id)
  if (remaining) return openAccount(env, remaining)
  const tokens = await openCredentials<Tokens>(env, account.credentials)
  return openAccount(env, account, (config) =>
    openAccess({ config, tokens, onTokens: async () => undefined }, send),
  )
}
