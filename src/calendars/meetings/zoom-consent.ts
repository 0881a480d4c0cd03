import type { Env } from '../../env.ts'
import type { OAuthGrant } from '../../platform/auth/oauth-grant.ts'
import { openDb } from '../../platform/db/client.ts'
import { askAll } from '../../platform/db/shards.ts'
import { because } from '../../platform/http/errors.ts'
import { onceStatements, type ProviderConsent } from '../../platform/http/oauth-return.ts'
import { runChange } from '../../platform/http/run-change.ts'
import { send } from '../../platform/transport/fetch.ts'
import { askMeetingAccount } from '../accounts/ask-account.ts'
import { sealCredentials } from '../accounts/credentials.ts'
import { callbackUrl, configOf } from '../accounts/providers.ts'
import { refusalOf } from '../calendar-failure.ts'
import { openAccess } from '../oauth/access.ts'
import { exchangeCode } from '../oauth/tokens.ts'
import { waitForProvider } from '../wait-for-provider.ts'
import { giveBack, prepareToGiveBack } from './accounts/give-back.ts'
import { renewPermission } from './accounts/queries.ts'
import { type GrantedAccount, prepareAccount } from './prepare-account.ts'

/** What is connected in the sandbox, where nobody asks Zoom. */
const PRETEND: GrantedAccount = { tokens: null, externalId: null, accountEmail: 'zoom@example.com' }

/** Connecting a Zoom account; it takes the place of the member's one before. */
export const zoomConsent: ProviderConsent<GrantedAccount> = {
  provider: 'video_a',
  kind: 'conferencing',
  assertConfigured: (env) => configOf(env, 'video_a'),

  async askForAccount({ env }, { verifier, isTest }, code) {
    if (isTest) return { account: PRETEND, email: PRETEND.accountEmail }
    try {
      const account = await redeem(env, code, verifier)
      return { account, email: account.accountEmail }
    } catch (error) {
      throw refusalOf(error)
    }
  },

  async connect(ctx, { state, account }: OAuthGrant<GrantedAccount>) {
    const { env } = ctx
    const db = openDb(env, 'decide')
    const { connected, changed, announce, giveItBack } = await runChange(
      { env },
      async () => {
        const prepared = await prepareAccount(ctx, db, state, account)
        const replaced = await Promise.all(prepared.replaced.map((each) => prepareToGiveBack(env, each)))
        const giveItBack = async () => {
          for (const giveBack of replaced) await giveBack()
        }
        const statements = [...(await onceStatements(env, db, state)), ...prepared.statements]
        return { body: { ...prepared, giveItBack }, statements }
      },
      { refusesOn: { KEY_IN_USE: because('link_used') } },
    )
    // An object that misses the call reads its row again within a minute.
    await Promise.allSettled([
      askMeetingAccount(env, connected).connected(),
      ...changed.map((id) => askMeetingAccount(env, id).changed()),
    ])
    await announce()
    await giveItBack()
  },

  async giveBack(env, { tokens, ...user }: GrantedAccount) {
    return tokens !== null && giveBack(env, user, tokens.accessToken)
  },
}

async function redeem(env: Env, code: string, verifier: string) {
  const account = await waitForProvider(env, () => askZoom(env, code, verifier))
  const { tokens } = account
  // A new permission at Zoom ends the user's earlier one. All accounts of the user get the new tokens, so that they keep working
  // if the owner declines here.
  const sealed = await sealCredentials(env, tokens)
  const renewed = await askAll(env, (home) => renewPermission(openDb(home, 'decide'), account, sealed))
  await Promise.allSettled(renewed.flat().map(({ id }) => askMeetingAccount(env, id).changed()))
  return account
}

async function askZoom(env: Env, code: string, verifier: string) {
  const config = configOf(env, 'video_a')
  const { findZoomAccount } = await import('../zoom/zoom-account.ts')
  const tokens = await exchangeCode(
    config,
    { code, verifier, redirectUri: callbackUrl(env, 'video_a') },
    send,
  )
  const access = openAccess({ config, tokens, onTokens: async () => {} }, send)
  const { id, email } = await findZoomAccount({ config, access, send })
  return { tokens, externalId: id, accountEmail: email }
}
