import { createHmac, randomBytes } from 'node:crypto'
import type { Json, Reply } from '../world.ts'
import { randomId, type User, type Zoom } from './state.ts'

/**
 * `app_deauthorized`: marketplace.zoom.us/docs/api-reference/webhook-reference/app-events/app-deauthorized and
 * marketplace.zoom.us/docs/guides/auth/deauthorization. The payload's `signature` is not one of the request
 * (devforum.zoom.us/t/for-app-deauthorized-events-what-is-the-signature-generated-from/44851).
 */
export function tellRemoval(zoom: Zoom, user: User): void {
  const { notificationUrl, clientId } = zoom.registration
  if (notificationUrl === null) return
  const body = JSON.stringify({
    event: 'app_deauthorized',
    event_ts: zoom.frame.now(),
    payload: {
      user_data_retention: 'false',
      account_id: user.accountId,
      user_id: user.id,
      signature: randomBytes(32).toString('hex'),
      deauthorization_time: new Date(zoom.frame.now()).toISOString(),
      client_id: clientId,
    },
  })
  zoom.frame.notify(notificationUrl, headersOf(zoom, body), body)
}

/**
 * What Zoom asks when a developer enters a URL, and every 72 hours: developers.zoom.us/docs/api/webhooks (validate your
 * webhook endpoint). The answer has the token and its HMAC with the secret token, within three seconds and with 200 or 204.
 */
export async function validateEndpoint(zoom: Zoom, url: string): Promise<Reply> {
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname))
    return { status: 400, json: { error: 'Must be on this machine.' } }
  const plainToken = randomBytes(16).toString('base64url')
  const body = JSON.stringify({
    event: 'endpoint.url_validation',
    event_ts: zoom.frame.now(),
    payload: { plainToken },
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(zoom, body),
      body,
      signal: AbortSignal.timeout(3000),
    })
    const text = await response.text()
    const encryptedToken = hmac(zoom, plainToken)
    const told = parse(text)
    const isValid =
      response.status === 200 && told.plainToken === plainToken && told.encryptedToken === encryptedToken
    return { status: 200, json: { isValid, status: response.status, body: text } }
  } catch (error) {
    return { status: 200, json: { isValid: false, status: null, body: String(error) } }
  }
}

/**
 * `v0=` and the HMAC of `v0:<timestamp>:<body>`, with the timestamp in seconds; and the older verification token.
 * developers.zoom.us/docs/api/webhooks (verify with Zoom's header)
 */
function headersOf(zoom: Zoom, body: string): Record<string, string> {
  const timestamp = String(Math.floor(zoom.frame.now() / 1000))
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Zoom Marketplace/1.0a',
    clientid: zoom.registration.clientId,
    authorization: zoom.registration.verificationToken,
    'x-zm-request-timestamp': timestamp,
    'x-zm-signature': `v0=${hmac(zoom, `v0:${timestamp}:${body}`)}`,
    'x-zm-trackingid': `WEB_${randomId()}`,
  }
}

function hmac(zoom: Zoom, text: string): string {
  return createHmac('sha256', zoom.registration.secretToken).update(text).digest('hex')
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
