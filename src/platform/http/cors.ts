import type { Route } from './route.ts'

/** Whether browsers on any site may call it. Endpoints that need a key allow no other origin. */
export function isPublic({ auth }: Route): boolean {
  return auth === 'none' || auth === 'optional-key' || auth === 'key-or-token'
}

export function allowAnyOrigin(headers: Headers): void {
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'X-Request-Id, Idempotent-Replayed, Dry-Run, Retry-After')
}

export function preflight(routes: readonly Route[], path: string, requestId: string): Response {
  const called = routes.filter((route) => route.path === path && isPublic(route))
  const methods = called.map((route) => route.method)
  const takesTokens = called.some(
    ({ auth, knowsCallerBy, takesProof }) =>
      auth === 'key-or-token' || knowsCallerBy !== undefined || takesProof,
  )
  const headers = new Headers({
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': `${takesTokens ? 'Authorization, ' : ''}Content-Type, Idempotency-Key`,
    'Access-Control-Max-Age': '86400',
    'X-Request-Id': requestId,
  })
  allowAnyOrigin(headers)
  return new Response(null, { status: 204, headers })
}
