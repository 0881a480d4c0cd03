import { escapeHtml, htmlPage } from '../pages.ts'
import type { Json, Reply } from '../world.ts'
import { newGuid } from './make-ids.ts'

/** learn.microsoft.com/entra/identity-platform/reference-error-codes: what every error of the login says. */
export type LoginError = {
  readonly error: string
  readonly code: number
  readonly message: string
  readonly suberror?: string | null
  /** A challenge of conditional access, as JSON in a string. */
  readonly claims?: string | null
}

const stamp = (nowMs: number) => `${new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')}Z`

export function describe(
  { code, message }: LoginError,
  nowMs: number,
  ids = { trace: newGuid(), correlation: newGuid() },
): string {
  return `AADSTS${code}: ${message} Trace ID: ${ids.trace} Correlation ID: ${ids.correlation} Timestamp: ${stamp(nowMs)}`
}

/** 401 where the client could not show who it is, else 400. */
export function refuseLogin(error: LoginError, nowMs: number): Reply {
  const ids = { trace: newGuid(), correlation: newGuid() }
  const json: Json = {
    error: error.error,
    error_description: describe(error, nowMs, ids),
    error_codes: [error.code],
    timestamp: stamp(nowMs),
    trace_id: ids.trace,
    correlation_id: ids.correlation,
    error_uri: `https://login.microsoftonline.com/error?code=${error.code}`,
    ...(error.suberror && { suberror: error.suberror }),
    ...(error.claims && { claims: error.claims }),
  }
  return { status: error.error === 'invalid_client' ? 401 : 400, json, headers: LOGIN_HEADERS }
}

export const LOGIN_HEADERS = {
  'Cache-Control': 'no-store, no-cache',
  Pragma: 'no-cache',
  'x-ms-request-id': newGuid(),
}

/** Errors before a safe redirect are shown to the person, and the app is not notified. */
export const showError = (error: LoginError, nowMs: number): Reply =>
  htmlPage(
    400,
    'Sorry, but we’re having trouble signing you in.',
    `<p>${escapeHtml(describe(error, nowMs))}</p>`,
  )
