import { cookiesOf } from '../pages/open-page.ts'
import type { Page } from '../pages/page.ts'
import { hostCookie } from '../pages/session-cookie.ts'
import { CODE_LIFE_MS } from '../people/sign-in/code.ts'

const ASKED = '__Host-hf_asked'

/** What a browser has asked a code for, sealed. */
export function askedOf(page: Page): string | null {
  return cookiesOf(page.ctx.request).get(ASKED) || null
}

export function keepAsked(sealed: string): string {
  return hostCookie(ASKED, sealed, CODE_LIFE_MS)
}

export function dropAsked(): string {
  return hostCookie(ASKED, '', 0)
}
