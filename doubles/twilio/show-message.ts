import type { Json } from '../world.ts'
import { countSegments } from './count-segments.ts'
import type { Message, Twilio } from './state.ts'

/** twilio.com/docs/messaging/api/message-resource: numbers are texts, times are those of RFC 2822. */
export function showMessage(twilio: Twilio, message: Message): Json {
  const { accountSid } = twilio.registration
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`
  return {
    body: message.body,
    // With a Messaging Service it is 0 until a sender was chosen.
    num_segments: message.from === null ? '0' : String(countSegments(message.body)),
    direction: message.direction,
    from: message.from,
    to: message.to,
    date_updated: rfc2822(message.updatedAt),
    price: null,
    error_message: null,
    uri: `${uri}.json`,
    account_sid: accountSid,
    num_media: '0',
    status: message.status,
    messaging_service_sid: message.serviceSid,
    sid: message.sid,
    date_sent: message.sentAt === null ? null : rfc2822(message.sentAt),
    date_created: rfc2822(message.createdAt),
    error_code: message.errorCode,
    price_unit: 'USD',
    api_version: '2010-04-01',
    subresource_uris: { media: `${uri}/Media.json` },
  }
}

function rfc2822(at: number): string {
  return new Date(at).toUTCString().replace('GMT', '+0000')
}
