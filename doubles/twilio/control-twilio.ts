import { DONE, NO_CONTROL, put, wrong } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { moveMessage, type Outcome } from './move-messages.ts'
import { receiveMessage } from './receive-messages.ts'
import { showMessage } from './show-message.ts'
import type { Twilio } from './state.ts'

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  deliver: 'delivered',
  undeliver: 'undelivered',
  fail: 'failed',
}

/** What a test does as the owner of the account, as a carrier or as a person with a phone. */
export async function controlTwilio(twilio: Twilio, call: Call): Promise<Reply> {
  const json: Json = call.body ? JSON.parse(call.body) : {}
  const [, sid, act] = /^\/messages\/([^/]+)\/(deliver|undeliver|fail)$/.exec(call.path) ?? []
  if (sid !== undefined && call.method === 'POST') {
    const message = twilio.messages.get(sid)
    if (!message) return wrong('There is no such message.')
    await moveMessage(twilio, message, OUTCOMES[act!]!, json)
    return DONE
  }
  switch (`${call.method} ${call.path}`) {
    case 'GET ':
      return {
        status: 200,
        json: {
          messages: [...twilio.messages.values()].map((message) => showMessage(twilio, message)),
          optOuts: [...twilio.optOuts],
          settings: twilio.settings,
          registration: twilio.registration,
        },
      }
    case 'PUT ':
      return put(twilio.settings, json)
    case 'PUT /registration':
      return put(twilio.registration, json)
    case 'POST /receive': {
      if (!twilio.registration.numbers.some(({ number }) => number === json.to))
        return wrong('`to` must be a number of the account.')
      const { sid: received } = await receiveMessage(twilio, json.from, json.to, json.body)
      return { status: 201, json: { sid: received } }
    }
    default:
      return NO_CONTROL
  }
}
