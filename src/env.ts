declare global {
  // Preact's types bring those of a browser along, which know less than the runtime.
  interface SubtleCrypto {
    timingSafeEqual(a: ArrayBuffer, b: ArrayBuffer): boolean
  }
  interface Crypto {
    readonly DigestStream: new (
      algorithm: 'SHA-256',
    ) => WritableStream<Uint8Array> & { readonly digest: Promise<ArrayBuffer> }
  }
  namespace Cloudflare {
    interface Env {
      /** Further databases are `DB_1` to `DB_15`, each bound or not: only `platform/db/shards.ts` reads them. */
      readonly DB: D1Database
      readonly EVENT_TYPES: DurableObjectNamespace
      readonly RATE_LIMITS: DurableObjectNamespace
      readonly ACCOUNTS: DurableObjectNamespace
      readonly IMPORTS: DurableObjectNamespace
      readonly PUBLIC_LIMIT: RateLimit
      /** For keys and tokens that prove nothing. */
      readonly FAILED_LIMIT: RateLimit
      /** Rows that are read for calls without a key, in units of a thousand. */
      readonly COST_LIMIT: RateLimit
      readonly EVENTS: Queue
      readonly WEBHOOKS: Queue
      readonly EMAIL: SendEmail
      /** The files in public/. */
      readonly ASSETS: Fetcher
      /** Where backups of every organization are written each day; none are without it. */
      readonly DUMPS?: R2Bucket
      /** How many days these are kept, 14 unless set. */
      readonly DUMP_DAYS?: string
      /** Where uploaded images of more than 200 KB are; none are taken without it. */
      readonly MEDIA?: R2Bucket
      /** The sender of every email. */
      readonly EMAIL_FROM: string
      /** Bearer of server-to-server calls. Several keys, comma separated: each of them is good. */
      readonly SERVICE_KEY: string
      /** Seals what must be readable again. Several keys, comma separated: the first seals, all of them open. */
      readonly ENCRYPTION_KEY: string
      /** Where this service is reached; links in emails start with it, and the OpenAPI document names it. */
      readonly PUBLIC_URL: string
      /** `open` lets anybody make an organization in the console; else who was invited or has a link may come in. */
      readonly SIGN_UP?: string
      /** The provider of OpenID Connect that people sign in to the console with; none unless all three are set. */
      readonly OIDC_ISSUER?: string
      readonly OIDC_CLIENT_ID?: string
      readonly OIDC_CLIENT_SECRET?: string
      /** What its button calls it, the host of `OIDC_ISSUER` unless set. */
      readonly OIDC_NAME?: string
      /** Where support requests are mailed; without it they are only stored. */
      readonly SUPPORT_EMAIL?: string
      /** The key for the browser's payment form; without it, booking pages cannot take a payment. */
      readonly STRIPE_PUBLISHABLE_KEY?: string
      /** Where the payment form's script is, Stripe's own unless set: for local doubles. */
      readonly STRIPE_SCRIPT_URL?: string
      /** `true` lets URLs name private hosts: for local development and tests only. */
      readonly ALLOW_PRIVATE_HOSTS?: string
      /** How many days what is not kept for ever is kept, 90 unless set: see docs/operating.md. */
      readonly RETENTION_DAYS?: string
      /** The registration of this service at Google, for calendars (`calendar_a`); none are offered without it. */
      readonly GOOGLE_CLIENT_ID?: string
      readonly GOOGLE_CLIENT_SECRET?: string
      /** Where Google Calendar answers, `https://www.googleapis.com/calendar/v3` unless set: for local doubles. */
      readonly GOOGLE_API_BASE?: string
      /** The host of Google's OAuth endpoints; `GOOGLE_API_BASE` where only that is set. */
      readonly GOOGLE_AUTH_BASE?: string
      /** The registration at Microsoft, for calendars (`calendar_b`); none are offered without it. */
      readonly MICROSOFT_CLIENT_ID?: string
      readonly MICROSOFT_CLIENT_SECRET?: string
      /** Where Microsoft Graph answers, `https://graph.microsoft.com/v1.0` unless set. */
      readonly MICROSOFT_API_BASE?: string
      /** The host of Microsoft's OAuth endpoints; `MICROSOFT_API_BASE` where only that is set. */
      readonly MICROSOFT_AUTH_BASE?: string
      /** The registration at Zoom, for meetings (`video_a`); none are offered without it. */
      readonly ZOOM_CLIENT_ID?: string
      readonly ZOOM_CLIENT_SECRET?: string
      /** Where the Zoom API answers, `https://api.zoom.us/v2` unless set. */
      readonly ZOOM_API_BASE?: string
      /** The host of Zoom's OAuth endpoints; `ZOOM_API_BASE` where only that is set. */
      readonly ZOOM_AUTH_BASE?: string
      /** Secrets that verify Zoom's events, comma separated; without one, events of Zoom are ignored. */
      readonly ZOOM_WEBHOOK_SECRET?: string
      /** The payment provider's key; without it nothing can be paid. */
      readonly STRIPE_SECRET_KEY?: string
      /** Secrets that prove events of the payment provider, comma separated; without one, no event is accepted. */
      readonly STRIPE_WEBHOOK_SECRET?: string
      /** Where the payment provider's API answers, for local doubles. */
      readonly STRIPE_API_BASE?: string
      /** The account at Twilio that sends text messages; none are sent without it and one of the two senders. */
      readonly TWILIO_ACCOUNT_SID?: string
      readonly TWILIO_AUTH_TOKEN?: string
      readonly TWILIO_FROM?: string
      readonly TWILIO_MESSAGING_SERVICE_SID?: string
      /** Where Twilio's API answers, `https://api.twilio.com` unless set: for local doubles. */
      readonly TWILIO_API_BASE?: string
      /** The calling codes that text messages are sent to, comma separated, such as `+49,+43`; all unless set. */
      readonly SMS_COUNTRIES?: string
      /** Where Calendly answers imports, `https://api.calendly.com` unless set. */
      readonly CALENDLY_API_BASE?: string
      /** Where Cal.com answers imports, `https://api.cal.com/v2` unless set. */
      readonly CALCOM_API_BASE?: string
      /** `off` writes no line for each request and job; failures are logged in any case. */
      readonly LOG_LINES?: string
    }
  }
}

