import type { TenantCaller } from '../../auth/caller.ts'
import { bareError } from '../../db/bare-error.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound, Refused } from '../../http/errors.ts'
import { CalendarError } from '../../providers/calendar/calendar-client.ts'
import { revokeTokens } from '../../providers/oauth/tokens.ts'
import { recordActivity } from '../activity/statements.ts'
import { PROVIDER } from './oauth-provider.ts'
import { openAccount, send } from './open-conferencing.ts'
import { type AccountRow, deleteAccount, selectAccount } from './queries.ts'
import { ConferencingProvider } from './schema.ts'

/** Deletes the account and revokes its permission. Meetings that were made stay: they belong to its owner. */
export async function disconnectProvider(ctx: Context<TenantCaller>, provider: string): Promise<void> {
  const known = ConferencingProvider.safeParse(provider)
  if (!known.success) throw notFound('conferencing provider')
  if (known.data !== PROVIDER) {
    const message = `The meetings of ${provider} come with its calendars: disconnect those with DELETE /v1/calendars/{id}.`
    throw new Refused({ code: 'bad_request', message })
  }
  const db = openDb(ctx.env, 'decide')
  const [account] = await selectAccount(db, ctx.caller)
  if (!account) throw notFound('conferencing connection')

  await commitBatch(db, [
    deleteAccount(db, account.id),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'conferencing.disconnected',
      resourceType: 'conferencing_connection',
      resourceId: account.id,
      changes: { provider: PROVIDER, account_email: account.accountEmail },
    }),
  ])
  await revoke(ctx.env, account)
}

/** The account is deleted here whether or not the provider hears of it. */
async function revoke(env: Env, account: AccountRow): Promise<void> {
  try {
    const { config, tokens } = await openAccount(env, account)
    await revokeTokens(config, tokens, send)
  } catch (error) {
    if (!(error instanceof CalendarError)) {
      console.error(JSON.stringify({ revoke: account.provider, cause: bareError(error).stack }))
    }
  }
}
