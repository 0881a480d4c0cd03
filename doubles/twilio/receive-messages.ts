import { countSegments } from './count-segments.ts'
import { postForm } from './notify-webhooks.ts'
import { type Message, newSid, serviceOf, type Twilio } from './state.ts'

type OptOutType = 'STOP' | 'START' | 'HELP'

/** help.twilio.com/articles/223134027; twilio.com/docs/messaging/tutorials/advanced-opt-out (REVOKE, OPTOUT) */
const KEYWORDS: Readonly<Record<OptOutType, readonly string[]>> = {
  STOP: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  START: ['START', 'YES', 'UNSTOP'],
  HELP: ['HELP', 'INFO'],
}

const REPLIES: Readonly<Record<OptOutType, string>> = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  START:
    'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.',
  HELP: 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.',
}

/** Only a keyword alone counts, in whatever case: «STOP PLEASE» does not. */
const optOutTypeOf = (body: string): OptOutType | null =>
  (Object.keys(KEYWORDS) as OptOutType[]).find((type) =>
    KEYWORDS[type].includes(body.trim().toUpperCase()),
  ) ?? null

/** The Messaging Service that the number belongs to, all of whose numbers are meant, or the number alone. */
function senderKey(twilio: Twilio, number: string | null, serviceSid: string | null, person: string): string {
  return `${serviceSid ?? serviceOf(twilio, number)?.sid ?? number} ${person}`
}

export function isOptedOut(
  twilio: Twilio,
  person: string,
  number: string | null,
  serviceSid: string | null,
): boolean {
  return twilio.optOuts.has(senderKey(twilio, number, serviceSid, person))
}

/**
 * A person writes to a number of the account. The keyword acts first, and is forwarded like every message, then the person
 * gets Twilio's reply. Without Advanced Opt-Out nothing in the webhook says that it was a keyword.
 */
export async function receiveMessage(
  twilio: Twilio,
  from: string,
  to: string,
  body: string,
): Promise<Message> {
  const service = serviceOf(twilio, to)
  const type = optOutTypeOf(body)
  const key = senderKey(twilio, to, null, from)
  const wasOptedOut = twilio.optOuts.has(key)
  if (type === 'STOP') twilio.optOuts.add(key)
  if (type === 'START') twilio.optOuts.delete(key)
  const message = keep(twilio, { from, to, body, direction: 'inbound', status: 'received' })
  const number = twilio.registration.numbers.find((one) => one.number === to)
  const url = service?.inboundUrl ?? number?.inboundUrl ?? null
  if (url !== null) await postForm(twilio, url, inboundParameters(twilio, message, type))
  // A keyword that changes nothing gets no reply.
  const isReplied = type === 'HELP' || (type === 'STOP' && !wasOptedOut) || (type === 'START' && wasOptedOut)
  if (type && isReplied)
    keep(twilio, {
      from: to,
      to: from,
      body: REPLIES[type],
      direction: 'outbound-reply',
      status: 'delivered',
    })
  return message
}

function keep(twilio: Twilio, said: Pick<Message, 'from' | 'to' | 'body' | 'direction' | 'status'>): Message {
  const now = twilio.frame.now()
  const message: Message = {
    sid: newSid(),
    ...said,
    serviceSid: serviceOf(twilio, said.direction === 'inbound' ? said.to : said.from)?.sid ?? null,
    errorCode: null,
    statusCallback: null,
    createdAt: now,
    updatedAt: now,
    sentAt: now,
  }
  twilio.messages.set(message.sid, message)
  return message
}

/** twilio.com/docs/messaging/guides/webhook-request; where a number is not located, the places are empty. */
function inboundParameters(twilio: Twilio, message: Message, type: OptOutType | null) {
  return {
    ToCountry: 'US',
    ToState: '',
    SmsMessageSid: message.sid,
    NumMedia: '0',
    ToCity: '',
    FromZip: '',
    SmsSid: message.sid,
    FromState: '',
    SmsStatus: 'received',
    FromCity: '',
    Body: message.body,
    FromCountry: message.from?.startsWith('+49') ? 'DE' : 'US',
    To: message.to,
    ...(message.serviceSid !== null && { MessagingServiceSid: message.serviceSid }),
    ...(type && message.serviceSid !== null && twilio.settings.advancedOptOut && { OptOutType: type }),
    ToZip: '',
    NumSegments: String(countSegments(message.body)),
    MessageSid: message.sid,
    AccountSid: twilio.registration.accountSid,
    From: message.from ?? '',
    ApiVersion: '2010-04-01',
  }
}
