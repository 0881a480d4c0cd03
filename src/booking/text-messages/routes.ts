import * as z from 'zod'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { receiveInbound, receiveStatus } from './receive.ts'

const StatusQuery = z.object({
  id: z.string().max(64).optional().describe('The text message.'),
})

/** Callers prove themselves by a signature, and never learn whether there is a message. */
const common = {
  method: 'POST',
  tag: 'Text messages',
  auth: 'none',
  permission: 'anyone',
  scope: 'shared',
  limit: 'uncounted',
  idempotency: 'by-verb',
  isProvedByContent: true,
} as const

export const textMessageRoutes = defineRoutes({
  receiveTextStatus: defineRoute({
    ...common,
    path: '/v1/sms/twilio/status',
    summary: 'Receive the status of a text message',
    description:
      'For Twilio only, verified by its `X-Twilio-Signature` over the address at `PUBLIC_URL`. Reports may be repeated and arrive in any order.',
    request: { query: StatusQuery, ofProvider: 'A form of Twilio.' },
    response: { status: 204 },
    errors: ['validation_error', 'not_found', 'conflict'],
    handler: (ctx, { query }) => receiveStatus(ctx, query.id),
  }),
  receiveTextMessage: defineRoute({
    ...common,
    path: '/v1/sms/twilio/inbound',
    summary: 'Receive a text message',
    description:
      'For Twilio only, verified in the same way. STOP and its synonyms end all text messages to the number, START begins them again; other messages are ignored.',
    request: { ofProvider: 'A form of Twilio.' },
    response: { status: 204 },
    errors: ['validation_error', 'not_found', 'conflict'],
    handler: (ctx) => receiveInbound(ctx),
  }),
})
