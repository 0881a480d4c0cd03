import type * as z from 'zod'
import type { Route } from '../route.ts'
import { type Json, jsonSchemaOf } from './json-schema.ts'

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
})
/** An id or an instant as examples have them: nobody has that id, and a folder that runs must not set a clock to it. */
const ONLY_AN_EXAMPLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * Every endpoint as a call, in the format that Postman writes and Bruno and others read (Collection v2.1.0). The
 * variables are left to fill in: keys, and an id or instant of a body by the name of its field.
 */
export function collectionOf(routes: readonly Route[], serverUrl: string): Json {
  const byTag = Map.groupBy(routes, ({ tag }) => tag)
  const variables = new Set(['key', 'serviceKey'])
  const item = [...byTag].map(([name, ofTag]) => ({
    name,
    item: ofTag.map((route) => itemOf(route, variables)),
  }))
  return {
    info: { name: 'Holdfast', schema: FORMAT, description: `Guides and reference: ${serverUrl}/docs` },
    auth: bearer('key'),
    variable: [
      { key: 'baseUrl', value: serverUrl, type: 'string' },
      ...[...variables].map((key) => ({ key, value: '', type: 'string' })),
    ],
    item,
  }
}

function itemOf(route: Route, variables: Set<string>): Json {
  const { method, auth, summary, description, request } = route
  const body = request.body && JSON.stringify(toFillIn('', exampleOf(request.body), variables), null, 2)
  return {
    name: summary,
    request: {
      method,
      ...(description !== undefined && { description }),
      ...(auth === 'none' && { auth: { type: 'noauth' } }),
      ...(auth === 'service' && { auth: bearer('serviceKey') }),
      header: body !== undefined ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      url: addressOf(route),
      ...(body !== undefined && {
        body: {
          mode: 'raw',
          raw: body,
          options: { raw: { language: 'json' } },
        },
      }),
    },
  }
}

function exampleOf(schema: z.ZodObject): object {
  return (schema.meta()?.example as object | undefined) ?? {}
}

/** A value with a variable in place of each id and instant. */
function toFillIn(name: string, value: unknown, variables: Set<string>): unknown {
  if (typeof value === 'string' && ONLY_AN_EXAMPLE.test(value)) {
    variables.add(name)
    return `{{${name}}}`
  }
  if (Array.isArray(value)) return value.map((each) => toFillIn(name.replace(/s$/, ''), each, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toFillIn(key, each, variables)]))
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
