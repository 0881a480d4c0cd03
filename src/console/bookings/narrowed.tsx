import type { AgendaBooking } from '../../booking/bookings/list/agenda.ts'
import { bookingRoutes } from '../../booking/bookings/routes.ts'
import { BookingStatus } from '../../booking/bookings/schema.ts'
import { canBeSought } from '../../booking/bookings/search/schema.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { formatDate, startOfDateIn } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import { bookingListTexts } from '../../platform/i18n/console/booking-lists.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { need } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { SelectField, TextField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'
import { A_PAGE, dateIn } from './views.ts'

const STATUSES = BookingStatus.options
const STATUS_TEXTS = {
  pending_payment: 'pending_payment',
  pending_approval: 'pending_approval',
  confirmed: 'confirmed',
  rescheduled: 'rescheduled',
  cancelled: 'cancelledStatus',
} as const

/** What the list of all bookings is narrowed to. */
type Asked = {
  readonly words: string
  readonly from: number | null
  readonly until: number | null
  readonly host: string
  readonly type: string
  readonly status: string
}

function askedIn({ url }: MemberRequest['page']): Asked {
  const text = (name: string) => (url.searchParams.get(name) ?? '').trim().slice(0, 100)
  return {
    words: text('q'),
    from: dateIn(url, 'from'),
    until: dateIn(url, 'until'),
    host: text('host'),
    type: text('type'),
    status: text('status'),
  }
}

/** The same as the end of an address: of the next part of the list, and of the file. */
export function narrowedSearch({ page }: MemberRequest): string {
  const { words, from, until, host, type, status } = askedIn(page)
  const sought = new URLSearchParams({ view: 'all' })
  const dates = {
    from: from === null ? '' : formatDate(from),
    until: until === null ? '' : formatDate(until),
  }
  for (const [name, value] of Object.entries({ q: words, ...dates, host, type, status })) {
    if (value !== '') sought.set(name, value)
  }
  return `?${sought}`
}

/** The same as the endpoint takes it: the earliest first from a date on, else the latest first. */
export function narrowedQuery({ page, zone }: MemberRequest) {
  const { words, from, until, host, type, status } = askedIn(page)
  return {
    sort: 'start_time',
    order: from === null ? 'desc' : 'asc',
    ...(words !== '' && { q: words }),
    // Both bounds are exclusive.
    ...(from !== null && { start_after: new Date(startOfDateIn(zone, from) - 1).toISOString() }),
    ...(until !== null && { start_before: new Date(startOfDateIn(zone, until + DAY_MS)).toISOString() }),
    ...(host !== '' && { member_id: host }),
    ...(type !== '' && { event_type_id: type }),
    ...(STATUSES.some((one) => one === status) && { status }),
  }
}

/** Nothing is found by words that are too short. */
export function mayFind({ page }: MemberRequest): boolean {
  const { words } = askedIn(page)
  return words === '' || canBeSought(words)
}

type Narrowed = {
  readonly bookings: readonly AgendaBooking[]
  readonly hasMore: boolean
  readonly hosts: readonly { readonly id: string; readonly name: string }[]
  readonly types: readonly { readonly id: string; readonly title: string }[]
}

/** A part of all bookings, cancelled ones too. */
export async function loadNarrowed(request: MemberRequest): Promise<Narrowed> {
  const { page } = request
  const after = page.url.searchParams.get('after')
  const query = {
    ...narrowedQuery(request),
    limit: String(A_PAGE),
    ...(after !== null && { starting_after: after }),
  }
  const params = { orgId: request.organizationId }
  const [found, types, members] = await Promise.all([
    mayFind(request) ? need(request, bookingRoutes.listBookings, { query }) : { data: [], has_more: false },
    listAll(request, eventTypeRoutes.listEventTypes),
    need(request, memberRoutes.listMembers, { params }),
  ])
  const { isGone } = textsOf(page.locale, bookingListTexts)
  const known = new Map(types.map((one) => [one.id, one]))
  return {
    bookings: found.data.map((booking) => ({
      ...booking,
      event_title: known.get(booking.event_type_id)?.title ?? isGone,
      event_color: known.get(booking.event_type_id)?.color ?? '',
    })),
    hasMore: found.has_more,
    hosts: members.data.map(({ id, name, user_email }) => ({ id, name: name ?? user_email })),
    types,
  }
}

/** The form that narrows the list. */
export function NarrowForm({ request, hosts, types }: { readonly request: MemberRequest } & Narrowed) {
  const { page } = request
  const { locale } = page
  const texts = textsOf(locale, bookingListTexts)
  const states = textsOf(locale, bookingsTexts)
  const { words, from, until, host, type, status } = askedIn(page)
  const date = (name: 'from' | 'until', value: number | null) => (
    <TextField
      locale={locale}
      name={name}
      label={texts[name]}
      type="date"
      value={value === null ? '' : formatDate(value)}
      isOptional
    />
  )
  const choice = (
    name: string,
    label: string,
    value: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <SelectField
      locale={locale}
      name={name}
      label={label}
      value={value}
      options={[['', texts.any] as const, ...options].map(([one, text]) => ({ value: one, text }))}
    />
  )
  return (
    <search>
      <GetForm action="/console/bookings" class="search panel" label={texts.narrow}>
        <input type="hidden" name="view" value="all" />
        <TextField locale={locale} name="q" label={texts.words} type="search" value={words} isOptional />
        {date('from', from)}
        {date('until', until)}
        {choice(
          'host',
          texts.host,
          host,
          hosts.map(({ id, name }) => [id, `\u2068${name}\u2069`]),
        )}
        {choice(
          'type',
          texts.eventType,
          type,
          types.map(({ id, title }) => [id, `\u2068${title}\u2069`]),
        )}
        {choice(
          'status',
          texts.status,
          status,
          STATUSES.map((one) => [one, states[STATUS_TEXTS[one]]]),
        )}
        <button type="submit" class="soft-button">
          {texts.show}
        </button>
        <a href="/console/bookings?view=all">{texts.clear}</a>
      </GetForm>
    </search>
  )
}
