import type { Json, Reply } from '../world.ts'
import { calendarById } from './accounts.ts'
import { badRequest, Refusal } from './graph-reply.ts'
import { newGuid } from './make-ids.ts'
import type { Preferences } from './prefer.ts'
import { invalid, live, readExpiry, tell } from './show-subscription.ts'
import type { Account, State, Subscription } from './state.ts'
import { validateUrl } from './validate-url.ts'

const CHANGES = ['created', 'updated', 'deleted']
const TAKEN = [
  ...[
    'changeType',
    'notificationUrl',
    'lifecycleNotificationUrl',
    'resource',
    'expirationDateTime',
    'clientState',
  ],
  ...[
    'latestSupportedTlsVersion',
    'notificationQueryOptions',
    'includeResourceData',
    'encryptionCertificate',
  ],
  ...[
    'encryptionCertificateId',
    'notificationUrlAppId',
    'notificationContentType',
    'id',
    'applicationId',
    'creatorId',
  ],
]
/** learn.microsoft.com/graph/outlook-change-notifications-overview: for all applications together. */
const MOST = 1_000

/** `me/events` or `me/calendars/{id}/events`; the latter works though it is not documented (microsoft-graph-docs#21978). */
function readResource(account: Account, said: unknown): number | null {
  const path = String(said ?? '')
    .replace(/^\//, '')
    .replaceAll(/\('([^']*)'\)/g, '/$1')
  const parts = path.split('/').map(decodeURIComponent)
  const rest = parts[0]?.toLowerCase() === 'users' ? parts.slice(2) : parts.slice(1)
  const isOwn =
    /^me$/i.test(parts[0] ?? '') || [account.id, account.mail].includes(parts[1]?.toLowerCase() ?? '')
  const [first, id, second] = rest
  if (isOwn && rest.length === 1 && first?.toLowerCase() === 'events') return null
  if (
    isOwn &&
    rest.length === 3 &&
    first?.toLowerCase() === 'calendars' &&
    second?.toLowerCase() === 'events'
  ) {
    const calendar = calendarById(account, id!)
    if (calendar) return calendar.key
    throw new Refusal(
      404,
      'ExtensionError',
      'Operation: Create; Exception: [Status Code: NotFound; Reason: The specified object was not found in the store.]',
    )
  }
  // One event cannot be watched: microsoftgraph/microsoft-graph-docs#13548
  throw badRequest(
    `Operation: Create; Exception: [Status Code: BadRequest; Reason: The value '${said}' of parameter 'Resource' is not supported.]`,
    'ExtensionError',
  )
}

export async function createSubscription(
  state: State,
  account: Account,
  said: Json,
  prefer: Preferences,
): Promise<Reply> {
  const stranger = Object.keys(said).find((name) => !TAKEN.includes(name) && !name.includes('@odata'))
  if (stranger) {
    throw badRequest(`The property '${stranger}' does not exist on type 'microsoft.graph.subscription'.`)
  }
  for (const name of ['changeType', 'notificationUrl', 'resource', 'expirationDateTime']) {
    if (!said[name]) throw invalid(`${name} is a required property for subscription creation.`)
  }
  const changeTypes = String(said.changeType)
    .split(',')
    .map((type) => type.trim().toLowerCase())
  if (changeTypes.some((type) => !CHANGES.includes(type)))
    throw invalid(`Invalid changeType '${said.changeType}'.`)
  if (said.clientState && String(said.clientState).length > 128) {
    throw invalid('clientState must not be longer than 128 characters.')
  }
  if (said.includeResourceData)
    throw invalid('encryptionCertificate is required when includeResourceData is true.')
  const expiresMs = readExpiry(state, said.expirationDateTime)
  const isLong = expiresMs - state.frame.now() > 3_600_000
  if (state.settings.isLifecycleUrlRequired && isLong && !said.lifecycleNotificationUrl) {
    throw badRequest(
      'lifecycleNotificationUrl is a required property for subscription creation on this resource when the expirationDateTime value is set to greater than 1 hour.',
      'ValidationError',
    )
  }
  const calendar = readResource(account, said.resource)
  if (live(state, account).length >= MOST) {
    throw new Refusal(
      403,
      'ExtensionError',
      'Operation: Create; Exception: [Status Code: Forbidden; Reason: Too many subscriptions.]',
    )
  }
  await validateUrl(state, said.notificationUrl)
  if (said.lifecycleNotificationUrl) await validateUrl(state, said.lifecycleNotificationUrl)
  const subscription: Subscription = {
    ...{ id: newGuid(), account, resource: said.resource, changeTypes, calendar, expiresMs, isPaused: false },
    notificationUrl: said.notificationUrl,
    lifecycleNotificationUrl: said.lifecycleNotificationUrl ?? null,
    clientState: said.clientState ?? null,
    tlsVersion: said.latestSupportedTlsVersion ?? 'v1_2',
    isImmutable: prefer.isImmutable,
  }
  state.subscriptions.push(subscription)
  return { status: 201, json: tell(state, subscription, '#subscriptions/$entity') }
}
