import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { CALENDAR, exportIcs } from '../calendar-file/export-ics.ts'
import { exportOrganization, NDJSON } from './export-organization.ts'
import { importOrganization } from './import-organization.ts'
import { beginMoving, endMoving } from './move-organization.ts'
import { CalendarFile, ExportLine, Imported, ImportQuery, Move, MoveParams } from './schema.ts'

const operators = { auth: 'service', permission: 'anyone', limit: 'uncounted', tag: 'Moves' } as const

export const moveRoutes = defineRoutes({
  exportOrganization: defineRoute({
    method: 'GET',
    path: '/v1/export',
    tag: 'Moves',
    summary: 'Export everything',
    description:
      'All data of the organization in both modes, one JSON object a line, for a backup or for another deployment. It contains no key, token or secret in plain text: keys are hashes, secrets and credentials are encrypted. It is read page by page during the download; `changed_meanwhile` on the last line says whether something changed in between. Without a last line of type `end` it is not complete.',
    auth: 'key',
    permission: 'own',
    scope: 'shared',
    limit: 'counted',
    request: {},
    response: { status: 200, body: ExportLine, contentType: NDJSON },
    errors: ['unauthorized', 'forbidden'],
    handler: exportOrganization,
  }),
  exportCalendar: defineRoute({
    method: 'GET',
    path: '/v1/export/ics',
    tag: 'Moves',
    summary: 'Export upcoming bookings as a calendar',
    description:
      'All live bookings that are not over, as one iCalendar file with the UIDs of emails. Requests and unpaid bookings are tentative. It contains no tokens, phone numbers or answers.',
    auth: 'key',
    permission: 'own',
    scope: 'shared',
    limit: 'counted',
    request: {},
    response: { status: 200, body: CalendarFile, contentType: CALENDAR },
    errors: ['unauthorized', 'forbidden'],
    handler: exportIcs,
  }),
  importOrganization: defineRoute({
    ...operators,
    method: 'POST',
    path: '/v1/import',
    summary: 'Import an organization',
    idempotency: 'by-verb',
    description:
      'Imports the lines of an export of another deployment, of any size: all of it at once, or nothing. Ids, slugs, the sequences of the feed and hashes of keys stay, and notifications that were sent are not repeated. Errors are named by line and field, such as `lines.12.start_time`. Unless the file is trusted, the organization begins on the Free plan with default limits and redirect hosts, its webhook endpoints are unverified, and payments must be connected again.',
    scope: 'shared',
    request: {
      query: ImportQuery,
      stream: { contentType: NDJSON, line: ExportLine, means: 'The lines of an export, in their order.' },
    },
    response: { status: 201, body: Imported },
    errors: ['validation_error', 'unauthorized', 'conflict', 'service_unavailable'],
    handler: (ctx, { query }) => importOrganization(ctx, query.trust === 'true'),
  }),
  beginMove: defineRoute({
    ...operators,
    method: 'PUT',
    path: '/v1/operator/moves/:orgId',
    summary: 'Freeze an organization to move it',
    description:
      'From then on every change of the organization is a 503, and no email, webhook or calendar write is sent for it, so that an export shows one moment. Reading still works. At the old deployment it stays frozen after a move.',
    scope: 'shared',
    request: { params: MoveParams },
    response: { status: 200, body: Move },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => beginMoving(ctx, params.orgId),
  }),
  endMove: defineRoute({
    ...operators,
    method: 'DELETE',
    path: '/v1/operator/moves/:orgId',
    summary: 'Unfreeze an organization',
    description:
      'It does not move after all: changes are possible again, and the next sweep does the work that became due in the meantime.',
    scope: 'shared',
    request: { params: MoveParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => endMoving(ctx, params.orgId),
  }),
})
