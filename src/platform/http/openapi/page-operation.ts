import type * as z from 'zod'
import { ERRORS, type ErrorCode } from '../../reasons/error-codes.ts'
import { headersOfPage, headersOfRedirect } from './headers.ts'
import { type Json, jsonSchemaOf, type Schemas } from './json-schema.ts'
import { declaredParameters } from './parameters.ts'

/** A page for browsers that clients of the API must know about. */
export type PageDescription = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly query?: z.ZodObject
  readonly form?: z.ZodObject
  /** What the page says when all goes well. */
  readonly page: string
  /** When it redirects (303) instead. */
  readonly redirect: string
  readonly refusals: readonly ErrorCode[]
}

/** What any page can answer in addition. */
const ALWAYS: readonly ErrorCode[] = ['rate_limit_exceeded', 'internal_error', 'service_unavailable']
const PAGE: Json = { 'text/html': { schema: { type: 'string' } } }

export function pageOperationOf(described: PageDescription, schemas: Schemas): Json {
  const { operationId, tag, summary, description, query, form } = described
  const parameters = declaredParameters(query, 'query', schemas)
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    ...(form && {
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: jsonSchemaOf(form, 'input', schemas) } },
      },
    }),
    responses: {
      200: { description: described.page, headers: headersOfPage(200), content: PAGE },
      303: { description: described.redirect, headers: headersOfRedirect() },
      ...refusalsOf(described),
    },
  }
}

/** A page says in words what is wrong; the code shows only in the status. */
function refusalsOf({ refusals }: PageDescription): Json {
  const byStatus = Map.groupBy([...refusals, ...ALWAYS], (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `A page: ${ERRORS[code].means}`).join(' '),
        headers: headersOfPage(status),
        content: PAGE,
      },
    ]),
  )
}