export type Env = Cloudflare.Env & {
  /** Not a binding: the database work of this request or job so far, and its organization (`platform/log/tally.ts`). */
  readonly tally?: {
    organizationId: string | null
    /** The API key that the request came with: its hash, and the shard of its record. */
    apiKey: { readonly hash: string; readonly shard: number } | null
    roundTrips: number
    statements: number
    rowsRead: number
    rowsWritten: number
    /** What the object of an event type read for it. */
    rowsReadInObject: number
  }
  /** No binding: by when the request is to be answered (`platform/db/deadline.ts`); jobs have none. */
  readonly deadline?: {
    readonly leftMs: () => number
    readonly lift: () => void
    readonly postpone: (ms: number) => void
    /** Its waits, for the database and for the answer itself (`platform/db/watch.ts`). */
    readonly watch: { readonly after: (ms: number, giveUp: () => void) => () => void }
  }
  /** No binding: how long a request may take, where that is not what everybody may. */
  readonly answerMs?: number
  /** No binding: which shard `DB` is, and the directory, where it is another one than that (`platform/db/shards.ts`). */
  readonly home?: { readonly shard: number; readonly directory: D1Database }
}

/**
 * The same surroundings with something of their own. The bindings are inherited, for there are dozens of them and this
 * happens in every request. It is defined and not assigned, for a runtime may hand out a proxy, and what inherits from one
 * would assign to it, for everybody.
 */
export function withOwn<T extends object>(env: Env, own: T): Env & T {
  return Object.create(env, Object.getOwnPropertyDescriptors(own))
}

const RETENTION_DAYS = 90

export function retentionDays(env: Pick<Env, 'RETENTION_DAYS'>): number {
  return daysOf('RETENTION_DAYS', env.RETENTION_DAYS || RETENTION_DAYS)
}

const DUMP_DAYS = 14

export function dumpDays(env: Pick<Env, 'DUMP_DAYS'>): number {
  return daysOf('DUMP_DAYS', env.DUMP_DAYS || DUMP_DAYS)
}

function daysOf(name: string, given: string | number): number {
  const days = Number(given)
  if (!Number.isSafeInteger(days) || days < 1) throw new Error(`${name} must be a whole number of days`)
  return days
}

export function assertSignUp({ SIGN_UP = '' }: Pick<Env, 'SIGN_UP'>): void {
  if (!['open', 'closed', ''].includes(SIGN_UP)) throw new Error('SIGN_UP must be open or closed')
}

const MIN_SECRET_LENGTH = 32

/** The examples of .dev.vars, which everybody can read. */
const EXAMPLES: ReadonlySet<string> = new Set([
  'local-service-key-change-nothing-here-it-is-public',
  'local-encryption-key-it-is-public-and-protects-nothing',
])

/** A deployment without secrets of its own must not answer at all: a guessable key would be worse than none. */
export function assertConfigured(env: Env): void {
  retentionDays(env)
  dumpDays(env)
  assertSignUp(env)
  for (const name of ['SERVICE_KEY', 'ENCRYPTION_KEY'] as const) {
    const keys = keysIn(env[name] ?? '')
    if (keys.some((key) => key.length < MIN_SECRET_LENGTH)) {
      throw new Error(`${name} must be set, each key of it to at least ${MIN_SECRET_LENGTH} characters`)
    }
    if (keys.some((key) => EXAMPLES.has(key)) && !isLocal(env.PUBLIC_URL)) {
      throw new Error(`${name} is the example of .dev.vars, which is public: set one of your own`)
    }
  }
}

/** The keys of a secret that lists several, comma separated, while one takes the place of another. */
export function keysIn(secret: string): readonly string[] {
  return secret.split(',').map((key) => key.trim())
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/** Where people and providers find a path of this service. */
export function urlAt({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, path: string): string {
  return PUBLIC_URL.replace(/\/+$/, '') + path
}
