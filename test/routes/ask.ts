import { env, exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { openApiDocument } from '../../src/platform/http/openapi/document.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { ERRORS, type ErrorCode } from '../../src/platform/reasons/error-codes.ts'
import { type Answered, type Call, call, freshAddress } from '../support/app.ts'
import type { Organization } from '../support/factories.ts'
import {
  asService,
  bearer,
  type HeaderMap,
  keyOf,
  type Mode,
  modeOf,
  type Prepared,
  recipeOf,
} from '../support/recipes.ts'
import type { Document } from './document.ts'
import { documented } from './kinds.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** What the route needs to be let in. */
export function credentials(route: Route, organization: Organization, mode: Mode = modeOf(route)): HeaderMap {
  if (route.auth === 'none') return {}
  if (route.auth === 'service') return bearer(env.SERVICE_KEY)
  const isKeyless = route.permission === 'service-only' || (route.scope === 'shared' && mode === 'test')
  if (isKeyless) return asService(organization, { 'X-Service-Mode': mode })
  return bearer(keyOf(organization, mode))
}

// That this is the document which is served is for the tests of the document.
const { paths, components } = openApiDocument(documented, 'https://holdfast.test') as unknown as Document
const refusals = new Map<string, ReadonlySet<string>>()

/** The refusals that the OpenAPI document tells of the route, each as its status and its code. */
function refusalsToldOf({ method, path, operationId }: Route): ReadonlySet<string> {
  const known = refusals.get(operationId)
  if (known) return known
  const { responses } = paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
  const told = Object.entries(responses).flatMap(([status, response]) => {
    const name = (response as { $ref?: string }).$ref?.split('/').at(-1)
    const { description } = (name ? components.responses![name] : response) as { description: string }
    return [...description.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`)
  })
  const all = new Set(told)
  refusals.set(operationId, all)
  return all
}

/** What is true of every answer: above all, a refusal is one that the OpenAPI document tells of its route. */
function note(route: Route, answer: Answered): Answered {
  const { headers, status } = answer
  expect([
    UUID.test(headers.get('X-Request-Id') ?? ''),
    headers.get('X-Content-Type-Options'),
    headers.get('Strict-Transport-Security'),
  ]).toEqual([true, 'nosniff', 'max-age=31536000; includeSubDomains'])
  if (status < 400) return answer
  const { code, message } = answer.body.error
  expect(message).toEqual(expect.any(String))
  expect(ERRORS[code as ErrorCode].status).toBe(status)
  expect([...refusalsToldOf(route)], `what is told of ${route.operationId}`).toContain(`${status} ${code}`)
  return answer
}

export async function ask(route: Route, path: string, options: Call = {}): Promise<Answered> {
  return note(route, await call(route.method, path, options))
}

/** The request of `prepared` with more headers, and a body where there is one. */
export function send(
  route: Route,
  prepared: Prepared,
  headers: HeaderMap,
  changed?: unknown,
): Promise<Answered> {
  const sent = changed === undefined ? prepared.body : changed
  const all = { ...prepared.headers, ...headers }
  return ask(route, prepared.path, { headers: all, ...(sent !== undefined && { body: sent }) })
}

export async function sendBytes(
  route: Route,
  path: string,
  headers: HeaderMap,
  bytes: Uint8Array<ArrayBuffer> | ReadableStream,
): Promise<Answered> {
  const response = await exports.default.fetch(
    new Request(`https://holdfast.test${path}`, {
      method: route.method,
      headers: { 'CF-Connecting-IP': freshAddress(), 'Content-Type': 'application/json', ...headers },
      body: bytes,
    }),
  )
  const body = JSON.parse(await response.text())
  return note(route, { status: response.status, headers: response.headers, body })
}

export function expectGood(route: Route, answer: Answered, means = ''): void {
  const instead = recipeOf(route).insteadOfGood
  if (instead) expect(refusalOf(answer), means).toEqual([ERRORS[instead].status, instead])
  else expect(answer.status, means).toBe(route.response.status)
}

export function refusalOf({ status, body }: Answered): [number, ErrorCode | undefined] {
  return [status, body?.error?.code]
}

/** What every refusal says besides what is wrong. */
export function told({ headers }: Answered, code: string) {
  const publicUrl = (env as unknown as { PUBLIC_URL: string }).PUBLIC_URL
  return { doc_url: `${publicUrl}/docs/errors#${code}`, request_id: headers.get('X-Request-Id') }
}

export function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/** The route's path with every parameter replaced. */
export function pathWith(route: Route, parameter: string): string {
  return route.path.replace(/:\w+/g, parameter)
}
