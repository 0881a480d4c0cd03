import type { Call, Reply } from '../world.ts'
import { moveMessage } from './move-messages.ts'
import { isOptedOut } from './receive-messages.ts'
import { refuseSending } from './refuse.ts'
import { showMessage } from './show-message.ts'
import { type Message, type MessagingService, newSid, type Twilio } from './state.ts'

const E164 = /^\+[1-9]\d{6,14}$/
/** twilio.com/docs/glossary/what-alphanumeric-sender-id */
const ALPHANUMERIC = /^(?=.*[A-Za-z])[A-Za-z0-9 +\-_&]{1,11}$/

/** POST …/Messages.json: twilio.com/docs/messaging/api/message-resource (create a message). */
export function sendMessage(twilio: Twilio, call: Call): Reply {
  const { registration, settings } = twilio
  const form = new URLSearchParams(call.body)
  const to = (form.get('To') ?? '').replace(/[\s()-]/g, '')
  const from = form.get('From')
  const serviceSid = form.get('MessagingServiceSid')
  const body = form.get('Body') ?? ''
  const statusCallback = form.get('StatusCallback')
  const refuse = (code: number) => refuseSending(code, to, from ?? serviceSid ?? '')
  if (to === '') return refuse(21604)
  if (!from && !serviceSid) return refuse(21603)
  if (body === '' && !form.get('MediaUrl') && !form.get('ContentSid')) return refuse(21602)
  if (body.length > 1600) return refuse(21617)
  if (!E164.test(to)) return refuse(21211)
  if (statusCallback !== null && !/^https?:\/\/[^/]/.test(statusCallback)) return refuse(21609)
  const service = registration.services.find(({ sid }) => sid === serviceSid)
  const code = serviceSid === null ? refusalOf(twilio, from!, to) : refusalOfService(service)
  if (code) return refuse(code)
  if (settings.regions && !settings.regions.some((start) => to.startsWith(start))) return refuse(21408)
  if (settings.refusals[to]) return refuse(settings.refusals[to])
  const isUnsubscribed = isOptedOut(twilio, to, from ?? null, serviceSid)
  const failsLater = serviceSid !== null && settings.serviceOptOut === 'fails later'
  if (isUnsubscribed && !failsLater) return refuse(21610)
  const message: Message = {
    sid: newSid(),
    to,
    from: from ?? null,
    serviceSid,
    body,
    status: serviceSid === null ? 'queued' : 'accepted',
    direction: 'outbound-api',
    errorCode: null,
    statusCallback,
    createdAt: call.now,
    updatedAt: call.now,
    sentAt: null,
  }
  twilio.messages.set(message.sid, message)
  const reply: Reply = { status: 201, json: showMessage(twilio, message) }
  const { outcome } = settings
  if (isUnsubscribed) moveLater(twilio, () => moveMessage(twilio, message, 'failed', { code: 21610 }))
  else if (outcome !== 'waits') moveLater(twilio, () => moveMessage(twilio, message, outcome))
  return reply
}

/** With a delay of 0 a callback can arrive before the answer does. */
function moveLater(twilio: Twilio, move: () => Promise<void>): void {
  if (twilio.settings.callbackDelayMs === 0) void move()
  else setTimeout(move, twilio.settings.callbackDelayMs).unref()
}

function refusalOf(twilio: Twilio, from: string, to: string): number | null {
  const { numbers, alphanumericSenders } = twilio.registration
  if (from === to) return 21266
  if (ALPHANUMERIC.test(from)) {
    if (!alphanumericSenders) return 21606
    // Names do not send to North America: twilio.com/docs/errors/21401
    return to.startsWith('+1') ? 21612 : null
  }
  if (!E164.test(from)) return 21212
  const known = numbers.find(({ number }) => number === from)
  // twilio.com/docs/api/errors/21659; those that cannot send messages are 21606.
  return known === undefined ? 21659 : known.isSmsCapable ? null : 21606
}

function refusalOfService(service: MessagingService | undefined): number | null {
  if (!service) return 21705
  return service.numbers.length === 0 ? 21703 : null
}
