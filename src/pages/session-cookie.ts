import { SECOND_MS } from '../core/time-units.ts'
import { IDLE_MS } from '../people/sign-in/sessions.ts'
import { cookiesOf } from './open-page.ts'
import type { Page } from './page.ts'

/**
 * The session of the console. With the prefix `__Host-`, browsers accept a cookie only with `Secure`, for all paths and for
 * this host alone (RFC 6265bis, section 4.1.3).
 */
const SESSION = '__Host-hf_session'

/** A cookie that scripts do not see and other sites do not send along. */
export function hostCookie(name: `__Host-${string}`, value: string, lifeMs: number): string {
  return `${name}=${value}; Path=/; Max-Age=${lifeMs / SECOND_MS}; HttpOnly; Secure; SameSite=Lax`
}

export function withCookie(page: Page, ...cookies: readonly string[]): Page {
  return { ...page, cookies: [...page.cookies, ...cookies] }
}

/** The token of the session, which only the browser holds. */
export function sessionTokenOf(page: Page): string | null {
  return cookiesOf(page.ctx.request).get(SESSION) || null
}

export function keepSession(token: string): string {
  return hostCookie(SESSION, token, IDLE_MS)
}

export function dropSession(): string {
  return hostCookie(SESSION, '', 0)
}
