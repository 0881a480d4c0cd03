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
    .meta({ description: 'A plain-text response, with which Microsoft 365 verifies the address.' }),
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
    summary: 'Receive a Google notification',
    description:
      'For Google only: notifies of a change in a connected calendar, verified by its `X-Goog-Channel-Token`. The calendar is synced soon after. An unknown channel, such as an ended one, gets the same response.',
    request: {},
    response: { status: 204 },
    errors: ['validation_error', 'not_found', 'conflict'],
    handler: receiveFromGoogle,
  }),
  receiveMicrosoftNotifications: defineRoute({
    ...common,
    path: notificationsPath('calendar_b'),
    summary: 'Receive Microsoft 365 notifications',
    description:
      'For Microsoft 365 only: notifies of changes in connected calendars or of its subscriptions, each verified by its `clientState`. The calendars are synced soon after. An unknown subscription, such as an ended one, gets the same response.',
    request: { query: ValidationQuery, ofProvider: 'Notifications of Microsoft Graph.' },
    response: {
      status: 204,
      otherwise: { status: 200, means: 'The validation token, as plain text.', isText: true },
    },
    errors: ['validation_error', 'not_found', 'conflict'],
    handler: (ctx, { query }) => receiveFromMicrosoft(ctx, query.validationToken),
  }),
})
