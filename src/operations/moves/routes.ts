import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { exportOrganization, NDJSON } from './export-organization.ts'
import { importOrganization } from './import-organization.ts'
import { beginMoving, endMoving } from './move-organization.ts'
import { ExportLine, Imported, ImportQuery, Move, MoveParams } from './schema.ts'

const operators = { auth: 'service', permission: 'anyone', limit: 'uncounted', tag: 'Moves' } as const

export const moveRoutes = defineRoutes({
  exportOrganization: defineRoute({
    method: 'GET',
    path: '/v1/export',
    tag: 'Moves',
    summary: 'Export everything',
    description:
      'Everything that the organization has in both modes, a JSON object a line, for a backup or for another deployment. No key, token or secret is in it as it is: keys are hashes, secrets and credentials are sealed. It is read page by page while it is taken; `changed_meanwhile` on the last line says whether something changed in between. Without a last line of type `end` it is not complete.',
    auth: 'key',
    permission: 'own',
    scope: 'shared',
    limit: 'counted',
    request: {},
    response: { status: 200, body: ExportLine, contentType: NDJSON },
    errors: ['unauthorized', 'forbidden'],
    handler: exportOrganization,
  }),
  importOrganization: defineRoute({
    ...operators,
    method: 'POST',
    path: '/v1/import',
    summary: 'Take in an exported organization',
    idempotency: 'by-verb',
    description:
      'Takes in the lines of an export of another deployment, as large as it is: all of it at once, or nothing. Ids, slugs, the sequences of the feed and hashes of keys stay, and what was told already is not told again. What is wrong is named by its line and field, such as `lines.12.start_time`. Unless the file is trusted, the organization begins on the Free plan with default limits and redirect hosts, its webhook endpoints are unverified, and payments must be connected again.',
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
    summary: 'Let an organization stand still to move it',
    description:
      'From then on every change of the organization is answered with 503, and no letter, webhook or calendar write goes out for it, so that an export is a picture of one moment. Reading goes on. At the old deployment it stays so after a move.',
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
    summary: 'Let an organization that was to move go on',
    description:
      'It stays after all: changes are taken again, and the next sweep does what was due meanwhile.',
    scope: 'shared',
    request: { params: MoveParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => endMoving(ctx, params.orgId),
  }),
})
