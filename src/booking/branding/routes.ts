import { openDb } from '../../platform/db/client.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { presentBranding } from './present.ts'
import { getBrandingOfOrg } from './queries.ts'
import { Branding, UpdateBrandingInput } from './schema.ts'
import { updateBranding } from './update-branding.ts'

export const brandingRoutes = defineRoutes({
  getBranding: defineRoute({
    method: 'GET',
    path: '/v1/branding',
    tag: 'Branding',
    summary: 'Get the branding',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: Branding },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx) =>
      presentBranding(await getBrandingOfOrg(openDb(ctx.env, 'decide'), ctx.caller.organizationId)),
  }),
  updateBranding: defineRoute({
    method: 'PATCH',
    path: '/v1/branding',
    tag: 'Branding',
    summary: 'Change the branding',
    description: 'Takes any subset of the fields.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { body: UpdateBrandingInput },
    response: { status: 200, body: Branding },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { body }) => updateBranding(ctx, body),
  }),
})
