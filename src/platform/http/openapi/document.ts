import type { Route } from '../route.ts'
import { VERSION } from '../version.ts'
import { HEADER_COMPONENTS } from './headers.ts'
import type { Json, Schemas } from './json-schema.ts'
import { operationOf } from './operation.ts'
import { type PageDescription, pageOperationOf } from './page-operation.ts'
import { shareParameters } from './parameters.ts'
import { WEBHOOK_PARAMETERS, type Webhook, webhookOperationOf } from './webhook.ts'

const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `hf_live_…` or `hf_test_…`.' },
  serviceKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The service key, server to server, with `X-Org-Id` if the endpoint acts for an organization.',
  },
  cancelToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The token of a booking, a hold or a waitlist entry.',
  },
  cancelTokenAsBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same token, kept out of addresses.',
  },
}

/** What the document is about: the endpoints, the pages on the way to them, and what is sent to webhooks. */
export type Documented = {
  readonly routes: readonly Route[]
  readonly pages: readonly PageDescription[]
  readonly webhooks: readonly Webhook[]
}

/** The OpenAPI 3.1 document. */
export function openApiDocument({ routes, pages, webhooks }: Documented, serverUrl: string): Json {
  const schemas: Schemas = {}
  const responses: Json = {}
  const parameters: Json = { ...WEBHOOK_PARAMETERS }
  const operations = [
    ...routes.map((route) => operationOf(route, schemas, responses)),
    ...pages.map((page) => pageOperationOf(page, schemas)),
  ]
  shareParameters(operations, parameters)
  const tags = [...new Set(routes.map((route) => route.tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: VERSION,
      summary: 'A scheduling API at the edge, where a slot, once taken, stays taken.',
      description: 'Define event types, set hours, ask for open slots and book them.',
      contact: { name: 'Documentation', url: `${serverUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name, description: `Everything about ${name.toLowerCase()}.` })),
    paths: pathsOf([...routes, ...pages], operations),
    webhooks: Object.fromEntries(
      webhooks.map((webhook) => [webhook.name, { post: webhookOperationOf(webhook, schemas) }]),
    ),
    components: {
      schemas,
      parameters,
      headers: HEADER_COMPONENTS,
      responses,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function pathsOf(places: readonly (Route | PageDescription)[], operations: readonly Json[]): Json {
  const paths: Record<string, Json> = {}
  for (const [at, { path, method }] of places.entries()) {
    const template = path.replace(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operations[at] }
  }
  return paths
}
