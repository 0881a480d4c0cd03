import * as z from 'zod'
import { defineRoute, type Route } from '../route.ts'
import { type Documented, openApiDocument } from './document.ts'

const Document = z.looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) }).meta({
  id: 'OpenApiDocument',
  description: 'An OpenAPI 3.1 document.',
  example: { openapi: '3.1.0', info: { title: 'Holdfast', version: '1.0.0' } },
})

/** Serves the documentation. */
export function openApiRoute(documented: () => Promise<Documented>): Route {
  let document: Record<string, unknown> | null = null
  return defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'getOpenApiDocument',
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
