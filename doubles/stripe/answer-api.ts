import type { Call, Json, Reply } from '../world.ts'
import { refuseTypes } from './allow-methods.ts'
import { refuseAccount } from './answer-accounts.ts'
import { BILLING_ENDPOINTS } from './billing-endpoints.ts'
import { checkParameters } from './check-parameters.ts'
import { type Endpoint, PAYMENT_ENDPOINTS } from './endpoints.ts'
import { expand } from './find-objects.ts'
import { makeId } from './make-ids.ts'
import { readForm, readJson } from './read-form.ts'
import { Refusal, tellRefusal } from './refuse.ts'
import { shapeOf } from './resolve-types.ts'
import { API_VERSION, type Caller, type Stripe } from './state.ts'
import { answerOnce } from './store-responses.ts'

const ENDPOINTS: readonly Endpoint[] = [...PAYMENT_ENDPOINTS, ...BILLING_ENDPOINTS]

/** What is at api.stripe.com/v1 and /v2. */
export async function answerApi(stripe: Stripe, call: Call): Promise<Reply> {
  const requestId = makeId('req')
  const headers: Record<string, string> = { 'Request-Id': requestId, 'Stripe-Version': API_VERSION }
  try {
    const key = authenticate(call)
    const version = call.headers['stripe-version']
    if (version && version !== API_VERSION)
      throw new Refusal(400, { message: `Invalid Stripe API version: ${version}` }, false)
    const account = call.headers['stripe-account'] ?? stripe.platform
    if (!stripe.objects.has(account) || stripe.deauthorized.has(account)) throw refuseAccount(account)
    if (account !== stripe.platform) headers['Stripe-Account'] = account
    const [endpoint, id] = route(call)
    const idempotencyKey = call.method === 'POST' ? (call.headers['idempotency-key'] ?? null) : null
    if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey
    const form = formOf(call)
    checkType(call)
    const now = Math.floor(call.now / 1000)
    const caller: Caller = {
      stripe,
      account,
      now,
      request: { id: requestId, idempotency_key: idempotencyKey },
    }
    const answered = await answerOnce(caller, `${key} ${account} ${idempotencyKey}`, call.path, form, () =>
      perform(caller, endpoint, id, form),
    )
    if (answered.original) {
      headers['Idempotent-Replayed'] = 'true'
      headers['Original-Request'] = answered.original
    }
    if (answered.refusal) throw answered.refusal
    return { status: 200, json: answered.json, headers }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reply = tellRefusal(error, requestId, call.now)
    return { ...reply, headers: { ...headers, ...reply.headers } }
  }
}

function perform(
  caller: Caller,
  { file, parameters: name, does }: Endpoint,
  id: string,
  form: URLSearchParams,
): Json {
  const told = readForm(form)
  if (name.startsWith('PaymentIntent') && 'payment_method_types' in told) throw refuseTypes()
  const parameters = checkParameters(told, shapeOf(file, name))
  return expand(caller, does(caller, parameters, id), parameters.expand)
}

/** `Authorization: Bearer sk_…`, or Basic with the key as the user. docs.stripe.com/api/authentication */
function authenticate({ headers }: Call): string {
  const [scheme = '', told = ''] = (headers.authorization ?? '').split(' ')
  const key = scheme.toLowerCase() === 'basic' ? (atob(told).split(':')[0] ?? '') : told
  const challenge = { 'WWW-Authenticate': 'Basic realm="Stripe"' }
  if (!key)
    throw new Refusal(
      401,
      {
        message:
          "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
      },
      false,
      challenge,
    )
  if (key.startsWith('pk_'))
    throw new Refusal(
      401,
      {
        code: 'secret_key_required',
        message:
          'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      },
      false,
    )
  const isKnown = /^(sk|rk)_test_\w+$/.test(key)
  if (!isKnown)
    throw new Refusal(
      401,
      { message: `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}` },
      false,
      challenge,
    )
  return key
}

/** vapor-community/stripe-kit#243 */
function route({ method, path }: Call): readonly [Endpoint, string] {
  for (const endpoint of ENDPOINTS) {
    const [verb, pattern = ''] = endpoint.line.split(' ')
    const match = new RegExp(`^${pattern.replace('{id}', '([^/]+)')}$`).exec(path)
    if (verb === method && match) return [endpoint, decodeURIComponent(match[1] ?? '')]
  }
  throw new Refusal(
    404,
    {
      message: `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove the trailing slash. If you are trying to retrieve an object, make sure you passed a valid (non-empty) identifier in your code. Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    },
    false,
  )
}

function formOf({ method, path, query, body }: Call): URLSearchParams {
  if (method !== 'POST') return query
  return path.startsWith('/v2/') ? readJson(body) : new URLSearchParams(body)
}

/** v1 takes forms only, v2 JSON only. docs.stripe.com/api; docs.stripe.com/api-v2-overview */
function checkType({ method, path, headers, body }: Call): void {
  const type = headers['content-type'] ?? ''
  if (path.startsWith('/v2/')) {
    if (method === 'POST' && !type.startsWith('application/json'))
      throw new Refusal(400, { message: 'POST requests to v2 take application/json.' }, false)
    return
  }
  if (method === 'POST' && body && !type.startsWith('application/x-www-form-urlencoded'))
    throw new Refusal(
      400,
      {
        message: `Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.`,
      },
      false,
    )
}
