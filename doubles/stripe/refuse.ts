import type { Json, Reply } from '../world.ts'

/** What the API answers instead: `{error: {type, code?, param?, message, …}}`. docs.stripe.com/api/errors */
export class Refusal extends Error {
  readonly status: number
  readonly error: Json
  readonly headers: Readonly<Record<string, string>>
  /** Whether the endpoint had begun its work, so that the answer is kept under the idempotency key. */
  readonly isKept: boolean

  constructor(status: number, error: Json, isKept = true, headers: Record<string, string> = {}) {
    super(error.message)
    this.status = status
    this.error = { type: 'invalid_request_error', ...error }
    this.headers = headers
    this.isKept = isKept
  }
}

/** 400 `invalid_request_error` of an endpoint at work. */
export function refuse(message: string, more: Json = {}): Refusal {
  return new Refusal(400, { message, ...more })
}

/** 400 before an endpoint begins its work: nothing is kept under the key. docs.stripe.com/api/idempotent_requests */
export function refuseParameter(message: string, param: string | undefined, code?: string): Refusal {
  return new Refusal(400, { message, ...(code && { code }), ...(param && { param }) }, false)
}

/** 404 `resource_missing`; stripe/stripe-node#1120 and docs.stripe.com/error-codes#resource-missing */
export function refuseMissing(what: string, id: string, param = 'id', status = 404): Refusal {
  return new Refusal(status, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param })
}

/** `request_log_url` and `doc_url` are in every error; stripe/stripe-php#1374, stripe/stripe-cli#1077 */
export function tellRefusal(refusal: Refusal, requestId: string, now: number): Reply {
  const { code } = refusal.error
  return {
    status: refusal.status,
    json: {
      error: {
        ...refusal.error,
        ...(code && { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}?t=${Math.floor(now / 1000)}`,
      },
    },
    headers: refusal.headers,
  }
}
