import { cookiesOf } from './open-page.ts'
import type { Page } from './page.ts'

const COOKIE = 'hf_booked'
const DAY_S = 86_400

/** What this browser booked last on the page of an event type. */
export type OwnBooking = { readonly start: number; readonly id: string; readonly token: string }

/** Lets the page of the event type know, and no other, what this browser has booked on it. */
export function bookedCookie(page: Page, path: string, { start, id, token }: OwnBooking): string {
  const isSecure = page.url.protocol === 'https:'
  // In a frame of another site, only a cookie of that frame comes back.
  const reach = page.isEmbedded && isSecure ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
  const value = encodeURIComponent(`${start}.${id}.${token}`)
  return `${COOKIE}=${value}; Path=${path}; Max-Age=${DAY_S}; HttpOnly; ${reach}${isSecure ? '; Secure' : ''}`
}

/** The booking of this browser that begins at `start`. */
export function ownBookingAt(page: Page, start: number): OwnBooking | null {
  const [at, id, token] = (cookiesOf(page.ctx.request).get(COOKIE) ?? '').split('.')
  return Number(at) === start && id && token ? { start, id, token } : null
}
