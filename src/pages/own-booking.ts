import { getBookingForInvitee } from '../booking/bookings/get-for-invitee.ts'
import type { CreatedBooking } from '../booking/bookings/schema.ts'
import { Refused } from '../platform/http/errors.ts'
import { formatInstant } from '../platform/http/instants.ts'
import { doneByForm } from './ask.ts'
import { cookiesOf } from './open-page.ts'
import type { Page } from './page.ts'

const COOKIE = 'hf_booked'
const DAY_S = 86_400

/** What this browser booked last on the page of an event type. */
type OwnBooking = { readonly start: number; readonly id: string; readonly token: string }

/** Lets the page of the event type know, and no other, what this browser has booked on it. */
export function bookedCookie(page: Page, path: string, { start, id, token }: OwnBooking): string {
  const isSecure = page.url.protocol === 'https:'
  // In a frame of another site, only a cookie of that frame comes back.
  const reach = page.isEmbedded && isSecure ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
  const value = encodeURIComponent(`${start}.${id}.${token}`)
  return `${COOKIE}=${value}; Path=${path}; Max-Age=${DAY_S}; HttpOnly; ${reach}${isSecure ? '; Secure' : ''}`
}

/**
 * This browser's booking that begins at `start`; null when it was rescheduled or cancelled since. One round trip, and none if
 * this browser has booked nothing there.
 */
export async function ownBookingAt({ ctx }: Page, start: number): Promise<OwnBooking | null> {
  const [at, id, token] = (cookiesOf(ctx.request).get(COOKIE) ?? '').split('.')
  return Number(at) === start && id && token ? stillAt(ctx, start, id, token) : null
}

/**
 * The booking that a form made at `start` although its answer was lost: the form was changed since, and is another request. The
 * form's key proves that this person made it.
 */
export async function bookingOfForm(
  { ctx }: Page,
  eventTypeId: string,
  formKey: string,
  start: number,
): Promise<OwnBooking | null> {
  const done = (await doneByForm(ctx, eventTypeId, formKey)) as readonly Partial<CreatedBooking>[]
  const made = done.find(({ start_time }) => start_time === formatInstant(start))
  return made?.id && made.cancel_token ? stillAt(ctx, start, made.id, made.cancel_token) : null
}

async function stillAt(
  ctx: Page['ctx'],
  start: number,
  id: string,
  token: string,
): Promise<OwnBooking | null> {
  try {
    const { booking } = await getBookingForInvitee(ctx, id, token)
    const isStill = booking.status !== 'cancelled' && Date.parse(booking.start_time) === start
    return isStill ? { start, id: booking.id, token } : null
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
