import { randomBytes } from 'node:crypto'
import { badRequest, type Refusal } from './graph-reply.ts'
import type { State } from './state.ts'

const isHere = ({ hostname }: URL) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)

const failed = (why: string): Refusal =>
  badRequest(
    `Subscription validation request ${why} Notification endpoint must respond with 200 OK to validation request.`,
    'ValidationError',
  )

/** http is refused, but for this machine, where the double lives: microsoftgraph/microsoft-graph-docs#2751 */
function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw badRequest('NotificationUrl is not a valid URL.', 'InvalidRequest')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !isHere(url)) {
    throw badRequest(
      `NotificationUrl scheme='${url.protocol.slice(0, -1)}' is not supported.`,
      'InvalidRequest',
    )
  }
  return url
}

const REASONS: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  500: 'InternalServerError',
}

/**
 * Posts a token that must come back within ten seconds: 200, `text/plain`, and the token as it is, not percent-encoded.
 * URLs of other machines are taken on trust, for the double never leaves this one.
 * learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
 */
export async function validateUrl(state: State, text: string): Promise<void> {
  const url = urlOf(text)
  if (!isHere(url)) return
  // Its colon, blanks and plus signs return wrong from receivers that decode the query twice or not at all.
  const token = `Validation: Testing client application reachability for subscription Request-Id: ${randomBytes(9).toString('base64')}+`
  url.search += `${url.search ? '&' : '?'}validationToken=${encodeURIComponent(token)}`
  const record = {
    url: url.href,
    status: null as number | string | null,
    contentType: null as string | null,
    isEchoed: false,
  }
  state.validations.push(record)
  const response = await fetch(url.href, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    signal: AbortSignal.timeout(10_000),
  }).catch((error: Error) => error)
  if (response instanceof Error) {
    record.status = response.name === 'TimeoutError' ? 'timed out' : 'unreachable'
    throw failed(response.name === 'TimeoutError' ? 'timed out.' : 'failed.')
  }
  const body = await response.text().catch(() => '')
  record.status = response.status
  record.contentType = response.headers.get('content-type')
  record.isEchoed = body === token
  if (response.status !== 200) {
    throw failed(`failed. HTTP status code is '${REASONS[response.status] ?? response.status}'.`)
  }
  if (!record.contentType?.startsWith('text/plain') || !record.isEchoed) throw failed('failed.')
}
