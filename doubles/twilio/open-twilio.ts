import type { Call, OpenWorld, Reply } from '../world.ts'
import { controlTwilio } from './control-twilio.ts'
import { refuseCredentials, refuseMissing, refuseRate } from './refuse.ts'
import { sendMessage } from './send-messages.ts'
import { showMessage } from './show-message.ts'
import { holdTwilio, type Twilio } from './state.ts'

const MESSAGES = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages(?:\/([^/]+))?\.json$/

/** Twilio for one account: the messages of api.twilio.com. */
export const openTwilio: OpenWorld = (frame) => {
  const twilio = holdTwilio(frame)
  return { answer: (call) => answerTwilio(twilio, call), control: (call) => controlTwilio(twilio, call) }
}

function answerTwilio(twilio: Twilio, call: Call): Reply {
  const [, accountSid, sid] = MESSAGES.exec(call.path) ?? []
  if (accountSid === undefined) return refuseMissing(call.path)
  if (accountSid !== twilio.registration.accountSid || !isAllowed(twilio, call)) return refuseCredentials()
  if (isTooFast(twilio, call.now)) return refuseRate()
  if (sid === undefined && call.method === 'POST') return sendMessage(twilio, call)
  const message = twilio.messages.get(sid ?? '')
  if (!message || call.method !== 'GET') return refuseMissing(call.path)
  return { status: 200, json: showMessage(twilio, message) }
}

/** The account and its token, or a key and its secret: twilio.com/docs/usage/requests-to-twilio. */
function isAllowed(twilio: Twilio, { headers }: Call): boolean {
  const { accountSid, authToken, apiKeys } = twilio.registration
  const [, encoded] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? []
  const text = Buffer.from(encoded ?? '', 'base64').toString()
  const at = text.indexOf(':')
  const [user, password] = [text.slice(0, at), text.slice(at + 1)]
  if (user === accountSid) return password === authToken
  return Object.hasOwn(apiKeys, user) && apiKeys[user] === password
}

function isTooFast(twilio: Twilio, now: number): boolean {
  const limit = twilio.settings.requestsPerSecond
  const at = Math.floor(now / 1000)
  if (twilio.second.at !== at) twilio.second = { at, count: 0 }
  twilio.second.count += 1
  return limit !== null && twilio.second.count > limit
}
