import { assertSignUp, dumpDays, retentionDays } from '../env.ts'

/** What the platform itself records of each request. */
type Observability = {
  readonly enabled?: boolean
  readonly redact_query_string?: boolean
  readonly logs?: { readonly invocation_logs?: boolean }
  readonly traces?: { readonly enabled?: boolean }
}

type Consumer = { readonly queue: string; readonly dead_letter_queue?: string }

/** The part of the configuration that a deployment depends on, as wrangler reads it. */
type Deployment = {
  readonly vars: Readonly<Record<string, unknown>>
  /** The names of the secrets that are set; null where that is unknown. */
  readonly secrets: ReadonlySet<string> | null
  readonly consumers: readonly Consumer[]
  readonly observability?: Observability | undefined
}

const REQUIRED = ['SERVICE_KEY', 'ENCRYPTION_KEY'] as const
/** Each of these needs its partner: with only one of the two, the provider fails at its first use. */
const PAIRS = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['ZOOM_CLIENT_ID', 'ZOOM_CLIENT_SECRET'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
] as const
/** All of these or none. */
const OPENID = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] as const
/** One of them. */
const TWILIO_SENDERS = ['TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID'] as const
const IS_SECRET = /(_KEY|_SECRET|_AUTH_TOKEN)$/
const IS_PUBLIC = 'STRIPE_PUBLISHABLE_KEY'
const EXAMPLE_DOMAIN = /@(.+\.)?example(\.(com|net|org))?>?$/i

/** A sentence for each thing that would go wrong after the deployment. */
export function deploymentProblems({
  vars,
  secrets,
  consumers,
  observability,
}: Deployment): readonly string[] {
  return [
    ...publicUrlProblems(String(vars.PUBLIC_URL ?? '')),
    ...senderProblems(String(vars.EMAIL_FROM ?? '')),
    ...(vars.ALLOW_PRIVATE_HOSTS === undefined
      ? []
      : ['ALLOW_PRIVATE_HOSTS is for local development: take it out of [vars].']),
    ...Object.keys(vars)
      .filter((name) => IS_SECRET.test(name) && name !== IS_PUBLIC)
      .map((name) => `${name} is a secret: take it out of [vars] and run: npx wrangler secret put ${name}`),
    ...refusedVariables(vars),
    ...(secrets === null ? [] : missingSecrets(vars, secrets)),
    ...queueProblems(consumers),
    ...recordProblems(observability),
  ]
}

/** Paths and query strings hold tokens and addresses. */
function recordProblems(observability: Observability = {}): readonly string[] {
  const { enabled, redact_query_string: isRedacted, logs, traces } = observability
  return [
    ...(traces?.enabled === true || (enabled && traces?.enabled !== false)
      ? ['Traces record paths, which may end in a token: set enabled = false under [observability.traces].']
      : []),
    ...(enabled && logs?.invocation_logs !== false
      ? [
          'Invocation logs record paths, which may end in a token: set invocation_logs = false under [observability.logs].',
        ]
      : []),
    ...(enabled && !isRedacted
      ? ['Query strings hold tokens: set redact_query_string = true under [observability].']
      : []),
  ]
}

/** What the Worker refuses to run with. */
function refusedVariables(vars: Deployment['vars']): readonly string[] {
  return [retentionDays, dumpDays, assertSignUp].flatMap((read) => {
    try {
      read(vars)
      return []
    } catch (error) {
      return [`${(error as Error).message}: every endpoint would answer 500.`]
    }
  })
}

/** What a queue gives up must be read, and the Worker knows the queue that it lands in by its name. */
function queueProblems(consumers: readonly Consumer[]): readonly string[] {
  const dead = new Set(consumers.map(({ dead_letter_queue }) => dead_letter_queue))
  return consumers
    .filter(({ queue }) => !dead.has(queue))
    .flatMap(({ queue, dead_letter_queue: its }) => {
      if (!its?.endsWith('-dead')) return [`${queue} must have a dead_letter_queue whose name ends in -dead.`]
      if (consumers.some((each) => each.queue === its)) return []
      return [
        `${its} takes what ${queue} gives up, and nothing reads it: name it under [[queues.consumers]].`,
      ]
    })
}

function missingSecrets(vars: Deployment['vars'], secrets: ReadonlySet<string>): readonly string[] {
  const isSet = (name: string) => secrets.has(name) || Boolean(vars[name])
  return [
    ...REQUIRED.filter((name) => !secrets.has(name)).map(
      (name) => `${name} is missing: run: npx wrangler secret put ${name}`,
    ),
    ...PAIRS.flatMap(([one, other]) => {
      if (isSet(one) === isSet(other)) return []
      const [there, missing] = isSet(one) ? [one, other] : [other, one]
      return [`${there} is set and ${missing} is not: they need each other.`]
    }),
    ...(isSet('STRIPE_SECRET_KEY') && !isSet(IS_PUBLIC)
      ? [`${IS_PUBLIC} is not set: booking pages need it for the payment form. Put it into [vars].`]
      : []),
    ...openIdProblems(OPENID.filter((name) => !isSet(name))),
    ...twilioProblems(isSet),
  ]
}

function openIdProblems(missing: readonly string[]): readonly string[] {
  if (missing.length === 0 || missing.length === OPENID.length) return []
  return [
    `${OPENID.join(', ')} need each other, and ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`,
  ]
}

/** With a part of them, event types could not have text messages, or no callback would be believed. */
function twilioProblems(isSet: (name: string) => boolean): readonly string[] {
  const senders = TWILIO_SENDERS.filter(isSet)
  if (![...TWILIO, ...TWILIO_SENDERS].some(isSet)) return []
  const missing = [
    ...TWILIO.filter((name) => !isSet(name)),
    ...(senders.length === 0 ? [TWILIO_SENDERS.join(' or ')] : []),
  ]
  return missing.map((name) => `${name} is not set: text messages need it, because others of Twilio are set.`)
}

function publicUrlProblems(publicUrl: string): readonly string[] {
  const url = URL.parse(publicUrl)
  if (!url) return ['PUBLIC_URL must be the address that the service is reached at.']
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1?\]|0\.0\.0\.0)$|\.(localhost|local|internal)$/.test(
    url.hostname,
  )
  if (isLocal) return [`PUBLIC_URL is ${publicUrl}: links in emails must not lead to this machine.`]
  // Every link is this and a path.
  if (/^https:\/\/[^\s/?#@]+$/i.test(publicUrl)) return []
  return [`PUBLIC_URL is ${publicUrl}: it must be https:// and a host, and nothing more.`]
}

function senderProblems(sender: string): readonly string[] {
  if (sender === '') return ['EMAIL_FROM must be an address of a domain that may send email.']
  if (EXAMPLE_DOMAIN.test(sender)) return [`EMAIL_FROM is ${sender}: it must be an address of your own.`]
  // Names are put before it, and it is an organizer in calendars.
  if (/^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(sender)) return []
  return [`EMAIL_FROM is ${sender}: it must be an address alone, such as bookings@acme.com.`]
}
