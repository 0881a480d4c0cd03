import type * as z from 'zod'
import type { Route } from '../route.ts'
import { type Json, jsonSchemaOf } from './json-schema.ts'

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const BEARER = [{ key: 'token', value: '{{key}}', type: 'string' }]

/**
 * Every endpoint as a call that is ready to send, in the format that Postman writes and Bruno and others read (Collection
 * v2.1.0). Two variables are left to fill in: where the service is, and a key.
 */
export function collectionOf(routes: readonly Route[], serverUrl: string): Json {
  const byTag = Map.groupBy(routes, ({ tag }) => tag)
  return {
    info: { name: 'Holdfast', schema: FORMAT, description: `Guides and reference: ${serverUrl}/docs` },
    auth: { type: 'bearer', bearer: BEARER },
    variable: [
      { key: 'baseUrl', value: serverUrl, type: 'string' },
      { key: 'key', value: '', type: 'string' },
    ],
    item: [...byTag].map(([name, ofTag]) => ({ name, item: ofTag.map(itemOf) })),
  }
}

function itemOf(route: Route): Json {
  const { method, auth, summary, description, request } = route
  const body = request.body && exampleOf(request.body)
  return {
    name: summary,
    request: {
      method,
      ...(description !== undefined && { description }),
      ...(auth === 'none' && { auth: { type: 'noauth' } }),
      header: body ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      url: addressOf(route),
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
  }
}

function exampleOf(schema: z.ZodObject): object {
  return (schema.meta()?.example as object | undefined) ?? {}
}

function addressOf({ path, request }: Route): Json {
  const segments = path.slice(1).split('/')
  const names = segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1))
  const query = parametersOf(request.query)
  return {
    raw: `{{baseUrl}}${path}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(names.length > 0 && { variable: names.map((key) => ({ key, value: '' })) }),
    ...(query.length > 0 && { query }),
  }
}

/** What need not be sent is there, but turned off. */
function parametersOf(schema: z.ZodObject | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input', {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([key, { description, example }]) => ({
    key,
    value: example === undefined ? '' : String(example),
    ...(description !== undefined && { description }),
    ...(!required.includes(key) && { disabled: true }),
  }))
}
