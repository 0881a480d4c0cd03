import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { memberMeant } from '../own-member.ts'
import { prepareToGiveBack } from './accounts/give-back.ts'
import { deleteAccount, selectAccountOf } from './accounts/queries.ts'
import { ConferencingProvider } from './schema.ts'

/** Deletes the account and revokes its permission. Meetings that were made stay: they belong to its owner. */
export async function disconnectProvider(
  ctx: Context<TenantCaller>,
  provider: string,
  memberId: string | null,
): Promise<void> {
  const known = ConferencingProvider.safeParse(provider)
  if (!known.success) throw notFound('conferencing provider')
  if (known.data !== 'video_a') throw refuse('meetings_of_calendar', { provider })
  const db = openDb(ctx.env, 'decide')
  const meant = await memberMeant(db, ctx.caller, memberId)
  const [account] = await selectAccountOf(db, ctx.caller, meant)
  if (!account && meant !== null && !isId(meant)) throw notFound('member')
  if (!account) throw notFound('conferencing connection')

  const giveBack = await prepareToGiveBack(ctx.env, account)
  await commitBatch(db, [
    deleteAccount(db, account.id),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'conferencing.disconnected',
      resourceType: 'conferencing_connection',
      resourceId: account.id,
      changes: { provider: 'video_a', account_email: account.accountEmail },
    }),
  ])
  await giveBack()
}
