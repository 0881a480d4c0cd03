import { getBookingForInvitee } from '../booking/bookings/get-for-invitee.ts'
import { Refused } from '../platform/http/errors.ts'
import { linkTo, manner } from './links.ts'
import { cookiesOf } from './open-page.ts'
import type { Page, Params } from './page.ts'
import { html, seeOther } from './respond.ts'
import { Document } from './views/document.tsx'
import { Notice } from './views/notice.tsx'

const COOKIE = 'hf_paying'
const HOUR_S = 3_600

/** The address that the provider sends people back to. The provider sees it, so it has no token. */
export function returnPath(page: Page, bookingId: string): string {
  return linkTo(page.url, manner(page.url), `/bookings/${bookingId}/paid`)
}

/** The browser stores the token in the meantime, for the address above only. */
export function tokenCookie(page: Page, bookingId: string, token: string): string {
  const isSecure = page.url.protocol === 'https:'
  // In a frame of another site, only a cookie of that frame comes back.
  const reach = page.isEmbedded && isSecure ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
  const path = `/bookings/${bookingId}/paid`
  return `${COOKIE}=${encodeURIComponent(token)}; Path=${path}; Max-Age=${HOUR_S}; HttpOnly; ${reach}${isSecure ? '; Secure' : ''}`
}

/** There is no such booking, or this browser has no token for it. */
function isUnknown(error: unknown): boolean {
  return error instanceof Refused && ['not_found', 'unauthorized'].includes(error.refusal.code)
}

/** Where the provider sends people back to: on to their booking, or to their email in a browser that does not know it. */
export async function showPaid(page: Page, { id = '' }: Params): Promise<Response> {
  const token = cookiesOf(page.ctx.request).get(COOKIE) ?? ''
  const redirectStatus = page.url.searchParams.get('redirect_status')
  try {
    const { booking, eventType, organization } = await getBookingForInvitee(page.ctx, id, token)
    const path = `/book/${organization.slug}/${eventType.slug}/booked/${booking.id}`
    const to = linkTo(page.url, { ...manner(page.url), token }, path)
    return seeOther(page, redirectStatus === 'succeeded' ? `${to}&redirect_status=succeeded` : to)
  } catch (error) {
    if (!isUnknown(error)) throw error
  }
  const { texts } = page.locale
  const isPaid = redirectStatus === 'succeeded'
  const title = isPaid ? texts.paymentArrived : texts.payHeading
  return html(
    page,
    <Document page={page} title={title} isPrivate>
      <div class="card narrow">
        <Notice title={title} icon="wait" tone={isPaid ? 'good' : 'plain'}>
          <p>{texts.linkIsInEmail}</p>
        </Notice>
      </div>
    </Document>,
    { isPrivate: true, isFrameable: true },
  )
}
