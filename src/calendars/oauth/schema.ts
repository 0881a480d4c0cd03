import * as z from 'zod'
import { QueryId } from '../../platform/http/fields.ts'

export const ConnectQuery = z.object({
  redirect_url: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe(
      'Where the owner of the account is redirected afterwards: on one of the `allowed_redirect_hosts` of the organization.',
    ),
  member_id: QueryId.optional().describe(
    'The member of the new calendar. Default: the owner; for members below admin themselves, and nobody else is allowed.',
  ),
})
export type ConnectQuery = z.output<typeof ConnectQuery>

export const GoogleConnectQuery = ConnectQuery.extend({
  free_busy: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'With `true`, Google also asks for permission to see free and busy times, which calendars that are shared as free/busy only need. Permissions that the account gave before stay.',
    ),
})

export const AdminConsentQuery = z.object({
  redirect_url: ConnectQuery.shape.redirect_url.describe(
    'Where the administrator is redirected afterwards: on one of the `allowed_redirect_hosts` of the organization.',
  ),
})
export type AdminConsentQuery = z.output<typeof AdminConsentQuery>

export const AdminConsentUrl = z.object({ url: z.string() }).meta({
  id: 'AdminConsentUrl',
  description: 'The URL where an administrator consents for their organization, valid for thirty days.',
  example: { url: 'https://login.example.com/organizations/v2.0/adminconsent?client_id=holdfast' },
})

export const AuthorizationUrl = z.object({ url: z.string() }).meta({
  id: 'AuthorizationUrl',
  description: 'The URL where the owner of the account gives permission, valid for ten minutes.',
  example: { url: 'https://accounts.example.com/authorize?client_id=holdfast' },
})
