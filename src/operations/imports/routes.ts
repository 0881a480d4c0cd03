import { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { getImport } from './get-import.ts'
import { ImportCalcomInput, ImportCalendlyInput, ImportParams } from './schema.ts'
import { startImport } from './start-import.ts'

const DOES =
  'Makes event types, hours and upcoming bookings of what the account has. Existing members become hosts, by their address; nobody is invited. Nobody gets an email about a booking, no booking counts toward the month, and each has `overridden` for the rules that it breaks. What overlaps with another booking of its host is left out. The secret is used for this import only, and is stored nowhere; requests with one `Idempotency-Key` are the same whatever secret they have. Sent again while it runs, the request returns the same job; after an interruption it continues, and later it makes only what is new. With `dry_run`, nothing is made: the answer lists what would be.'

/** What imports from all services have in common. */
const IMPORT = {
  method: 'POST',
  tag: 'Moves',
  description: DOES,
  auth: 'key',
  permission: 'own',
  scope: 'shared',
  limit: 'counted',
  hasDryRun: true,
  hasSecretBody: true,
  response: { status: 202, body: ImportJob, headers: { Location: 'Where the job is.' } },
  errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'bad_gateway'],
} as const

export const importRoutes = defineRoutes({
  importCalendly: defineRoute({
    ...IMPORT,
    path: '/v1/import/calendly',
    summary: 'Import from Calendly',
    request: { body: ImportCalendlyInput },
    handler: (ctx, { body }) => startImport(ctx, 'calendly', body.token),
  }),
  importCalcom: defineRoute({
    ...IMPORT,
    path: '/v1/import/calcom',
    summary: 'Import from Cal.com',
    request: { body: ImportCalcomInput },
    handler: (ctx, { body }) => startImport(ctx, 'calcom', body.api_key),
  }),
  getImport: defineRoute({
    method: 'GET',
    path: '/v1/imports/:id',
    tag: 'Moves',
    summary: 'Get an import',
    auth: 'key',
    permission: 'own',
    scope: 'shared',
    limit: 'counted',
    request: { params: ImportParams },
    response: { status: 200, body: ImportJob },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params }) => getImport(ctx, params.id),
  }),
})
