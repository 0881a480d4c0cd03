import { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { getImport } from './get-import.ts'
import { ImportCalcomInput, ImportCalendlyInput, ImportParams } from './schema.ts'
import { startImport } from './start-import.ts'

const DOES =
  'Makes event types, hours and upcoming bookings of what the account has. Existing members become hosts, by their address; nobody is invited. Nobody gets an email about a booking, no booking counts toward the month, and each has `overridden` for the rules that it breaks. What overlaps with another booking of its host is left out. The secret is used for this import only, and is stored nowhere; requests with one `Idempotency-Key` are the same whatever secret they have. Sent again while it runs, the request returns the same job; after an interruption it continues, and later it makes only what is new. With `dry_run`, nothing is made: the answer lists what would be.'

export const importRoutes = defineRoutes({
  importCalendly: defineRoute({
    method: 'POST',
    path: '/v1/import/calendly',
    tag: 'Moves',
    summary: 'Import from Calendly',
    description: DOES,
    auth: 'key',
    permission: 'own',
    scope: 'shared',
    limit: 'counted',
    hasDryRun: true,
    hasSecretBody: true,
    request: { body: ImportCalendlyInput },
    response: { status: 202, body: ImportJob, headers: { Location: 'Where the job is.' } },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'bad_gateway'],
    handler: (ctx, { body }) => startImport(ctx, 'calendly', body.token),
  }),
  importCalcom: defineRoute({
    method: 'POST',
    path: '/v1/import/calcom',
    tag: 'Moves',
    summary: 'Import from Cal.com',
    description: DOES,
    auth: 'key',
    permission: 'own',
    scope: 'shared',
    limit: 'counted',
    hasDryRun: true,
    hasSecretBody: true,
    request: { body: ImportCalcomInput },
    response: { status: 202, body: ImportJob, headers: { Location: 'Where the job is.' } },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'bad_gateway'],
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
