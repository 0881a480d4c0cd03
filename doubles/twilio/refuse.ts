import type { Json, Reply } from '../world.ts'

/** The API's form of a refusal: twilio.com/docs/usage/twilios-response. */
export function refuse(status: number, code: number, message: string, more: Json = {}): Reply {
  return {
    status,
    json: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status, ...more },
  }
}

/** twilio.com/docs/api/errors/20003; `detail` in answers to wrong credentials: twilio/twilio-python#42. */
export function refuseCredentials(): Reply {
  return {
    ...refuse(401, 20003, 'Authenticate', { detail: 'Your AccountSid or AuthToken was incorrect.' }),
    headers: { 'WWW-Authenticate': 'Basic realm="Twilio API"' },
  }
}

/** twilio.com/docs/api/errors/20429; twilio-labs/serverless-api#37 */
export const refuseRate = (): Reply => refuse(429, 20429, 'Too Many Requests')

export const refuseMissing = (path: string): Reply =>
  refuse(404, 20404, `The requested resource ${path} was not found`)

/** What sending to `to` from `from` is refused with: the pages of twilio.com/docs/api/errors. */
export function refuseSending(code: number, to: string, from = ''): Reply {
  const message: Record<number, string> = {
    21211: `Invalid 'To' Phone Number: ${to}`,
    21212: `Invalid From Number (caller ID): ${from}`,
    21266: "'To' and 'From' number cannot be the same: ".concat(to),
    21408: `Permission to send an SMS has not been enabled for the region indicated by the 'To' number: ${to}`,
    21602: 'Message body is required.',
    21603: "A 'From' phone number is required.",
    21604: "A 'To' phone number is required.",
    21606: `The 'From' phone number ${from} is not a valid, SMS-capable inbound phone number or short code for your account.`,
    21608: `The number ${to} is unverified. Trial accounts cannot send messages to unverified numbers.`,
    21609: "The 'StatusCallback' URL is not a valid URL.",
    21610: 'Attempt to send to unsubscribed recipient',
    21612: `The 'To' phone number: ${to}, is not currently reachable using the 'From' phone number: ${from} via SMS.`,
    21614: `To number: ${to}, is not a mobile number`,
    21617: 'The concatenated message body exceeds the 1600 character limit',
    21659: `'From' ${from} is not a Twilio phone number or Short Code country mismatch`,
    21703: 'The Messaging Service does not have a phone number available to send a message',
    21705: `The Messaging Service Sid ${from} is invalid.`,
  }
  return refuse(400, code, message[code] ?? `Cannot send a message to ${to}`)
}
