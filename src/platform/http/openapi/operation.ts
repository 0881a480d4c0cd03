import type * as z from 'zod'
import type { Permission } from '../../auth/policy.ts'
import type { Route } from '../route.ts'
import { headersOfSuccess } from './headers.ts'
import { type Json, jsonSchemaOf, type Schemas } from './json-schema.ts'
import { parametersOf } from './parameters.ts'
import { refusalsOf } from './refusals.ts'

const SECURITY: Readonly<Record<Route['auth'], readonly Json[]>> = {
  none: [],
  key: [{ apiKey: [] }, { serviceKey: [] }],
  'optional-key': [{}, { apiKey: [] }, { serviceKey: [] }],
  'key-or-token': [{ apiKey: [] }, { serviceKey: [] }, { cancelToken: [] }, { cancelTokenAsBearer: [] }],
  service: [{ serviceKey: [] }],
  'key-or-operator': [{ apiKey: [] }, { serviceKey: [] }],
}

const BINARY = { type: 'string', format: 'binary' }

/** One route as an operation; what it shares with others is put among the schemas and responses. */
export function operationOf(route: Route, schemas: Schemas, responses: Json): Json {
  const { body, stream, file, ofProvider } = route.request
  const parameters = parametersOf(route, schemas)
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...describe(route),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: hasRequired(body),
        content: jsonContent(jsonSchemaOf(body, 'input', schemas)),
      },
    }),
    ...(stream && {
      requestBody: {
        required: true,
        description: stream.means,
        content: contentOf(jsonSchemaOf(stream.line, 'input', schemas), stream.contentType),
      },
    }),
    ...(file && {
      requestBody: {
        required: true,
        description: file.means,
        content: Object.fromEntries(file.contentTypes.map((type) => [type, { schema: BINARY }])),
      },
    }),
    ...(ofProvider && { requestBody: { description: ofProvider, content: jsonContent({}) } }),
    responses: { ...successOf(route, schemas), ...refusalsOf(route, schemas, responses) },
  }
}

function securityOf({ auth, knowsCallerBy, takesProof }: Route): readonly Json[] {
  if (knowsCallerBy) return [{}, ...SECURITY['key-or-token']]
  return takesProof ? [...SECURITY[auth], { cancelTokenAsBearer: [] }] : SECURITY[auth]
}

/** From which role on a key may do more than read. */
const LEAST: Partial<Record<Permission, string>> = {
  book: '`member` or above',
  administer: '`admin` or above',
  own: '`owner`',
}

function describe({ summary, description, scope, auth, permission }: Route): Json {
  const takesKeys = auth !== 'none' && auth !== 'service'
  const isClosedToTestKeys = scope === 'shared' && takesKeys
  const least = takesKeys && LEAST[permission]
  const sentences = [
    description ?? `${summary}.`,
    least && `A key needs the role ${least}.`,
    isClosedToTestKeys && 'Live and test share it: a test key is `forbidden`.',
  ]
  const told = sentences.filter(Boolean).join(' ')
  return told === '' ? {} : { description: told }
}

function hasRequired(body: z.ZodObject): boolean {
  return !body.safeParse({}).success
}

function successOf(route: Route, schemas: Schemas): Json {
  const { status, body, contentType, otherwise } = route.response
  const headers = headersOfSuccess(route)
  const content = body && { content: contentOf(jsonSchemaOf(body, 'output', schemas), contentType) }
  return {
    [status]: { description: body?.meta()?.description ?? 'Done.', headers, ...content },
    ...(otherwise && {
      [otherwise.status]: {
        description: otherwise.means,
        headers,
        ...(otherwise.isText
          ? { content: contentOf({ type: 'string' }, 'text/plain') }
          : otherwise.isEmpty
            ? {}
            : content),
      },
    }),
  }
}

export function jsonContent(schema: Json): Json {
  return contentOf(schema)
}

/** A schema describes a JSON document. A body of lines is a text to whatever reads the document, with the schema of a line. */
function contentOf(schema: Json, contentType = 'application/json'): Json {
  if (contentType !== 'application/x-ndjson') return { [contentType]: { schema } }
  return {
    [contentType]: { schema: { type: 'string', contentMediaType: contentType, contentSchema: schema } },
  }
}
