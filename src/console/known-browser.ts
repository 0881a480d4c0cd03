import { DAY_MS } from '../core/time-units.ts'
import { cookiesOf } from '../pages/open-page.ts'
import type { Page } from '../pages/page.ts'
import { hostCookie } from '../pages/session-cookie.ts'
import { addressOf } from '../people/sign-in/code.ts'
import type { SessionRow } from '../people/sign-in/sessions.ts'
import { openSealed, sealUntil } from '../platform/auth/seal-until.ts'
import { realNow } from '../platform/limits/clock.ts'

const KNOWN = '__Host-hf_known'
const PURPOSE = 'known-browser'
/** Browsers keep no cookie longer (RFC 6265bis, section 5.5). */
const LIFE_MS = 400 * DAY_MS
const MOST_ADDRESSES = 5

/** A browser, and the addresses that signed in with it, the last one first. */
type Known = { readonly browser: string; readonly emails: readonly string[] }

async function knownIn(page: Page): Promise<Known | null> {
  const sealed = cookiesOf(page.ctx.request).get(KNOWN)
  return sealed ? openSealed<Known>(page.ctx.env.ENCRYPTION_KEY, PURPOSE, sealed, realNow()) : null
}

/** The browser's id if the address signed in with it before; null for anonymous callers. */
export async function knownAs(page: Page, email: string): Promise<string | null> {
  const known = await knownIn(page)
  return known?.emails.includes(addressOf(email)) ? known.browser : null
}

/** The same for a session, which counts for its address until a cookie does. */
export async function knownBySession(
  page: Page,
  { id, email, memberId }: Pick<SessionRow, 'id' | 'email' | 'memberId'>,
): Promise<string | null> {
  return (await knownAs(page, email)) ?? (memberId === null ? id : null)
}

/** The cookie by which the browser is known as one that signed in as the address. */
export async function rememberBrowser(page: Page, email: string): Promise<string> {
  const known = await knownIn(page)
  const own: Known = {
    browser: known?.browser ?? crypto.randomUUID(),
    emails: [...new Set([email, ...(known?.emails ?? [])])].slice(0, MOST_ADDRESSES),
  }
  const sealed = await sealUntil(page.ctx.env.ENCRYPTION_KEY, PURPOSE, own, realNow() + LIFE_MS)
  return hostCookie(KNOWN, sealed, LIFE_MS)
}
