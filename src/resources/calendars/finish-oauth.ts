import type { Origin, PublicCaller } from '../../auth/caller.ts'
import type { OAuthState } from '../../auth/oauth-state.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { redirectTo } from '../../http/answer.ts'
import type { Context } from '../../http/context.ts'
import { Refused } from '../../http/errors.ts'
import { takeOAuthState, withOutcome } from '../../http/oauth-return.ts'
import { WholeAnswer } from '../../http/route.ts'
import { exchangeCode, type Tokens } from '../../providers/oauth/tokens.ts'
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
import type { CallbackQuery, ConnectedCalendar } from './schema.ts'

/**
 * The owner of an account is back from the provider. They are sent on to where the one who started this said,
 * which nobody can change on the way; without such a place they are answered here.
 */
export async function finishOAuth(
  ctx: Context<PublicCaller>,
  suite: CalendarSuite,
  query: CallbackQuery,
): Promise<ConnectedCalendar | WholeAnswer> {
  configOf(ctx.env, suite)
  if (query.state === undefined) {
    throw new Refused({ code: 'bad_request', message: 'The provider sends a state with its answer.' })
  }
  const state = await takeOAuthState(ctx.env, suite, query.state)
  const goTo = (outcome: Readonly<Record<string, string>>) =>
    new WholeAnswer(redirectTo(withOutcome(state.redirectUrl!, outcome)), false)
  try {
    const connected = await connect(ctx, suite, state, query)
    return state.redirectUrl === null ? connected : goTo({ calendar: 'connected' })
  } catch (error) {
    if (state.redirectUrl === null || !(error instanceof Refused)) throw error
    return goTo({ error: error.refusal.code, error_description: error.refusal.message })
  }
}

async function connect(
  ctx: Context<PublicCaller>,
  suite: CalendarSuite,
  state: OAuthState,
  { code, error }: CallbackQuery,
): Promise<ConnectedCalendar> {
  if (code === undefined) {
    const message =
      error === 'access_denied' ? 'Permission was not given.' : 'The provider gave no permission.'
    throw new Refused({ code: 'bad_request', message })
  }
  const { env } = ctx
  const account = await askForAccount(ctx, suite, { code, verifier: state.verifier })
  const db = openDb(env, 'decide')
  const { organizationId, isTest, memberId } = state
  const tenant = { organizationId, isTest }
  const origin: Origin = {
    actorType: 'system',
    actorId: null,
    ipAddress: ctx.ipAddress,
    requestId: ctx.requestId,
  }
  const place = await findPlace(db, tenant, memberId, account.accountKey)
  const { row, statements } = await prepareConnection(env, db, tenant, place, account, origin)
  try {
    await commitBatch(db, statements)
  } catch (refused) {
    throw refusalOfCommit(refused)
  }
  await announceConnection(env, row)
  return { connected: true, provider: suite, account_email: account.accountEmail }
}

async function askForAccount(
  { env }: Context<PublicCaller>,
  suite: CalendarSuite,
  given: { readonly code: string; readonly verifier: string },
): Promise<NewConnection> {
  const config = configOf(env, suite)
  let credentials: Tokens
  let found: Awaited<ReturnType<(typeof SUITES)[CalendarSuite]['findAccount']>>
  try {
    credentials = await exchangeCode(config, { ...given, redirectUri: callbackUrl(env, suite) }, send)
    const account = { config, tokens: credentials, onTokens: async () => {} }
    found = await SUITES[suite].findAccount(account, send)
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
