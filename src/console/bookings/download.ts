import { requestsOf, type SealedTexts, sealedTextsOf } from '../../booking/bookings/list/agenda.ts'
import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Booking } from '../../booking/bookings/schema.ts'
import { answerText } from '../../booking/questions/answer-text.ts'
import { wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { plain } from '../../pages/respond.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { minorDigits } from '../../platform/i18n/format.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { namesOf } from './names-of.ts'
import { narrowedQuery } from './narrowed.tsx'
import { agendaFor, type View, viewIn } from './views.ts'

const MOST = 1_000

/** What a view shows, for a spreadsheet. */
export async function downloadBookings(request: MemberRequest): Promise<Response> {
  const { page } = request
  const view = viewIn(page.url)
  const bookings = await loadAll(request, view)
  const ids = bookings.map(({ id }) => id)
  const sealed = await sealedTextsOf(page.ctx.env, request, ids)
  const lines = bookings.map((booking) => lineOf(booking, request, sealed.get(booking.id)))
  const head = textsOf(page.locale, bookingsTexts).csvHead
  const headers = { 'Content-Disposition': `attachment; filename="bookings-${view}.csv"` }
  // Spreadsheets take the text for UTF-8 by the mark at its beginning.
  return plain(page, 'text/csv', `\ufeff${[head, ...lines].join('\r\n')}\r\n`, { isPrivate: true, headers })
}

/** All of an address with `email` and all of a narrowed list, as the endpoint lists them; else what the view shows. */
async function loadAll(request: MemberRequest, view: View): Promise<readonly Row[]> {
  const { page, now } = request
  const email = page.url.searchParams.get('email')
  if (email === null && view === 'requests') {
    return (await requestsOf(page.ctx.env, request, { now, after: null, limit: MOST })).data
  }
  if (email === null && view !== 'all')
    return (await agendaFor(request, view === 'waitlist' || view === 'requests' ? 'upcoming' : view, MOST))
      .data
  const query = email === null ? narrowedQuery(request) : { invitee_email: email }
  const theirs = await listAll(request, bookingRoutes.listBookings, {
    ...(query as Partial<typeof query>),
    expand: 'event_type',
  })
  return theirs.map(({ event_type, ...booking }) => ({ ...booking, event_title: event_type?.title ?? '' }))
}

type Row = Booking & { readonly event_title: string }

/** The place before white space or a sign that would begin a formula, at the beginning of a cell. */
const FORMULA =
  /^(?=[\t\r])|(?<=(?:^|[;\t\r\n])["\s\p{Cc}\p{Default_Ignorable_Code_Point}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/gu

function lineOf(booking: Row, { page, zone }: MemberRequest, sealed: SealedTexts | undefined): string {
  const { payment, hosts } = booking
  const answers = sealed?.answers ?? []
  const cells = [
    booking.start_time,
    booking.end_time,
    booking.status,
    booking.event_title,
    booking.invitee_name,
    booking.invitee_email ?? '',
    String(booking.attendee_count),
    namesOf(hosts),
    payment ? amountOf(payment) : '',
    payment?.currency ?? '',
    booking.id,
    localOf(booking.start_time, zone),
    localOf(booking.end_time, zone),
    zone,
    sealed?.phone ?? '',
    booking.notes ?? '',
    answers.map(({ label, value }) => `${label}: ${answerText(page.locale, value)}`).join('\n'),
  ]
  return cells.map(cellOf).join(',')
}

/** As spreadsheets read a moment. */
function localOf(instant: string, zone: string): string {
  const at = Date.parse(instant)
  const wall = wallTimeOf(zoneTable(zone, at, at + 1), at)
  return new Date(wall).toISOString().slice(0, 16).replace('T', ' ')
}

/** As spreadsheets count. */
function amountOf({ amount, currency }: NonNullable<Row['payment']>): string {
  const digits = minorDigits(currency.toUpperCase())
  return (amount / 10 ** digits).toFixed(digits)
}

/**
 * Spreadsheets run a cell that begins like a formula, and names may be anybody's. White space may stand before the sign, and some
 * take its wide forms for it. Where commas are for decimals, a cell begins behind each semicolon, whatever quotes are around it.
 */
function cellOf(text: string): string {
  const harmless = text.replace(FORMULA, "'")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
