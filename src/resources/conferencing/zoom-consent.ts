import type { OAuthGrant } from '../../auth/oauth-grant.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import { originOfOwner, type ProviderConsent, USED, useStateOnce } from '../../http/oauth-return.ts'
import { openAccess } from '../../providers/oauth/access.ts'
import { exchangeCode, revokeTokens, type Tokens } from '../../providers/oauth/tokens.ts'
import { recordActivity } from '../activity/statements.ts'
import { refusalOf } from '../calendars/calendar-failure.ts'
import { callbackUrl, configOf, PROVIDER } from './oauth-provider.ts'
import { sealTokens, send } from './open-conferencing.ts'
import {
  type AccountRow,
  isAccountConnected,
  retryMeetingsOf,
  selectAccount,
  upsertAccount,
} from './queries.ts'

type Account = { readonly tokens: Tokens; readonly email: string }

/** Connecting a Zoom account; it takes the place of the one before. */
export const zoomConsent: ProviderConsent<Account> = {
  provider: PROVIDER,
  kind: 'conferencing',
  assertConfigured: (env) => configOf(env),

  async askForAccount({ env }, { verifier }, code) {
    const config = configOf(env)
    const { findZoomAccount } = await import('../../providers/zoom/zoom-meetings.ts')
    try {
      const tokens = await exchangeCode(config, { code, verifier, redirectUri: callbackUrl(env) }, send)
      const access = openAccess({ config, tokens, onTokens: async () => {} }, send)
      const { email } = await findZoomAccount({ config, access, send })
      return { account: { tokens, email }, email }
    } catch (error) {
      throw refusalOf(error)
    }
  },

  async connect(ctx, { state, account }: OAuthGrant<Account>) {
    const { env, now } = ctx
    const { organizationId, isTest } = state
    const db = openDb(env, 'decide')
    const [known] = await selectAccount(db, { organizationId, isTest })
    const row: AccountRow = {
      id: known?.id ?? newId(),
      organizationId,
      isTest,
      provider: PROVIDER,
      memberId: known?.memberId ?? '',
      externalId: null,
      accountEmail: account.email,
      credentials: await sealTokens(env, account.tokens),
      status: 'active',
      error: null,
      connectedAt: now,
      updatedAt: now,
    }
    try {
      await commitBatch(db, [
        ...(await useStateOnce(env, db, state)),
        upsertAccount(db, row),
        ...(isTest ? [] : [retryMeetingsOf(db, organizationId, now)]),
        recordActivity(db, row, originOfOwner(ctx), {
          action: 'conferencing.connected',
          resourceType: 'conferencing_connection',
          resourceId: row.id,
          changes: { provider: PROVIDER, account_email: account.email },
        }),
      ])
    } catch (error) {
      throw fenceOf(error) === 'KEY_IN_USE' ? USED : error
    }
  },

  async giveBack(env, { tokens, email }: Account) {
    // The provider has one permission for all tokens of the account.
    if (await isAccountConnected(openDb(env, 'decide'), email)) return false
    await revokeTokens(configOf(env), tokens, send)
    return true
  },
}
