/** What `PUT /control` sets; what is left out stays as it is. */
export type Settings = {
  /** The most items on a page of a list, whatever `maxResults` allows: pages may have fewer. */
  pageSize: number | null
  /** So many pages without items come first, each with a `nextPageToken`. */
  emptyPages: number
  /** What people tick on the consent page: all, or these scopes of those asked for (others are left unticked). */
  grantedScope: 'all' | readonly string[]
  /** The zone of accounts made from now on, and of every calendar of the account that the call is about. */
  timeZone: string
  /**
   * What becomes of a conference that is asked for. `pending` ones end as `ready` or `failed` when this is set to that;
   * `refused` refuses the whole call, as calendars do that may not have Google Meet.
   */
  meeting: 'ready' | 'pending' | 'failed' | 'refused'
  /** How many equal messages a change causes. */
  notificationsPerChange: number
  /** Every so-many-th message of a channel but `sync` is lost: Google's are not all delivered. 0 loses none. */
  losesEveryNthNotification: number
  /** How long a stopped channel still gets messages. */
  stoppedChannelLingersSeconds: number
  /** Whether a list gives a sync token of its own each time; otherwise an unchanged calendar gives the same one. */
  hasFreshSyncTokens: boolean
  /** Whether a deleted event may be put back by giving it another status; otherwise that is forbidden. */
  isDeletedRestorable: boolean
  /** What moving an event into another calendar of the account does to its id. */
  movedEventsKeepId: boolean
  /** Calls of one person in a minute; beyond them `rateLimitExceeded`. Not limited where null. */
  callsPerMinute: number | null
  /** How many refresh tokens of one person a client has; the oldest ends when one more is given. */
  refreshTokensPerAccount: number
  /** `iss` of the authorization answer and of ID tokens; without it in the former where null. */
  issuer: string | null
  /** Whether refusals of the consent page by policy come back to the app as `error`; otherwise the person is stuck. */
  arePolicyErrorsRedirected: boolean
  /** Named refusals of the next calls; the first that fits is used. */
  refusals: readonly PlannedRefusal[]
}

export type PlannedRefusal = {
  /** Part of «METHOD path»; every call of the calendar API unless told. */
  readonly about?: string
  readonly kind:
    | 'rateLimitExceeded'
    | 'userRateLimitExceeded'
    | 'quotaExceeded'
    | 'dailyLimitExceeded'
    | 'tooManyRequests'
    | 'backendError'
    | 'backendUnavailable'
    | 'authError'
    | 'notFound'
  /** How often; once by default, null forever. */
  readonly times?: number | null
  readonly retryAfterSeconds?: number
}

/** How the app is registered; `PUT /control/registration` sets it. */
export type Registration = {
  clientId: string
  /** What a client must show. Setting another one makes the app's secret wrong. */
  secret: string
  /** `deletedAsInvalid` answers for a deleted client with `invalid_client`, as was seen too. */
  client: 'live' | 'unknown' | 'deleted' | 'deletedAsInvalid' | 'disabled'
  /** Whether the Calendar API is switched on for the project. */
  isApiOn: boolean
  /** While an app is in testing, grants live seven days. */
  publishing: 'production' | 'testing'
  /** The test users of an app in testing; everybody if null. */
  testUsers: readonly string[] | null
  /** People who may consent; policies of organizations or of the app refuse the others. */
  consent: 'anyone' | 'admin_policy_enforced' | 'org_internal'
  /** Where answers may be sent; anywhere that Google would accept where empty. */
  redirectUris: readonly string[]
  projectNumber: string
}

export const defaultSettings: Settings = {
  pageSize: null,
  emptyPages: 0,
  grantedScope: 'all',
  timeZone: 'Europe/Berlin',
  meeting: 'ready',
  notificationsPerChange: 2,
  losesEveryNthNotification: 0,
  stoppedChannelLingersSeconds: 0,
  hasFreshSyncTokens: false,
  isDeletedRestorable: true,
  movedEventsKeepId: true,
  callsPerMinute: null,
  refreshTokensPerAccount: 100,
  issuer: 'https://accounts.google.com',
  arePolicyErrorsRedirected: false,
  refusals: [],
}

export const defaultRegistration: Registration = {
  clientId: 'holdfast-double',
  secret: 'double-secret_1',
  client: 'live',
  isApiOn: true,
  publishing: 'production',
  testUsers: null,
  consent: 'anyone',
  redirectUris: [],
  projectNumber: '764086051850',
}
