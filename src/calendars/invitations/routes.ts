import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { inviteToConnect } from './invite-to-connect.ts'
import { CalendarInvitation, InviteToConnectInput } from './schema.ts'

export const calendarInvitationRoutes = defineRoutes({
  inviteToConnect: defineRoute({
    method: 'POST',
    path: '/v1/calendars/invitations',
    tag: 'Calendars',
    summary: 'Invite a member to connect their calendar',
    description:
      'Sends them an email in their language, with a link to the console where they sign in and connect their own calendar. The link does not expire. An address gets at most 20 emails a day.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { body: InviteToConnectInput },
    response: { status: 202, body: CalendarInvitation },
    errors: [
      'validation_error',
      'unauthorized',
      'forbidden',
      'org_suspended',
      'not_found',
      'conflict',
      'rate_limit_exceeded',
    ],
    handler: (ctx, { body }) => inviteToConnect(ctx, body),
  }),
})
