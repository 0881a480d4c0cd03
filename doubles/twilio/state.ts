import { randomBytes } from 'node:crypto'
import type { Frame } from '../world.ts'

/** What `PUT /control` changes. */
export type Settings = {
  /** What becomes of a message that was accepted; `waits` until `/control/messages/…` decides. */
  outcome: 'delivered' | 'undelivered' | 'failed' | 'waits'
  /** Of messages that are not delivered: twilio.com/docs/api/errors (30001 to 30999). */
  outcomeCode: number
  /** Between the answer and the first callback. */
  callbackDelayMs: number
  /** Codes that sending to a number is refused with. */
  refusals: Record<string, number>
  /** Beginnings of the numbers that the account may send to; null for all. 21408 for others. */
  regions: string[] | null
  /** Requests in a second; null for no limit. */
  requestsPerSecond: number | null
  /** Whether a message to an unsubscribed person is refused, or accepted and failed later, with a Messaging Service. */
  serviceOptOut: 'is refused' | 'fails later'
  /** Whether the port of a URL is part of what is signed. */
  signedPort: 'as given' | 'left out'
  /** Advanced Opt-Out: `OptOutType` in what Messaging Services forward. */
  advancedOptOut: boolean
}

export type PhoneNumber = { number: string; inboundUrl: string | null; isSmsCapable: boolean }

export type MessagingService = {
  sid: string
  numbers: string[]
  inboundUrl: string | null
  statusCallback: string | null
}

/** What `PUT /control/registration` changes: the account as its owner keeps it in the Console. */
export type Registration = {
  accountSid: string
  authToken: string
  /** Secrets by the SID of their key. */
  apiKeys: Record<string, string>
  numbers: PhoneNumber[]
  services: MessagingService[]
  /** Names that may send instead of a number, where the country allows. */
  alphanumericSenders: boolean
}

export type Status = 'accepted' | 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received'

export type Message = {
  sid: string
  to: string
  /** Null until a Messaging Service chose one. */
  from: string | null
  serviceSid: string | null
  body: string
  status: Status
  direction: 'outbound-api' | 'outbound-reply' | 'inbound'
  errorCode: number | null
  statusCallback: string | null
  createdAt: number
  updatedAt: number
  sentAt: number | null
}

export type Twilio = {
  readonly frame: Frame
  settings: Settings
  registration: Registration
  readonly messages: Map<string, Message>
  /** `<sender number or service> <person>` */
  readonly optOuts: Set<string>
  second: { at: number; count: number }
}

const SERVICE = `MG${'d0'.repeat(16)}`

/** twilio.com/docs/iam/test-credentials: numbers that are refused, each for one reason. */
const REFUSALS: Record<string, number> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
}

export function holdTwilio(frame: Frame): Twilio {
  return {
    frame,
    settings: {
      outcome: 'delivered',
      outcomeCode: 30003,
      callbackDelayMs: 50,
      refusals: { ...REFUSALS },
      regions: null,
      requestsPerSecond: null,
      serviceOptOut: 'is refused',
      signedPort: 'as given',
      advancedOptOut: false,
    },
    registration: {
      accountSid: `AC${'d0'.repeat(16)}`,
      authToken: 'double-auth-token-of-32-letters1',
      apiKeys: { [`SK${'d0'.repeat(16)}`]: 'double-api-key-secret' },
      numbers: ['+15005550006', '+15005550010', '+15005550011'].map((number) => ({
        number,
        inboundUrl: null,
        isSmsCapable: true,
      })),
      services: [
        { sid: SERVICE, numbers: ['+15005550010', '+15005550011'], inboundUrl: null, statusCallback: null },
      ],
      alphanumericSenders: true,
    },
    messages: new Map(),
    optOuts: new Set(),
    second: { at: 0, count: 0 },
  }
}

/** `SM` and 32 hexadecimal digits. */
export const newSid = (): string => `SM${randomBytes(16).toString('hex')}`

export function serviceOf(twilio: Twilio, number: string | null): MessagingService | undefined {
  return twilio.registration.services.find(({ numbers }) => number !== null && numbers.includes(number))
}
