import * as z from 'zod'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { notificationsPath } from './notifications-url.ts'
import { receiveFromGoogle } from './receive-google.ts'
import { receiveFromMicrosoft } from './receive-microsoft.ts'

const ValidationQuery = z.object({
  validationToken: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({ description: 'Answered as plain text, so that Microsoft 365 knows whose address this is.' }),
})

/** Callers prove themselves by the secret of a channel, and never learn whether a channel exists. */
const common = {
  method: 'POST',
  tag: 'Calendars',
  auth: 'none',
  permission: 'anyone',
  scope: 'shared',
  limit: 'uncounted',
  // An Idempotency-Key keeps nothing before the proof.
  idempotency: 'by-verb',
  ignoresUnknownQuery: true,
  isProvedByContent: true,
} as const

export const channelRoutes = defineRoutes({
  receiveGoogleNotification: defineRoute({
    ...common,
    path: notificationsPath('calendar_a'),
    summary: 'Take in a notification of Google',
    description:
      'For Google only, which tells that something changed in a connected calendar, proved by its `X-Goog-Channel-Token`. The calendar is asked soon after. A channel that is unknown, such as one that ended, is answered alike.',
    request: {},
    response: { status: 204 },
    errors: ['validation_error', 'not_found', 'conflict'],
    handler: receiveFromGoogle,
  }),
  receiveMicrosoftNotifications: defineRoute({
    ...common,
    path: notificationsPath('calendar_b'),
    summary: 'Take in notifications of Microsoft 365',
    description:
      'For Microsoft 365 only, which tells that something changed in connected calendars or with its subscriptions, each proved by its `clientState`. The calendars are asked soon after. A subscription that is unknown, such as one that ended, is answered alike.',
    request: { query: ValidationQuery },
    response: {
      status: 204,
      otherwise: { status: 200, means: 'The validation token, as plain text.', isText: true },
    },
    errors: ['validation_error', 'not_found', 'conflict'],
    handler: (ctx, { query }) => receiveFromMicrosoft(ctx, query.validationToken),
  }),
})
