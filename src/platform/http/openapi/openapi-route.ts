import * as z from 'zod'
import { defineRoute } from '../route.ts'
import { collectionOf } from './collection.ts'
import { type Documented, openApiDocument } from './document.ts'

const Document = z.looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) }).meta({
  id: 'OpenApiDocument',
  description: 'An OpenAPI 3.1 document.',
  example: { openapi: '3.1.0', info: { title: 'Holdfast', version: '1.0.0' } },
})

/** Serves the documentation. */
export function openApiRoute(documented: () => Promise<Documented>) {
  let document: Record<string, unknown> | null = null
  return defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    tag: 'Health',
    summary: 'Get the machine-readable specification',
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'uncounted',
    request: {},
    response: { status: 200, body: Document, headers: { 'Cache-Control': 'public, max-age=300' } },
    errors: [],
    handler: async (ctx) => {
      document ??= openApiDocument(await documented(), ctx.env.PUBLIC_URL)
      return document as z.output<typeof Document>
    },
  })
}

const Collection = z
  .looseObject({ info: z.looseObject({ name: z.string() }), item: z.array(z.unknown()) })
  .meta({
    id: 'RequestCollection',
    description:
      'Every endpoint as a call, in the format of Postman Collection v2.1.0, which Bruno reads too.',
    example: { info: { name: 'Holdfast' }, item: [] },
  })

/** Serves the same as calls that are ready to send. */
export function collectionRoute(documented: () => Promise<Documented>) {
  let collection: Record<string, unknown> | null = null
  return defineRoute({
    method: 'GET',
    path: '/v1/postman.json',
    tag: 'Health',
    summary: 'Get a collection for Postman and Bruno',
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: Collection, headers: { 'Cache-Control': 'public, max-age=300' } },
    errors: [],
    handler: async (ctx) => {
      collection ??= collectionOf((await documented()).routes, ctx.env.PUBLIC_URL)
      return collection as z.output<typeof Collection>
    },
  })
}
