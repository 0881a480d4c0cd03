import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { CONTENT_TYPES, IMAGE } from '../images/format.ts'
import { presentBranding } from './present.ts'
import { deleteLogo, type Logo, putLogo } from './put-logo.ts'
import { getBrandingOfOrg } from './queries.ts'
import { Branding, UpdateBrandingInput } from './schema.ts'
import { updateBranding } from './update-branding.ts'

const put = (logo: Logo) =>
  ({
    method: 'PUT',
    tag: 'Branding',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { file: { contentTypes: CONTENT_TYPES, means: IMAGE } },
    response: { status: 200, body: Branding },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx: Context<TenantCaller>) => putLogo(ctx, logo),
  }) as const

const remove = (logo: Logo) =>
  ({
    method: 'DELETE',
    tag: 'Branding',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: {},
    response: { status: 204 },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx: Context<TenantCaller>) => {
      await deleteLogo(ctx, logo)
      return undefined
    },
  }) as const

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
  putLogo: defineRoute({
    ...put('logo'),
    path: '/v1/branding/logo',
    summary: 'Upload the logo',
    description: 'From then on, `logo_url` is its address at `/media`.',
  }),
  deleteLogo: defineRoute({
    ...remove('logo'),
    path: '/v1/branding/logo',
    summary: 'Remove the logo',
    description: '`logo_url` is null then, also if the logo was not uploaded.',
  }),
  putDarkLogo: defineRoute({
    ...put('logo-dark'),
    path: '/v1/branding/logo-dark',
    summary: 'Upload the logo for dark backgrounds',
    description: 'From then on, `logo_dark_url` is its address at `/media`.',
  }),
  deleteDarkLogo: defineRoute({
    ...remove('logo-dark'),
    path: '/v1/branding/logo-dark',
    summary: 'Remove the logo for dark backgrounds',
    description: '`logo_dark_url` is null then, also if the logo was not uploaded.',
  }),
})
