import type { Env } from '../../env.ts'
import type { PublicCaller } from '../../platform/auth/caller.ts'
import { isSameSecret, sha256 } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { shardOf } from '../../platform/db/ids.ts'
import { inShard } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { answerOnce } from '../../platform/http/idempotency.ts'
import type { WholeAnswer } from '../../platform/http/route.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import { askAccount } from '../accounts/ask-account.ts'
import type { CalendarSuite } from '../accounts/providers.ts'
import { isChannelSecret } from './channel-secret.ts'
import { selectTold } from './queries.ts'
import { makeDue } from './statements.ts'

/** `changed`: sync the calendar. `ending`: renew the channel now. `ended`: the channel sends nothing any more. */
export type Told = 'changed' | 'ending' | 'ended'

type Notification = {
  readonly channelId: string
  readonly secret: string
  readonly told: Told
}

/**
 * Rejects notifications without a secret of ours before any query; the others are looked up together, and unknown channels are
 * ignored. The account's object syncs the calendar later.
 */
export async function takeNotifications(
  ctx: Context<PublicCaller>,
  provider: CalendarSuite,
  notifications: readonly Notification[],
): Promise<WholeAnswer | undefined> {
  const { env } = ctx
  const proofs = await Promise.all(
    notifications.map(({ secret }) => isChannelSecret(env.ENCRYPTION_KEY, secret)),
  )
  const proved = notifications.filter((_, at) => proofs[at])
  if (proved.length === 0) throw notFound('channel')

  return answerOnce(ctx, 'calendar-channels', 204, async () => {
    // A secret is made for its connection, and leads to it.
    const byShard = Map.groupBy(proved, ({ secret }) => shardOf(secret))
    await Promise.all([...byShard].map(([shard, theirs]) => act(inShard(env, shard), provider, theirs)))
    return undefined
  })
}

async function act(env: Env, provider: CalendarSuite, proved: readonly Notification[]): Promise<void> {
  const db = openDb(env, 'decide')
  const channels = await selectTold(db, provider, [...new Set(proved.map(({ channelId }) => channelId))])
  await Promise.all(
    channels.map(async ({ id, connectionId, accountId, secretHash }) => {
      const theirs = proved.filter(({ channelId }) => channelId === id)
      const about = await Promise.all(
        theirs.map(async ({ secret, told }) =>
          (await isSameSecret(await sha256(secret), secretHash)) ? told : null,
        ),
      )
      if (about.includes('changed')) await askAccount(env, accountId).notified(connectionId)
      if (!about.includes('ending') && !about.includes('ended')) return
      await makeDue(db, id, about.includes('ended'), Date.now())
      await wakeQueue(env, { type: 'calendar-channel', accountId, connectionId })
    }),
  )
}
