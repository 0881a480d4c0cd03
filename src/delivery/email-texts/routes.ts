import { openDb } from '../../platform/db/client.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { languageFor } from './language-for.ts'
import { presentEmailText } from './present.ts'
import { previewEmailText } from './preview-email-text.ts'
import { deleteEmailText, putEmailText } from './put-email-text.ts'
import { findEmailText, listEmailTexts } from './queries.ts'
import {
  EmailText,
  EmailTextInput,
  EmailTextList,
  EmailTextParams,
  EmailTextPreview,
  EmailTextQuery,
  PreviewInput,
} from './schema.ts'

export const emailTextRoutes = defineRoutes({
  listEmailTexts: defineRoute({
    method: 'GET',
    path: '/v1/email-texts',
    tag: 'Email texts',
    summary: 'List email texts',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: EmailTextList },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async ({ env, caller }) => {
      const rows = await listEmailTexts(openDb(env, 'decide'), caller.organizationId)
      return { data: rows.map((row) => presentEmailText(row.kind, row.locale, row)) }
    },
  }),
  getEmailText: defineRoute({
    method: 'GET',
    path: '/v1/email-texts/:kind',
    tag: 'Email texts',
    summary: 'Get an email text',
    description: 'What was not written is null; `default` says what applies instead.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: EmailTextParams, query: EmailTextQuery },
    response: { status: 200, body: EmailText },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async ({ env, caller: { organizationId } }, { params: { kind }, query }) => {
      const db = openDb(env, 'decide')
      const locale = await languageFor(db, organizationId, query.locale)
      return presentEmailText(kind, locale, await findEmailText(db, { organizationId, kind, locale }))
    },
  }),
  putEmailText: defineRoute({
    method: 'PUT',
    path: '/v1/email-texts/:kind',
    tag: 'Email texts',
    summary: 'Write an email text',
    description:
      'Replaces the whole text in one language; what is left out has its default. Live and test mode share the texts.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { params: EmailTextParams, query: EmailTextQuery, body: EmailTextInput },
    response: { status: 200, body: EmailText },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params, query, body }) =>
      putEmailText(ctx, { kind: params.kind, locale: query.locale }, body),
  }),
  deleteEmailText: defineRoute({
    method: 'DELETE',
    path: '/v1/email-texts/:kind',
    tag: 'Email texts',
    summary: 'Delete an email text',
    description: 'The default applies again in that language.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { params: EmailTextParams, query: EmailTextQuery },
    response: { status: 204 },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params, query }) => {
      await deleteEmailText(ctx, { kind: params.kind, locale: query.locale })
      return undefined
    },
  }),
  previewEmailText: defineRoute({
    method: 'POST',
    path: '/v1/email-texts/:kind/preview',
    tag: 'Email texts',
    summary: 'Preview an email text',
    description:
      'Renders an email about an invented booking with the stored texts, in the time zone of the calling member, and sends it to them on request.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: EmailTextParams, body: PreviewInput },
    response: { status: 200, body: EmailTextPreview },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'rate_limit_exceeded'],
    handler: (ctx, { params, body }) => previewEmailText(ctx, params.kind, body),
  }),
})
