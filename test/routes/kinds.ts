import type * as z from 'zod'
import type { Route } from '../../src/platform/http/route.ts'
import { openDocumented } from '../../src/routes.ts'
import { amount } from '../support/chance.ts'

/*
 * What is tried on every route, and what on a sample.
 *
 * On every route: what its own declaration or its own verb could get wrong. Which kinds of callers it lets in, from which
 * role on, by the service key and by keys; whether it needs an organization; what it hides from others and from the other
 * mode; what it leaves as it was; that its answer is of its schema, and its refusals are documented; its rate window, its
 * idempotency, its HEAD; its ids, each query parameter, each field of its body, missing and wrong; fields and parameters
 * that it does not know.
 *
 * On a sample, `isInSample`: what one piece of code says for all routes before it looks at more of a route than these
 * tests call its kind. The many shapes of a wrong Authorization header, X-Org-Id or X-Service-Mode, of a malformed id, of
 * a body that is no JSON or too large, the rate headers on every kind of refusal. Every route is tried with one or two
 * of each.
 */

export const documented = await openDocumented()
export const { routes } = documented

export const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)

/** What the code that serves every route looks at before a route's own verb does. */
function kindOf(route: Route): string {
  const { auth, method, permission, idempotency, hasDryRun, ignoresUnknownQuery } = route
  const { body, stream, file } = route.request
  const reads = [body, stream, file].map((one) => one !== undefined)
  const refuses = [permission === 'service-only', route.malformedId, route.isProvedByContent]
  return JSON.stringify([auth, method, idempotency, hasDryRun, ignoresUnknownQuery, ...reads, ...refuses])
}

const SAMPLE_OF_EACH_KIND = 2
const sample = new Set(
  [...Map.groupBy(routes, kindOf).values()].flatMap((alike) => alike.slice(0, SAMPLE_OF_EACH_KIND)),
)

/** Whether everything is tried on it: on a few of its kind, and in a nightly run on every route. */
export function isInSample(route: Route): boolean {
  return amount(0, 1) > 0 || sample.has(route)
}

export function shapeOf(schema: z.ZodObject | undefined): [string, z.ZodType][] {
  return Object.entries(schema?.shape ?? {}) as [string, z.ZodType][]
}

export function isPublic({ auth }: Route): boolean {
  return auth === 'none' || auth === 'optional-key' || auth === 'key-or-token'
}

export function takesApiKeys({ auth }: Route): boolean {
  return auth !== 'none' && auth !== 'service'
}

/** Whether API keys that are let in may do what it does. */
export function servesApiKeys(route: Route): boolean {
  return takesApiKeys(route) && route.permission !== 'service-only'
}
