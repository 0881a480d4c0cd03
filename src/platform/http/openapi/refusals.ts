import * as z from 'zod'
import { ERRORS, type ErrorCode } from '../../reasons/error-codes.ts'
import { problem, problemText } from '../../reasons/reason.ts'
import { BESIDE_ERROR, ERROR_DETAILS } from '../error-details.ts'
import { ResourceId } from '../fields.ts'
import type { Route } from '../route.ts'
import { headersOfRefusal } from './headers.ts'
import { type Json, jsonSchemaOf, type Schemas } from './json-schema.ts'
import { componentName } from './names.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

const DETAILS_EXAMPLES: Partial<Record<ErrorCode, Json>> = {
  validation_error: { title: problemText(problem('required')) },
  plan_limit_exceeded: { limit: 'event_types' },
  no_host_available: { requested_time: '2026-03-09T13:00:00.000Z', hosts_checked: 3 },
}

/** What the kernel can refuse before the handler runs, in addition to what the route declares. */
function refusedByKernel(route: Route): readonly ErrorCode[] {
  const always: ErrorCode[] = [
    'validation_error',
    ...(route.limit === 'counted' || route.auth !== 'none' || route.isProvedByContent
      ? (['rate_limit_exceeded'] as const)
      : []),
    'internal_error',
    ...(route.response.otherwise?.status === 503 ? [] : (['service_unavailable'] as const)),
  ]
  switch (route.auth) {
    case 'none':
      return always
    case 'service':
      return ['unauthorized', ...always]
    default:
      return ['unauthorized', 'forbidden', 'not_found', ...always]
  }
}

/** The refusals of `route` by status, as references to `responses`, where they are put. */
export function refusalsOf(route: Route, schemas: Schemas, responses: Json): Json {
  const refused = new Set([...route.errors, ...refusedByKernel(route)])
  const byStatus = Map.groupBy(
    CODES.filter((code) => refused.has(code)),
    (code) => ERRORS[code].status,
  )
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = nameOf(codes)
      responses[name] ??= responseOf(status, codes, schemas)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function nameOf(codes: readonly ErrorCode[]): string {
  return codes.map((code) => componentName(code).replace(/Error$/, '')).join('Or')
}

function responseOf(status: number, codes: readonly ErrorCode[], schemas: Schemas): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]))
  const schema = jsonSchemaOf(refusalSchemaOf(codes), 'output', schemas)
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].means}`).join(' '),
    headers: headersOfRefusal(status),
    content: { 'application/json': { schema, examples } },
  }
}

/** The body of a refusal with one of `codes`: `error.code` says what `error.details` holds. */
export function refusalSchemaOf(codes: readonly ErrorCode[]) {
  const [first, ...others] = codes.map(errorSchemaOf)
  return z
    .strictObject({
      error: others.length === 0 ? first! : z.discriminatedUnion('code', [first!, ...others]),
      ...Object.assign({}, ...codes.map((code) => BESIDE_ERROR[code])),
    })
    .meta({ id: `${nameOf(codes)}Refusal`, description: 'Branch on `error.code`, not on `error.message`.' })
}

function errorSchemaOf(code: ErrorCode) {
  const details = ERROR_DETAILS[code]
  return z
    .strictObject({
      code: z.literal(code),
      message: z.string(),
      ...(details && { details }),
      doc_url: z.string().describe('The page that explains the code.').meta({ format: 'uri' }),
      request_id: ResourceId.describe(
        "The id of the request in the log: the response's `X-Request-Id`, or that of the first request if its response is replayed.",
      ),
    })
    .meta({ id: `${nameOf([code])}Error`, description: ERRORS[code].means })
}

function exampleOf(code: ErrorCode): Json {
  const details = DETAILS_EXAMPLES[code]
  return {
    error: {
      code,
      message: ERRORS[code].means,
      ...(details && { details }),
      doc_url: `https://api.example.com/docs/errors#${code}`,
      request_id: '0192f1e0-7c11-7000-8000-0d9c423b1f0a',
    },
    ...(code === 'rate_limit_exceeded' && { retry_after: 12 }),
  }
}
