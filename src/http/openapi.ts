import { z } from 'zod'
import { ERROR_SCHEMAS, errorContent } from './error-schemas.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import type { RequestSchemas, Route } from './route.ts'
import { VERSION } from './version.ts'

type Json = Record<string, unknown>
type Io = 'input' | 'output'
type Components = Record<string, unknown>

/** What every route of a kind can answer besides what it declares: the kernel refuses before the handler runs. */
function refusedByKernel(route: Route): readonly ErrorCode[] {
  const always: ErrorCode[] = [
    ...(route.ignoresUnknownQuery ? [] : (['validation_error'] as const)),
    ...(route.limit === 'counted' ? (['rate_limit_exceeded'] as const) : []),
    'internal_error',
    ...(route.response.otherwise?.status === 503 ? [] : (['service_unavailable'] as const)),
  ]
  switch (route.auth) {
    case 'none':
      return always
    case 'service':
      return ['unauthorized', ...always]
    default:
      return ['validation_error', 'unauthorized', 'forbidden', 'not_found', ...always]
  }
}

/** The OpenAPI 3.1 document of `routes`. */
export function openApiDocument(routes: readonly Route[], serverUrl: string): Json {
  const components: Components = { ...ERROR_SCHEMAS }
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) }
  }
  const tags = [...new Set(routes.map((route) => route.tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: VERSION,
      summary: 'A scheduling API at the edge, where a slot, once taken, stays taken.',
      description: 'Define event types, set hours, ask for open slots and book them.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name, description: `Everything about ${name.toLowerCase()}.` })),
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `hf_live_…` or `hf_test_…`.' },
        serviceKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The service key, server to server, with `X-Org-Id` where the endpoint acts for an organization.',
        },
        cancelToken: { type: 'apiKey', in: 'query', name: 'token', description: "A booking's cancel token." },
      },
    },
  }
}

const SECURITY: Readonly<Record<Route['auth'], readonly Json[]>> = {
  none: [],
  key: [{ apiKey: [] }, { serviceKey: [] }],
  'optional-key': [{}, { apiKey: [] }, { serviceKey: [] }],
  'key-or-token': [{ apiKey: [] }, { serviceKey: [] }, { cancelToken: [] }],
  service: [{ serviceKey: [] }],
  'key-or-operator': [{ apiKey: [] }, { serviceKey: [] }],
}

function operationOf(route: Route, components: Components): Json {
  const { params, query, headers, body } = route.request
  const parameters = [
    ...parametersOf(params, 'path', components),
    ...parametersOf(query, 'query', components).filter(({ name }) => name !== 'token'),
    ...parametersOf(headers, 'header', components),
    ...headersOf(route),
  ]
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...describe(route),
    security: SECURITY[route.auth],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: hasRequired(body), content: jsonOf(jsonSchemaOf(body, 'input', components)) },
    }),
    responses: { ...successOf(route, components), ...refusalsOf(route) },
  }
}

function describe({ description, scope, auth }: Route): Json {
  const isClosedToTestKeys = scope === 'shared' && auth !== 'none' && auth !== 'service'
  const sentences = [description, isClosedToTestKeys && 'Live and test share it: a test key is `forbidden`.']
  const told = sentences.filter(Boolean).join(' ')
  return told === '' ? {} : { description: told }
}

function headersOf(route: Route): Json[] {
  const headers: Json[] = []
  if (route.method === 'POST') {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'For 24 hours, the same key with the same request gets the first answer again.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  if (route.auth === 'none' || route.auth === 'service' || route.auth === 'key-or-operator') return headers
  headers.push(
    {
      name: 'X-Org-Id',
      in: 'header',
      required: false,
      description: 'Needed with the service key: the organization to act for.',
      schema: { type: 'string', format: 'uuid' },
    },
    {
      name: 'X-Service-Mode',
      in: 'header',
      required: false,
      description: 'With the service key: act on live or on test data.',
      schema: { type: 'string', enum: ['live', 'test'], default: 'live' },
    },
    {
      name: 'X-User-Id',
      in: 'header',
      required: false,
      description:
        'With the service key: the member on whose behalf the call is made, with the role of that member.',
      schema: { type: 'string' },
    },
  )
  return headers
}

function parametersOf(
  schema: RequestSchemas['params'],
  place: 'path' | 'query' | 'header',
  components: Components,
) {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }))
}

function hasRequired(body: z.ZodObject): boolean {
  return !body.safeParse({}).success
}

function successOf(route: Route, components: Components): Json {
  const { status, body } = route.response
  const headers = {
    'X-Request-Id': { description: 'Names this answer in the log.', schema: { type: 'string' } },
  }
  if (!body) return { [status]: { description: 'Done.', headers } }
  const content = jsonOf(jsonSchemaOf(body, 'output', components))
  const { otherwise } = route.response
  return {
    [status]: { description: body.meta()?.description ?? 'Done.', headers, content },
    ...(otherwise && { [otherwise.status]: { description: otherwise.means, headers, content } }),
  }
}

function refusalsOf(route: Route): Json {
  const codes = [...new Set([...route.errors, ...refusedByKernel(route)])]
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      String(status),
      {
        description: sameStatus.map((code) => `\`${code}\`: ${ERRORS[code].means}`).join(' '),
        content: errorContent(sameStatus),
      },
    ]),
  )
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } }
}

/**
 * JSON Schema 2020-12, the dialect of OpenAPI 3.1. Schemas with a name are put among the components; a schema
 * that has one itself becomes a reference.
 */
function jsonSchemaOf(schema: z.ZodType, io: Io, components: Components): Json {
  const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  for (const [name, definition] of Object.entries($defs ?? {}))
    components[name] = pointToComponents(definition)
  return pointToComponents(json) as Json
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : pointToComponents(inner),
    ]),
  )
}
