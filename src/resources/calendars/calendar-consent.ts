import type { OAuthGrant } from '../../auth/oauth-grant.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { originOfOwner, type ProviderConsent, USED, useStateOnce } from '../../http/oauth-return.ts'
import type { AccountInfo } from '../../providers/oauth/account-info.ts'
import { exchangeCode, revokeTokens, type Tokens } from '../../providers/oauth/tokens.ts'
import {
  announceConnection,
  findPlace,
  type NewConnection,
  prepareConnection,
  refusalOfCommit,
} from './add-connection.ts'
import { refusalOf } from './calendar-failure.ts'
import { type CalendarSuite, callbackUrl, configOf, SUITES } from './oauth-provider.ts'
import { send } from './open-calendar.ts'
import { isAccountConnected } from './queries.ts'

/** The sealed account: everything except whose calendar it becomes. */
type Account = NewConnection & { readonly credentials: Tokens }

/** Connecting the calendar of a Google or Microsoft account. */
export function calendarConsent(suite: CalendarSuite): ProviderConsent<Account> {
  return {
    provider: suite,
    kind: 'calendar',
    assertConfigured: (env) => configOf(env, suite),

    async askForAccount({ env }, state, code) {
      const account = await askProvider(env, suite, { code, verifier: state.verifier })
      // Refuses at the start what would be refused in the end.
      await findPlace(openDb(env, 'decide'), state, state.memberId, account.accountKey)
      return { account, email: account.accountEmail }
    },

    async connect(ctx, { state, account }: OAuthGrant<Account>) {
      const { env } = ctx
      const db = openDb(env, 'decide')
      const { organizationId, isTest, memberId } = state
      const tenant = { organizationId, isTest }
      const place = await findPlace(db, tenant, memberId, account.accountKey)
      const prepared = await prepareConnection(env, db, tenant, place, account, originOfOwner(ctx))
      try {
        await commitBatch(db, [...(await useStateOnce(env, db, state)), ...prepared.statements])
      } catch (refused) {
        throw fenceOf(refused) === 'KEY_IN_USE' ? USED : refusalOfCommit(refused)
      }
      await announceConnection(env, prepared.row)
    },

    async giveBack(env, account: Account) {
      const config = configOf(env, suite)
      const db = openDb(env, 'decide')
      // The provider has one permission for all tokens of the account.
      if (config.revocationEndpoint === null || (await isAccountConnected(db, account.accountKey)))
        return false
      await revokeTokens(config, account.credentials, send)
      return true
    },
  }
}

async function askProvider(
  env: Env,
  suite: CalendarSuite,
  given: { readonly code: string; readonly verifier: string },
): Promise<Account> {
  const config = configOf(env, suite)
  let credentials: Tokens
  let found: AccountInfo
  try {
    credentials = await exchangeCode(config, { ...given, redirectUri: callbackUrl(env, suite) }, send)
    const account = { config, tokens: credentials, onTokens: async () => {} }
    const { findAccount } = await SUITES[suite].load()
    found = await findAccount(account, send)
  } catch (error) {
    throw refusalOf(error)
  }
  const { email, calendarId, timezone } = found
  return {
    provider: suite,
    accountKey: `${suite} ${email.toLowerCase()}`,
    accountEmail: email,
    calendarId,
    timezone,
    credentials,
    providerMetadata: {
      preset: suite,
      server_url: config.apiBase,
      auth_method: 'oauth2',
      calendar_url: `${config.apiBase}/calendars/${encodeURIComponent(calendarId)}`,
    },
  }
}
