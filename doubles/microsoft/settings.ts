/** What a test may say of a whole world, with `PUT /control {…}`. */
export type WorldSettings = {
  /** The scope that is granted from now on whatever is asked for, or `null` for what is asked for. */
  grantedScope: string | null
  /** How many items a page has where a client says nothing: 10, as Outlook has it. */
  pageSize: number
  /** Whether Teams meetings are there at once, only later, or never. Pending ones become ready with `ready`. */
  meeting: 'ready' | 'pending' | 'failed'
  /** How Teams links to a meeting in the text of its event; `joinUrl` is long in any case. */
  meetingLink: 'long' | 'short' | 'safe'
  /** The zone of mailboxes that are made from now on, as Windows calls it. */
  timeZone: string
  /** How long each call of Graph takes, so that calls of one mailbox can be under way at the same time. */
  answerMs: number
  /** How many calls one mailbox takes in ten minutes. */
  requestsPerTenMinutes: number
  /** What `Retry-After` says where Graph says it; it may be a fraction. */
  retryAfter: string
  /** `unavailable` answers 503 with `Retry-After`, `gatewayTimeout` 504 with an empty message. */
  serviceState: 'up' | 'unavailable' | 'gatewayTimeout'
  /** How far ahead a subscription to events may end. */
  subscriptionMaxMinutes: number
  /** Whether a subscription that ends in more than an hour must have a `lifecycleNotificationUrl`. */
  isLifecycleUrlRequired: boolean
  /** Which calendars `me/events` covers, in lists and in subscriptions. */
  meEventsCovers: 'default' | 'all'
  /** How long changes are gathered before they are notified together. */
  notificationDelayMs: number
  /** How long after a failed notification it is sent again; then twice as long, and so on. */
  notificationRetryMs: number
  /** How often a failed notification is sent again before it is given up as missed. */
  notificationRetries: number
}

export const WORLD_SETTINGS: WorldSettings = {
  grantedScope: null,
  pageSize: 10,
  meeting: 'ready',
  meetingLink: 'long',
  timeZone: 'W. Europe Standard Time',
  answerMs: 0,
  requestsPerTenMinutes: 10_000,
  retryAfter: '10',
  serviceState: 'up',
  // Documented as 10,080 by now, and as 4,230 before; users see 10,071 refused.
  subscriptionMaxMinutes: 10_070,
  isLifecycleUrlRequired: false,
  meEventsCovers: 'default',
  notificationDelayMs: 20,
  notificationRetryMs: 1_000,
  notificationRetries: 5,
}

/** What a test may say of one account, with `PUT /control?as=<email> {…}`. */
export type AccountSettings = {
  /** A work or school account of the organization of its domain, or a personal one such as of outlook.com. */
  kind: 'work' | 'personal'
  displayName: string
  /** Whether it may consent for its organization. */
  isAdministrator: boolean
  /** `none` for an account without a mailbox in the cloud, `full` for one above its quota. */
  mailbox: 'there' | 'none' | 'full'
  /** The zone of its mailbox, as Windows calls it or, where its administrator set it up so, as IANA does. */
  mailboxTimeZone: string
  /** Whether this user may consent to apps. An error code says how it is refused; `silent` looks like a user who cancelled. */
  userConsent: 'allowed' | 'AADSTS65001' | 'AADSTS90094' | 'AADSTS90095' | 'silent'
  /** What stops the account at sign-in, such as `AADSTS50020` for a guest: a page, never a redirect. */
  signInError: 'none' | 'AADSTS50020' | 'AADSTS53003' | 'AADSTS50105'
  /** What the token endpoint answers to its refresh tokens while it stays, whatever the grant. */
  refreshError: 'none' | keyof typeof REFRESH_ERRORS
  /** What `allowedOnlineMeetingProviders` of its calendars says; it was a plain string for a while. */
  onlineMeetingProviders: string[] | string
  /** The status of answers that would have that field. In 2025 personal accounts got no list of calendars because of it. */
  onlineMeetingProvidersFail: 0 | 403 | 500
  /** Whether `mail` of `/me` is null, as of some accounts; `userPrincipalName` is there anyhow. */
  isMailNull: boolean
}

/** learn.microsoft.com/entra/identity-platform/reference-error-codes; the shapes from users' public reports. */
export const REFRESH_ERRORS = {
  // Conditional access: blocked, with the challenge that a sign-in would have to meet.
  AADSTS53003: { error: 'invalid_grant', code: 53003, suberror: 'message_only' },
  // MicrosoftDocs/azure-docs and users' reports of `basic_action`: another factor is asked for.
  AADSTS50076: { error: 'interaction_required', code: 50076, suberror: 'basic_action' },
  AADSTS50079: { error: 'interaction_required', code: 50079, suberror: 'basic_action' },
  AADSTS50020: { error: 'invalid_grant', code: 50020, suberror: null },
  AADSTS50057: { error: 'invalid_grant', code: 50057, suberror: null },
  AADSTS50173: { error: 'invalid_grant', code: 50173, suberror: 'bad_token' },
  AADSTS65001: { error: 'invalid_grant', code: 65001, suberror: 'consent_required' },
  AADSTS70000: { error: 'invalid_grant', code: 70000, suberror: null },
  AADSTS70008: { error: 'invalid_grant', code: 70008, suberror: 'token_expired' },
  AADSTS70043: { error: 'invalid_grant', code: 70043, suberror: 'token_expired' },
  AADSTS700082: { error: 'invalid_grant', code: 700082, suberror: null },
  AADSTS90033: { error: 'temporarily_unavailable', code: 90033, suberror: null },
} as const

/** The app registration, with `PUT /control/registration {…}`. */
export type Registration = {
  clientId: string
  secret: string
  /** `expired` refuses the right secret as one whose day has come. */
  secretState: 'valid' | 'expired'
  /** Exactly these, or any on this machine and any https where `null`. */
  redirectUris: string[] | null
  /** Whether the app is switched off, for everybody. */
  isDisabled: boolean
  /** Whether it is known at all. */
  isKnown: boolean
}

export const REGISTRATION: Registration = {
  clientId: 'holdfast-double',
  secret: 'double-secret_1',
  secretState: 'valid',
  redirectUris: null,
  isDisabled: false,
  isKnown: true,
}
