import { createHmac, randomUUID } from 'node:crypto'
import type { Message, Twilio } from './state.ts'

type Parameters = Readonly<Record<string, string>>

/**
 * Posts a form to a webhook: twilio.com/docs/usage/security (X-Twilio-Signature). The signature is over the URL as it is
 * set, with its query, and each parameter in the order of the names.
 */
export function postForm(twilio: Twilio, url: string, parameters: Parameters) {
  return twilio.frame.notify(
    url,
    {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'user-agent': 'TwilioProxy/1.1',
      'x-twilio-signature': sign(twilio, url, parameters),
      // twilio.com/docs/usage/webhooks/webhooks-connection-overrides
      'i-twilio-idempotency-token': randomUUID(),
    },
    new URLSearchParams(parameters).toString(),
  )
}

function sign(twilio: Twilio, url: string, parameters: Parameters): string {
  // Its own libraries try both, with and without the port: twilio-node, lib/webhooks/webhooks.js
  const signed = twilio.settings.signedPort === 'left out' ? url.replace(/^(\w+:\/\/[^/:]+):\d+/, '$1') : url
  const pairs = Object.keys(parameters)
    .sort()
    .map((name) => name + parameters[name])
  return createHmac('sha1', twilio.registration.authToken)
    .update(signed + pairs.join(''))
    .digest('base64')
}

/** twilio.com/docs/messaging/guides/track-outbound-message-status (parameters of status callbacks) */
export async function tellStatus(twilio: Twilio, message: Message, status = message.status): Promise<void> {
  const service = twilio.registration.services.find(({ sid }) => sid === message.serviceSid)
  const url = message.statusCallback ?? service?.statusCallback ?? null
  if (url === null) return
  const isOver = status === 'delivered' || status === 'undelivered'
  await postForm(twilio, url, {
    AccountSid: twilio.registration.accountSid,
    ApiVersion: '2010-04-01',
    ...(message.from !== null && { From: message.from }),
    MessageSid: message.sid,
    MessageStatus: status,
    ...(message.serviceSid !== null && { MessagingServiceSid: message.serviceSid }),
    SmsSid: message.sid,
    SmsStatus: status,
    To: message.to,
    ...(message.errorCode !== null &&
      (status === 'undelivered' || status === 'failed') && { ErrorCode: String(message.errorCode) }),
    // twilio.com/en-us/changelog/addition-of-rawdlrdonedate-to-delivered-and-undelivered-status-webhooks
    ...(isOver && { RawDlrDoneDate: minuteOf(message.updatedAt) }),
  })
}

/** `YYMMDDhhmm` */
function minuteOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').slice(2, 12)
}
