import { env } from 'cloudflare:workers'
import { type Form, readForm, readJson } from '../../doubles/stripe/read-form.ts'
import type { Trouble as Fault, Json } from '../../doubles/world.ts'
import { type Answered, call } from './app.ts'
import { providerEvent, WEBHOOK_SECRET } from './provider-events.ts'

/** The double of Stripe of this file of tests: see doubles/README.md. */
export async function controlProvider<T = any>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${env.STRIPE_API_BASE}/control${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok)
    throw new Error(`the provider refuses ${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  return text === '' ? (null as T) : JSON.parse(text)
}

/** A call that another program makes with the platform's key; it is not among the service's own. */
export async function askProvider<T = any>(
  method: string,
  path: string,
  form: Readonly<Record<string, string>> = {},
  account?: string | null,
): Promise<T> {
  const response = await fetch(`${env.STRIPE_API_BASE}/v1/${path}`, {
    method,
    headers: {
      Authorization: 'Bearer sk_test_double',
      'User-Agent': 'test',
      ...(account && { 'Stripe-Account': account }),
    },
    ...(method === 'POST' && { body: new URLSearchParams(form) }),
  })
  const body: any = await response.json()
  if (!response.ok) throw new Error(`the provider refuses ${method} ${path}: ${JSON.stringify(body)}`)
  return body
}

const of = (about: string) => `?of=${encodeURIComponent(about)}`

type ProviderCall = {
  /** Such as `POST payment_intents`, `POST payment_intents/cancel`, `GET accounts`, `POST core/accounts` (of v2). */
  readonly step: string
  readonly params: Form
  readonly idempotencyKey: string | null
  readonly account: string | null
  readonly status: number | null
}

/** Every call of the service in which `about` stands, in order. */
export async function providerCalls(about: string): Promise<ProviderCall[]> {
  const { calls } = await controlProvider<{ calls: Json[] }>('GET', of(about))
  return calls
    .filter(({ headers }) => headers['user-agent'] !== 'test')
    .map(({ method, path, query, headers, body, status }) => ({
      step: stepOf(method, path),
      params: readForm(paramsOf(method, path, query, body)),
      idempotencyKey: headers['idempotency-key'] ?? null,
      account: headers['stripe-account'] ?? null,
      status,
    }))
}

function paramsOf(method: string, path: string, query: string, body: string): URLSearchParams {
  if (method !== 'POST') return new URLSearchParams(query)
  return path.startsWith('/v2/') ? readJson(body) : new URLSearchParams(body)
}

const NESTED = ['checkout', 'billing_portal', 'core']

function stepOf(method: string, path: string): string {
  const [, , collection = '', ...rest] = path.split('/')
  const name = NESTED.includes(collection) ? `${collection}/${rest.shift()}` : collection
  const action = rest[1]
  return `${method} ${name}${action ? `/${action}` : ''}`
}

export type ProviderObject = Json & {
  readonly id: string
  readonly object: string
  readonly of: string | null
}

/** Everything that the provider has and in which `about` stands, in the order in which it was made; `of` says where. */
export function providerObjects(about: string): Promise<ProviderObject[]> {
  return controlProvider('GET', `/objects${of(about)}`)
}

/** Changes an object behind everybody's back, or puts one there that the double does not make by itself. */
export function changeProviderObject(id: string, fields: Record<string, unknown>): Promise<ProviderObject> {
  return controlProvider('PUT', `/objects/${id}`, fields)
}

export async function providerObject(id: string): Promise<ProviderObject> {
  const found = (await providerObjects(id)).find((one) => one.id === id)
  if (!found) throw new Error(`the provider has no ${id}`)
  return found
}

/** What goes wrong with the next calls of a step in which `about` stands; for ever unless told how often. */
export type Trouble = {
  readonly step: string
  readonly about: string
  /**
   * `answers` is only late; `refuses` is a 400; `is busy` a 409, as long as the first call with the same key runs; `fails`
   * a 500, before or after the work was done; `hangs` never answers, before or after; `drops` ends the connection after
   * the work was done.
   */
  readonly does:
    | 'answers'
    | 'refuses'
    | 'is busy'
    | 'fails'
    | 'fails after'
    | 'hangs'
    | 'hangs after'
    | 'drops'
  readonly times?: number
  readonly code?: string
  readonly delayMs?: number
  /** Between the work and the answer, which is old by then. */
  readonly answerDelayMs?: number
}

export async function troubleProvider(...troubles: readonly Trouble[]): Promise<void> {
  await controlProvider('PUT', '/troubles', troubles.map(faultOf))
}

function faultOf({ step, about, does, times, code, delayMs, answerDelayMs }: Trouble): Fault {
  const told = (status: number, type: string, named?: string) => ({
    does: 'answers' as const,
    status,
    json: { error: { type, message: 'The provider says no.', ...(named && { code: named }) } },
  })
  const how: Record<Trouble['does'], Partial<Fault>> = {
    answers: {},
    refuses: told(400, 'invalid_request_error', code ?? 'parameter_invalid'),
    'is busy': told(409, 'idempotency_error', 'idempotency_key_in_use'),
    fails: told(500, 'api_error'),
    'fails after': { ...told(500, 'api_error'), isCarriedOut: true },
    hangs: { does: 'hangs' },
    'hangs after': { does: 'hangs', isCarriedOut: true },
    drops: { does: 'drops', isCarriedOut: true },
  }
  return {
    about: lineOf(step),
    of: about,
    times: times ?? null,
    ...how[does],
    ...(delayMs !== undefined && { delayMs }),
    ...(answerDelayMs !== undefined && { heldMs: answerDelayMs }),
  }
}

/** Of calls with an id in their path only the end is alike. */
function lineOf(step: string): string {
  const [method, name = ''] = step.split(' ')
  const parts = name.split('/')
  const action = NESTED.includes(parts[0]!) ? undefined : parts[1]
  if (action) return `/${action} `
  const isOfOne = method === 'GET' && !['refunds', 'subscriptions', 'prices'].includes(name)
  const version = parts[0] === 'core' ? 'v2' : 'v1'
  return `${method} /${version}/${name}${isOfOne || step === 'POST subscriptions' ? '/' : ' '}`
}

export async function calmProvider(about: string): Promise<void> {
  await controlProvider('DELETE', `/troubles${of(about)}`)
}

/** Sends the service an event of the provider, signed unless `options` spoil it. */
export async function tellService(
  kind: string,
  object: unknown,
  options: Parameters<typeof providerEvent>[2] = {},
): Promise<Answered> {
  return call('POST', PATH, await providerEvent(kind, object, options))
}

const PATH = '/v1/payment-provider/webhook'

let hasEndpoints: string | undefined

/** The provider posts its events where nobody listens, and keeps them for `deliverEvents`. */
export async function setUpEndpoints(): Promise<void> {
  if (hasEndpoints === env.STRIPE_API_BASE) return
  hasEndpoints = env.STRIPE_API_BASE
  await warmUp()
  const endpoint = { url: `https://holdfast.test${PATH}`, secrets: [WEBHOOK_SECRET] }
  await controlProvider('PUT', '/endpoints', [
    { ...endpoint, connect: false },
    { ...endpoint, connect: true },
  ])
}

/** The double reads the types that it checks by when it first needs them: longer, on a busy machine, than a booking waits. */
async function warmUp(): Promise<void> {
  const paths = ['payment_intents', 'payment_intents/pi_none/cancel', 'refunds']
  await Promise.all(paths.map((path) => askProvider('POST', path, { nothing: '1' }).catch(() => {})))
}

/** Brings the service all that the provider posted about something, from the beginning, as often as it is asked. */
export async function deliverEvents(about: string): Promise<Answered[]> {
  const { notifications } = await controlProvider<{ notifications: Json[] }>('GET', of(about))
  const answers: Answered[] = []
  for (const { headers, body } of notifications) answers.push(await call('POST', PATH, { headers, body }))
  return answers
}
