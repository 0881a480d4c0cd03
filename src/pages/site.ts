import { ACCOUNT_PROVIDERS, callbackPath } from '../calendars/accounts/providers.ts'
import type { OAuthProvider } from '../calendars/oauth/oauth-config.ts'
import { bookSlot } from './book-slot.tsx'
import { showBooked } from './booked.tsx'
import { cancelPage } from './cancel.tsx'
import { changeBooking, showChange } from './change.tsx'
import { answerConsent, askConsent } from './consent.tsx'
import { decideRequest, showRequest } from './decide.tsx'
import { placeDragged, showDragged } from './dragged.tsx'
import { showEvent } from './event.tsx'
import { calendarFeed } from './feed.ts'
import { calendarDownload } from './ics.ts'
import { answerInvitation, showInvitation } from './invitation.tsx'
import { showListing } from './listing.tsx'
import { showBooking } from './manage.tsx'
import { withMarkdown } from './markdown/wants-markdown.ts'
import { eventMarkdown, listingMarkdown, llmsText } from './markdown/write-pages.ts'
import { moveBooking, showMove } from './move.tsx'
import type { Handler } from './page.ts'
import type { PageRoute } from './page-route.ts'
import { showPaid } from './paid.tsx'
import { payBooking } from './pay-later.tsx'
import { showRoot } from './root.tsx'
import { cancelSeriesPage, showSeries } from './series.tsx'
import { showImage } from './show-image.ts'
import { joinLine, leaveLine, showEntry } from './wait.tsx'

const ORG = '(?<org>[a-z0-9-]{1,63})'
const EVENT = '(?<event>[a-z0-9-]{1,63})'
const ID = '(?<id>[0-9a-fA-F-]{36})'

function at(path: string): RegExp {
  return new RegExp(`^${path}/?$`)
}

const lateMarkdown: Handler = async (page, params) =>
  (await import('./docs/show-doc.tsx')).showDocMarkdown(page, params)
const lateDoc = withMarkdown(
  async (page, params) => (await import('./docs/show-doc.tsx')).showDoc(page, params),
  lateMarkdown,
)

/** Every page there is. */
export const SITE: readonly PageRoute[] = [
  { path: /^\/$/, GET: showRoot },
  { path: /^\/llms\.txt$/, GET: llmsText },
  {
    path: /^\/llms-full\.txt$/,
    GET: async (page) => (await import('./docs/show-doc.tsx')).showEverything(page),
  },
  { path: at('/docs'), GET: lateDoc },
  { path: /^\/docs\.md$/, GET: lateMarkdown },
  {
    path: at('/docs/reference'),
    GET: withMarkdown(
      async (page) => (await import('./docs/show-reference.tsx')).showReference(page),
      async (page) => (await import('./docs/show-doc.tsx')).showDocMarkdown(page, { doc: 'reference' }),
    ),
  },
  { path: /^\/docs\/(?<doc>[a-z-]+)\.md$/, GET: lateMarkdown },
  { path: at('/docs/(?<doc>[a-z-]+)'), GET: lateDoc },
  { path: at(`/book/${ORG}`), GET: withMarkdown(showListing, listingMarkdown) },
  { path: new RegExp(`^/book/${ORG}\\.md$`), GET: listingMarkdown },
  { path: at(`/book/${ORG}/${EVENT}`), GET: withMarkdown(showEvent, eventMarkdown), POST: bookSlot },
  { path: new RegExp(`^/book/${ORG}/${EVENT}\\.md$`), GET: eventMarkdown },
  { path: at(`/book/${ORG}/${EVENT}/booked/${ID}`), GET: showBooked },
  { path: at(`/book/${ORG}/${EVENT}/waitlist`), POST: joinLine },
  { path: at(`/book/${ORG}/${EVENT}/waiting/${ID}`), GET: showEntry },
  { path: at(`/bookings/series/${ID}`), GET: showSeries },
  { path: at(`/bookings/series/${ID}/cancel`), POST: cancelSeriesPage },
  { path: at(`/bookings/${ID}`), GET: showBooking },
  { path: at(`/bookings/${ID}/cancel`), POST: cancelPage },
  { path: at(`/bookings/${ID}/change`), GET: showChange, POST: changeBooking },
  { path: at(`/bookings/${ID}/pay`), POST: payBooking },
  { path: at(`/bookings/${ID}/paid`), GET: showPaid },
  { path: at(`/bookings/${ID}/reschedule`), GET: showMove, POST: moveBooking },
  { path: at(`/bookings/${ID}/invite\\.ics`), GET: calendarDownload },
  { path: /^\/calendar-feeds\/(?<token>[0-9a-f]{64}[1-9a-f]?)\.ics$/, GET: calendarFeed },
  { path: /^\/media\/(?<hash>[0-9a-f]{64}[1-9a-f]?)\.(?<ext>[a-z]+)$/, GET: showImage },
  { path: at(`/requests/${ID}`), GET: showRequest, POST: decideRequest },
  { path: at(`/requests/${ID}/event`), GET: showDragged, POST: placeDragged },
  { path: at(`/waitlist/${ID}`), GET: showEntry },
  { path: at(`/waitlist/${ID}/leave`), POST: leaveLine },
  { path: at('/invitations'), GET: showInvitation, POST: answerInvitation },
  ...(Object.keys(ACCOUNT_PROVIDERS) as OAuthProvider[]).map((provider) => ({
    path: at(callbackPath(provider)),
    GET: askConsent(provider),
    POST: answerConsent(provider),
  })),
]
