import { openDb } from '../../platform/db/client.ts'
import { askAll, seek } from '../../platform/db/shards.ts'
import { notFound } from '../../platform/http/errors.ts'
import { expectedBy, IfMatch, tagged } from '../../platform/http/if-match.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { assertMemberMay } from '../team/assert-member-may.ts'
import { createOrganization } from './create-organization.ts'
import { presentOrganization, presentSummary } from './present.ts'
import { findOrganizationOfOwner, listOrganizationsOfUser } from './queries.ts'
import {
  CreateOrganizationInput,
  Organization,
  OrganizationParams,
  OrganizationSummaryList,
  OwnerQuery,
  UpdateOrganizationInput,
  UserHeaders,
} from './schema.ts'
import { updateOrganization } from './update-organization.ts'

export const organizationRoutes = defineRoutes({
  createOrganization: defineRoute({
    method: 'POST',
    path: '/v1/organizations',
    tag: 'Organizations',
    summary: 'Create an organization',
    description: 'On behalf of a user (`X-User-Id`), only for that very user.',
    auth: 'service',
    permission: 'anyone',
    scope: 'shared',
    limit: 'uncounted',
    request: { body: CreateOrganizationInput },
    response: { status: 201, body: Organization },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'conflict'],
    handler: (ctx, { body }) => createOrganization(ctx, body),
  }),
  getOrganizationOfOwner: defineRoute({
    method: 'GET',
    path: '/v1/organizations',
    tag: 'Organizations',
    summary: 'Get the organization that a user owns',
    auth: 'service',
    permission: 'anyone',
    scope: 'read',
    limit: 'uncounted',
    request: { query: OwnerQuery },
    response: { status: 200, body: Organization },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      const sought = await seek(ctx.env, (home) =>
        findOrganizationOfOwner(openDb(home, 'decide'), query.owner_user_id),
      )
      if (!sought) throw notFound('organization')
      const { home, found } = sought
      await assertMemberMay(openDb(home, 'decide'), ctx.caller, found.id, 'read')
      return tagged(presentOrganization(home, found))
    },
  }),
  updateOrganization: defineRoute({
    method: 'PATCH',
    path: '/v1/organizations/:id',
    tag: 'Organizations',
    summary: 'Update an organization',
    description:
      'Renames it, marks onboarding steps, and, for the operator, sets its plan or suspends it. `If-Match` or `updated_at` makes sure that nobody changed it in between.',
    auth: 'service',
    permission: 'anyone',
    scope: 'shared',
    limit: 'uncounted',
    malformedId: 'validation_error',
    request: { params: OrganizationParams, headers: IfMatch, body: UpdateOrganizationInput },
    response: { status: 200, body: Organization },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, headers, body }) =>
      tagged(await updateOrganization(ctx, params.id, body, expectedBy(headers, body))),
  }),
  listMyOrganizations: defineRoute({
    method: 'GET',
    path: '/v1/me/organizations',
    tag: 'Organizations',
    summary: 'List the organizations that a user belongs to',
    auth: 'service',
    permission: 'anyone',
    scope: 'read',
    limit: 'uncounted',
    request: { headers: UserHeaders },
    response: { status: 200, body: OrganizationSummaryList },
    errors: ['validation_error', 'unauthorized'],
    handler: async (ctx, { headers }) => {
      const userId = headers['x-user-id']
      const found = await askAll(ctx.env, (home) => listOrganizationsOfUser(openDb(home, 'decide'), userId))
      const rows = found.flat().sort((one, other) => (one.organization.id > other.organization.id ? -1 : 1))
      return { data: rows.map(presentSummary) }
    },
  }),
})
