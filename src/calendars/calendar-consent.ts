import type { Env } from '../env.ts'
import { notifyOperator } from '../outbox/mail/operator-notices/notify-operator.ts'
import type { OAuthGrant } from '../platform/auth/oauth-grant.ts'
import { openDb } from '../platform/db/client.ts'
import { commitOnce, originOfOwner, type ProviderConsent } from '../platform/http/oauth-return.ts'
import { CalendarError } from '../platform/icalendar/calendar-error.ts'
import { realNow } from '../platform/limits/clock.ts'
import { send } from '../platform/transport/fetch.ts'
import { askAccount } from './accounts/ask-account.ts'
import { isAccountUsed } from './accounts/is-account-used.ts'
import { type CalendarSuite, callbackUrl, configOf, SUITES } from './accounts/providers.ts'
import { calendarUrlOf } from './add-calendar.ts'
import type { NewAccount } from './add-connection.ts'
import { refusalOf } from './calendar-failure.ts'
import type { ListedCalendar } from './client/account-client.ts'
import { findPlace, placeIn } from './find-calendar-ref.ts'
import { openAccess } from './oauth/access.ts'
import { permitsFreeBusy } from './oauth/oauth-config.ts'
import { exchangeCode, revokeTokens, type Tokens } from './oauth/tokens.ts'
import { findConnectable, type ListedConnection } from './queries.ts'
import { storeAccount } from './store-account.ts'
import { waitForProvider } from './wait-for-provider.ts'

/** The sealed account: everything except whose calendar it becomes. */
type Account = NewAccount & { readonly credentials: Tokens }

/** Connecting the calendar of a Google or Microsoft account. */
export function calendarConsent(suite: CalendarSuite): ProviderConsent<Account> {
  return {
    provider: suite,
    kind: 'calendar',
    assertConfigured: (env) => configOf(env, suite),

    async askForAccount({ env }, state, code) {
      const db = openDb(env, 'decide')
      const given = { code, verifier: state.verifier }
      const asking = waitForProvider(env, () => askProvider(env, suite, given))
      const account = await asking.catch(async (error) => {
        if (error instanceof CalendarError && error.failure === 'misconfigured')
          await notifyOperator(env, db, state, { subject: suite, fault: error.message }, realNow())
        throw refusalOf(error)
      })
      const find = () => findConnectable(db, state, state.memberId, account.accountKey)
      const found = await find()
      // The owner may have withdrawn the permission before, which no sync has noticed yet.
      const isAsked = await askWhetherItWorks(env, found.connections)
      // Refuses at the start what would be refused in the end.
      placeIn(isAsked ? await find() : found, permitsFreeBusy(account.credentials))
      return { account, email: account.accountEmail }
    },

    async connect(ctx, { state, account }: OAuthGrant<Account>) {
      const { env } = ctx
      const { organizationId, isTest, memberId } = state
      const tenant = { organizationId, isTest }
      const { credentials, accountKey } = account
      const isWider = permitsFreeBusy(credentials)
      const place = await findPlace(openDb(env, 'decide'), tenant, memberId, accountKey, isWider)
      const client = await openSuite(env, suite, credentials, async (renewed) => {
        Object.assign(credentials, renewed)
      })
      const connecting = { env, tenant, origin: originOfOwner(ctx), isLimited: true }
      await storeAccount(connecting, place, account, client, (db, statements) =>
        commitOnce(env, db, state, statements),
      )
    },

    async giveBack(env, account: Account) {
      const config = configOf(env, suite)
      // The provider has one permission for all tokens of the account.
      if (config.revocationEndpoint === null || (await isAccountUsed(env, account.accountKey))) return false
      await revokeTokens(config, account.credentials, send)
      return true
    },
  }
}

async function openSuite(
  env: Env,
  suite: CalendarSuite,
  tokens: Tokens,
  onTokens: (tokens: Tokens) => Promise<void>,
) {
  const config = configOf(env, suite)
  const open = await SUITES[suite]()
  return open({ config, access: openAccess({ config, tokens, onTokens }, send), send })
}

async function askProvider(
  env: Env,
  suite: CalendarSuite,
  given: { readonly code: string; readonly verifier: string },
): Promise<Account> {
  const config = configOf(env, suite)
  let credentials = await exchangeCode(config, { ...given, redirectUri: callbackUrl(env, suite) }, send)
  const client = await openSuite(env, suite, credentials, async (renewed) => {
    credentials = renewed
  })
  const { email } = await client.identify()
  const calendars = await client.listCalendars()
  const main = mainOf(calendars)
  return {
    provider: suite,
    accountKey: `${suite} ${email.toLowerCase()}`,
    accountEmail: email,
    serverUrl: config.apiBase,
    credentials,
    main,
    calendars,
    providerMetadata: {
      preset: suite,
      server_url: config.apiBase,
      auth_method: 'oauth2',
      calendar_url: calendarUrlOf({ provider: suite, serverUrl: config.apiBase }, main.externalId),
      ...(main.makesMeetings === false && { makes_meetings: false }),
    },
  }
}

/** The main calendar of an account, else the first that may be written to. */
function mainOf(calendars: readonly ListedCalendar[]): ListedCalendar {
  const main = calendars.find(({ isPrimary }) => isPrimary) ?? calendars.find(({ canWrite }) => canWrite)
  if (!main) throw new CalendarError('absent', 'The account has no calendar that events can be written to.')
  return main
}

/** Whether there was anything to ask: what is known of the account may be out of date then. */
async function askWhetherItWorks(env: Env, [known]: readonly ListedConnection[]): Promise<boolean> {
  if (!known?.connection.accountId) return false
  const { id: connectionId, accountId } = known.connection
  await askAccount(env, accountId).sync({ connectionId, since: Date.now() + 1 })
  return true
}
