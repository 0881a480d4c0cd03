import type { Fetch } from '../../../platform/transport/fetch.ts'
import { TextError, type TextMessage, type TextProvider } from './text-provider.ts'

/*
 * Twilio's Messages API. Sources: https://www.twilio.com/docs/messaging/api/message-resource,
 * https://www.twilio.com/docs/api/errors
 */

export type TwilioSettings = {
  readonly accountSid: string
  readonly authToken: string
  /** One of them: a number, or a messaging service. */
  readonly from?: string | undefined
  readonly messagingServiceSid?: string | undefined
  readonly apiBase: string
}

const TIMEOUT_MS = 10_000
const OPTED_OUT = 21610
const TOO_MANY_REQUESTS = 429

export function twilioProvider(settings: TwilioSettings, fetch: Fetch): TextProvider {
  const sender = settings.messagingServiceSid ?? settings.from ?? ''
  return { sender, send: (message) => send(settings, fetch, message) }
}

async function send(
  { accountSid, authToken, from, messagingServiceSid, apiBase }: TwilioSettings,
  fetch: Fetch,
  { to, body, statusUrl }: TextMessage,
) {
  const form = new URLSearchParams({ To: to, Body: body, StatusCallback: statusUrl })
  if (messagingServiceSid) form.set('MessagingServiceSid', messagingServiceSid)
  else form.set('From', from ?? '')
  const url = `${apiBase}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
  let answer: Response
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new TextError('unreachable')
  }
  const told = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
  if (!answer.ok) throw errorOf(answer, told)
  if (typeof told.sid !== 'string') throw new TextError('unreadable')
  // A messaging service counts segments later and says 0 until then.
  const segments = Number(told.num_segments)
  return { id: told.sid, segments: segments > 0 ? segments : null }
}

/** A refusal of the message is final; a refusal of the account or of the pace is not. */
function errorOf({ status, headers }: Response, { code }: Readonly<Record<string, unknown>>): TextError {
  const isOfMessage = status === 400
  return new TextError(typeof code === 'number' ? String(code) : `http_${status}`, {
    isFinal: isOfMessage,
    isOptOut: code === OPTED_OUT,
    retryAfterSeconds: status === TOO_MANY_REQUESTS ? Number(headers.get('retry-after')) || 0 : 0,
  })
}
