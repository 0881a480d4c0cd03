import {
  filteredOf,
  requestsOf,
  type SealedTexts,
  sealedTextsOf,
  type TitledBooking,
} from '../../booking/bookings/list/agenda.ts'
import { BookingQuery } from '../../booking/bookings/list-filters/schema.ts'
import { answerText } from '../../booking/questions/answer-text.ts'
import { validate } from '../../platform/http/validate.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { minorDigits } from '../../platform/i18n/format.ts'
import type { MemberRequest } from '../request.ts'
import { AT_ONCE, allPages, localCell, type Table } from './csv.ts'
import { namesOf } from './names-of.ts'
import { mayFind, narrowedQuery } from './narrowed.tsx'
import { agendaFor, type View } from './views.ts'

/** All bookings of a view. */
export function bookingTable(request: MemberRequest, view: Exclude<View, 'waitlist'>): Table {
  return { head: textsOf(request.page.locale, bookingsTexts).csvHead, pages: cellPages(request, view) }
}

async function* cellPages(request: MemberRequest, view: Exclude<View, 'waitlist'>) {
  for await (const bookings of pagesOf(request, view)) {
    const ids = bookings.map(({ id }) => id)
    const sealed = await sealedTextsOf(request.page.ctx.env, request, ids)
    yield bookings.map((booking) => cellsOf(booking, request, sealed.get(booking.id)))
  }
}

function pagesOf(
  request: MemberRequest,
  view: Exclude<View, 'waitlist'>,
): AsyncGenerator<readonly TitledBooking[]> {
  const { now, page } = request
  const { env } = page.ctx
  if (view === 'all' && !mayFind(request)) return allPages(async () => ({ data: [], next: null }))
  if (view === 'all') {
    const query = { ...(validate(BookingQuery, narrowedQuery(request)) as BookingQuery), limit: AT_ONCE }
    return allPages((after: string | null) =>
      filteredOf(env, request, { ...query, ...(after !== null && { starting_after: after }) }),
    )
  }
  if (view === 'requests') {
    return allPages(async (after: string | null) => {
      const { data, hasMore } = await requestsOf(env, request, { now, after, limit: AT_ONCE })
      return { data, next: hasMore ? data.at(-1)!.id : null }
    })
  }
  type After = Awaited<ReturnType<typeof agendaFor>>['next']
  return allPages((after: After) => agendaFor(request, view, { after, limit: AT_ONCE }))
}

function cellsOf(
  booking: TitledBooking,
  { page, zone }: MemberRequest,
  sealed: SealedTexts | undefined,
): readonly string[] {
  const { payment, hosts } = booking
  const answers = sealed?.answers ?? []
  return [
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
    localCell(booking.start_time, zone),
    localCell(booking.end_time, zone),
    zone,
    sealed?.phone ?? '',
    booking.notes ?? '',
    answers.map(({ label, value }) => `${label}: ${answerText(page.locale, value)}`).join('\n'),
  ]
}

/** As spreadsheets count. */
function amountOf({ amount, currency }: NonNullable<TitledBooking['payment']>): string {
  const digits = minorDigits(currency.toUpperCase())
  return (amount / 10 ** digits).toFixed(digits)
}
