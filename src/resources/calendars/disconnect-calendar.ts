import type { TenantCaller } from '../../auth/caller.ts'
import { bareError } from '../../db/bare-error.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'
import { realNow } from '../../limits/clock.ts'
import { CalendarError } from '../../providers/calendar/calendar-client.ts'
import { readOAuthConfig } from '../../providers/oauth/oauth-config.ts'
import { revokeTokens, type Tokens } from '../../providers/oauth/tokens.ts'
import { recordActivity } from '../activity/statements.ts'
import { offerFreedOf } from '../waitlist/offer-freed.ts'
import { openCredentials, send } from './accounts/open-account.ts'
import { type AccountRow, isAccountConnected, selectAccount } from './accounts/queries.ts'
import { findClosing } from './channels/close-channels.ts'
import { findListedInTenant, inheritHolds, inheritReceiving } from './queries.ts'
import { deleteConnection } from './statements.ts'

/**
 * Deletes the connection and its busy times, ends its channels, and with the last one of its account the credentials, whose permission is
 * given back. Bookings keep its id as history, and what was written to the calendar stays there.
 */
export async function disconnectCalendar(ctx: Context<TenantCaller>, id: string): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  const found = await findListedInTenant(db, ctx.caller, id, ctx.now)
  if (!found) throw notFound('calendar connection')

  const { connection } = found
  const { provider, accountEmail, accountId, receivesBookings } = connection
  const [account] = accountId === null ? [] : await selectAccount(db, accountId)
  const closeChannels = await findClosing(ctx.env, db, { connectionId: id })
  await commitBatch(db, [
    ...deleteConnection(db, id),
    ...(receivesBookings ? [inheritReceiving(db, connection)] : []),
    inheritHolds(db, connection, realNow()),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'calendar.disconnected',
      resourceType: 'calendar_connection',
      resourceId: id,
      changes: { provider, account_email: accountEmail },
    }),
  ])
  await offerFreedOf(ctx.env, db, ctx.caller.organizationId)
  await closeChannels()
  if (account) await giveBack(ctx.env, account)
}

/** The provider has one permission for all that an account is connected to, so the last one to go gives it back. */
async function giveBack(env: Env, account: AccountRow): Promise<void> {
  const { provider, accountKey, credentials } = account
  if (provider === 'caldav' || provider === 'ics') return
  try {
    const config = readOAuthConfig(provider, env)
    if (!config || (await isAccountConnected(openDb(env, 'decide'), accountKey))) return
    await revokeTokens(config, (await openCredentials(env, credentials)) as Tokens, send)
  } catch (error) {
    // It is deleted here whether or not the provider hears of it.
    if (error instanceof CalendarError) return
    console.error(JSON.stringify({ revoke: provider, cause: bareError(error).stack }))
  }
}
