import type { Origin, PublicCaller } from '../../auth/caller.ts'
import type { OAuthState } from '../../auth/oauth-state.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { redirectTo } from '../../http/answer.ts'
import type { Context } from '../../http/context.ts'
import { Refused } from '../../http/errors.ts'
import { takeOAuthState, withOutcome } from '../../http/oauth-return.ts'
import { WholeAnswer } from '../../http/route.ts'
import { exchangeCode, type Tokens } from '../../providers/oauth/tokens.ts'
import { findZoomAccount } from '../../providers/zoom/zoom-meetings.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { refusalOf } from '../calendars/calendar-failure.ts'
import type { CallbackQuery } from '../calendars/schema.ts'
import { callbackUrl, configOf, PROVIDER } from './oauth-provider.ts'
import { sealTokens, send } from './open-conferencing.ts'
import type { ConnectedConferencing } from './schema.ts'
import { type AccountRow, retryMeetingsOf, selectAccount, upsertAccount } from './store.ts'

/**
 * The owner of an account is back from the provider. They are sent on to where the one who started this said;
 * without such a place they are answered here.
 */
export async function finishConnecting(
  ctx: Context<PublicCaller>,
  query: CallbackQuery,
): Promise<ConnectedConferencing | WholeAnswer> {
  configOf(ctx.env)
  if (query.state === undefined) {
    throw new Refused({ code: 'bad_request', message: 'The provider sends a state with its answer.' })
  }
  const state = await takeOAuthState(ctx.env, PROVIDER, query.state)
  const goTo = (outcome: Readonly<Record<string, string>>) =>
    new WholeAnswer(redirectTo(withOutcome(state.redirectUrl!, outcome)), false)
  try {
    const connected = await connect(ctx, state, query)
    return state.redirectUrl === null ? connected : goTo({ conferencing: 'connected' })
  } catch (error) {
    if (state.redirectUrl === null || !(error instanceof Refused)) throw error
    return goTo({ error: error.refusal.code, error_description: error.refusal.message })
  }
}

/** Another account of the same provider takes the place of the one before. */
async function connect(
  { env, ipAddress, requestId, now }: Context<PublicCaller>,
  { organizationId, isTest, verifier }: OAuthState,
  { code, error }: CallbackQuery,
): Promise<ConnectedConferencing> {
  if (code === undefined) {
    const isDenied = error === 'access_denied'
    const message = isDenied ? 'Permission was not given.' : 'The provider gave no permission.'
    throw new Refused({ code: 'bad_request', message })
  }
  const { tokens, email } = await askForAccount(env, code, verifier)
  const db = openDb(env, 'decide')
  const [known] = await selectAccount(db, { organizationId, isTest })
  const row: AccountRow = {
    id: known?.id ?? newId(),
    organizationId,
    isTest,
    provider: PROVIDER,
    accountEmail: email,
    credentials: await sealTokens(env, tokens),
    status: 'active',
    error: null,
    connectedAt: now,
    updatedAt: now,
  }
  const origin: Origin = { actorType: 'system', actorId: null, ipAddress, requestId }
  await commitBatch(db, [
    upsertAccount(db, row),
    ...(isTest ? [] : [retryMeetingsOf(db, organizationId, now)]),
    recordActivity(db, row, origin, {
      action: 'conferencing.connected',
      resourceType: 'conferencing_connection',
      resourceId: row.id,
      changes: { provider: PROVIDER, account_email: email },
    }),
  ])
  return { connected: true, provider: PROVIDER, account_email: email }
}

async function askForAccount(env: Context['env'], code: string, verifier: string) {
  const config = configOf(env)
  try {
    const tokens: Tokens = await exchangeCode(config, { code, verifier, redirectUri: callbackUrl(env) }, send)
    const { email } = await findZoomAccount({ config, tokens, onTokens: async () => {} }, send)
    return { tokens, email }
  } catch (error) {
    throw refusalOf(error)
  }
}
