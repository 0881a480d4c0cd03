/** The providers of accounts: Google, Microsoft 365 and Zoom, as the API names them. */
export type OAuthProvider = 'calendar_a' | 'calendar_b' | 'video_a'

/** One provider as it is configured. All URLs are without a slash at the end. */
export type OAuthConfig = {
  /** For messages to people. */
  readonly title: string
  readonly clientId: string
  readonly clientSecret: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Null where the provider has none. */
  readonly revocationEndpoint: string | null
  /** Where an administrator agrees for everybody of an organization; null where the provider has none. */
  readonly adminConsentEndpoint: string | null
  readonly apiBase: string
  readonly scopes: readonly string[]
  /** Scopes that the owner can untick, but that we need, with what the provider calls them there. */
  readonly requiredScopes: Readonly<Record<string, string>>
  /** Additional parameters of the authorization request. */
  readonly authorizationParameters: Readonly<Record<string, string>>
  readonly authenticatesBy: 'basic' | 'post'
  /** For local doubles only. */
  readonly allowsHttp: boolean
}

type Prefix = 'GOOGLE' | 'MICROSOFT' | 'ZOOM'
type SettingName = 'CLIENT_ID' | 'CLIENT_SECRET' | 'API_BASE' | 'AUTH_BASE'

/** The variables that configure the providers. */
type OAuthSettings = {
  readonly [Name in `${Prefix}_${SettingName}` | 'ALLOW_PRIVATE_HOSTS']?: string
}

type Defaults = Omit<OAuthConfig, 'clientId' | 'clientSecret' | 'allowsHttp'> & {
  /** The prefix of its variables. */
  readonly prefix: Prefix
}

/** https://developers.google.com/workspace/calendar/api/auth. The list also says which calendar is the main one. */
const GOOGLE_SCOPES = {
  'https://www.googleapis.com/auth/calendar.events': 'View and edit events on all your calendars',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly':
    'See the list of Google calendars you’re subscribed to',
}

/** For calendars that are shared as free/busy only, beside the others: `calendar.events` does not permit such questions. */
const FREE_BUSY = 'https://www.googleapis.com/auth/calendar.freebusy'

/** The same with permission for free and busy times. Google's owners can untick it; the rest works without. */
export function withFreeBusy(config: OAuthConfig): OAuthConfig {
  return { ...config, scopes: [...config.scopes, FREE_BUSY] }
}

export function permitsFreeBusy({ scope }: { readonly scope: string }): boolean {
  return scope.split(' ').includes(FREE_BUSY)
}

/** Where the providers are. */
const PROVIDERS: Readonly<Record<OAuthProvider, Defaults>> = {
  // https://developers.google.com/identity/protocols/oauth2/web-server
  calendar_a: {
    prefix: 'GOOGLE',
    title: 'Google Calendar',
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    revocationEndpoint: 'https://oauth2.googleapis.com/revoke',
    adminConsentEndpoint: null,
    apiBase: 'https://www.googleapis.com/calendar/v3',
    scopes: Object.keys(GOOGLE_SCOPES),
    requiredScopes: GOOGLE_SCOPES,
    // Only a new consent returns a refresh token every time, with what was permitted before.
    authorizationParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    authenticatesBy: 'post',
  },
  // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
  calendar_b: {
    prefix: 'MICROSOFT',
    title: 'Microsoft 365',
    authorizationEndpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenEndpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    revocationEndpoint: null,
    // https://learn.microsoft.com/entra/identity-platform/v2-admin-consent
    adminConsentEndpoint: 'https://login.microsoftonline.com/organizations/v2.0/adminconsent',
    apiBase: 'https://graph.microsoft.com/v1.0',
    scopes: ['offline_access', 'User.Read', 'Calendars.ReadWrite', 'MailboxSettings.Read'],
    requiredScopes: {},
    authorizationParameters: { prompt: 'select_account', response_mode: 'query' },
    authenticatesBy: 'post',
  },
  // https://developers.zoom.us/docs/integrations/oauth
  video_a: {
    prefix: 'ZOOM',
    title: 'Zoom',
    authorizationEndpoint: 'https://zoom.us/oauth/authorize',
    tokenEndpoint: 'https://zoom.us/oauth/token',
    revocationEndpoint: 'https://zoom.us/oauth/revoke',
    adminConsentEndpoint: null,
    apiBase: 'https://api.zoom.us/v2',
    // Zoom takes the scopes from the registration of the app.
    scopes: [],
    requiredScopes: {},
    authorizationParameters: {},
    authenticatesBy: 'basic',
  },
}

/**
 * How a provider is configured, or null. `<PREFIX>_API_BASE` and `<PREFIX>_AUTH_BASE` (default: the former) replace its hosts,
 * and `ALLOW_PRIVATE_HOSTS` allows http there.
 */
export function readOAuthConfig(provider: OAuthProvider, settings: OAuthSettings): OAuthConfig | null {
  const { prefix, ...defaults } = PROVIDERS[provider]
  const read = (name: SettingName) => settings[`${prefix}_${name}`]?.replace(/\/+$/, '') || null
  const [clientId, clientSecret] = [read('CLIENT_ID'), read('CLIENT_SECRET')]
  if (clientId === null || clientSecret === null) return null
  const apiBase = read('API_BASE')
  const authBase = read('AUTH_BASE') ?? apiBase
  const moved = (endpoint: string) => (authBase === null ? endpoint : authBase + new URL(endpoint).pathname)
  return {
    ...defaults,
    clientId,
    clientSecret,
    authorizationEndpoint: moved(defaults.authorizationEndpoint),
    tokenEndpoint: moved(defaults.tokenEndpoint),
    revocationEndpoint: defaults.revocationEndpoint && moved(defaults.revocationEndpoint),
    adminConsentEndpoint: defaults.adminConsentEndpoint && moved(defaults.adminConsentEndpoint),
    apiBase: apiBase ?? defaults.apiBase,
    allowsHttp: settings.ALLOW_PRIVATE_HOSTS === 'true',
  }
}
