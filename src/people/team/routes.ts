import { openDb } from '../../platform/db/client.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { acceptInvitation } from './invitations/accept-invitation.ts'
import { createInvitation } from './invitations/create-invitation.ts'
import { listPendingInvitationsInTenant } from './invitations/queries.ts'
import { revokeInvitation } from './invitations/revoke-invitation.ts'
import { memberRoutes } from './member-routes.ts'
import { assertOwnOrganization } from './own-organization.ts'
import { presentInvitation } from './present.ts'
import {
  AcceptInvitationInput,
  CreatedInvitation,
  CreateInvitationInput,
  InvitationList,
  InvitationParams,
  Member,
  TeamParams,
} from './schema.ts'

export const teamRoutes = defineRoutes({
  ...memberRoutes,
  createInvitation: defineRoute({
    method: 'POST',
    path: '/v1/organizations/:orgId/invitations',
    tag: 'Team',
    summary: 'Invite a person',
    description: 'Sends an email with the token that accepts the invitation within 7 days.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { params: TeamParams, body: CreateInvitationInput },
    response: { status: 201, body: CreatedInvitation },
    errors: [
      'validation_error',
      'unauthorized',
      'forbidden',
      'plan_limit_exceeded',
      'org_suspended',
      'not_found',
      'conflict',
    ],
    handler: async (ctx, { params, body }) => {
      assertOwnOrganization(ctx, params.orgId)
      return createInvitation(ctx, body)
    },
  }),
  listInvitations: defineRoute({
    method: 'GET',
    path: '/v1/organizations/:orgId/invitations',
    tag: 'Team',
    summary: 'List pending invitations',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: TeamParams },
    response: { status: 200, body: InvitationList },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      assertOwnOrganization(ctx, params.orgId)
      const rows = await listPendingInvitationsInTenant(openDb(ctx.env, 'decide'), ctx.caller, ctx.now)
      return { data: rows.map((row) => presentInvitation(row, ctx.now)) }
    },
  }),
  revokeInvitation: defineRoute({
    method: 'DELETE',
    path: '/v1/organizations/:orgId/invitations/:invitationId',
    tag: 'Team',
    summary: 'Revoke an invitation',
    description: 'Its token no longer works. Revoking twice is harmless.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { params: InvitationParams },
    response: { status: 204 },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      assertOwnOrganization(ctx, params.orgId)
      await revokeInvitation(ctx, params.invitationId)
      return undefined
    },
  }),
  acceptInvitation: defineRoute({
    method: 'POST',
    path: '/v1/invitations/accept',
    tag: 'Team',
    summary: 'Accept an invitation',
    description:
      'Makes the user a member with the role of the invitation. Takes the service key without `X-Org-Id`, or a key of the inviting organization. `user_email` is the invited address, in any letter case; with the service key and the user as `X-User-Id` it may be another.',
    auth: 'key-or-operator',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { body: AcceptInvitationInput },
    response: { status: 200, body: Member },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'plan_limit_exceeded',
      'not_found',
      'conflict',
    ],
    handler: (ctx, { body }) => acceptInvitation(ctx, body),
  }),
})
