import { formatDate, parseDate, startOfDateIn } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { todayOf } from '../bookings/views.ts'
import { mondayOf } from '../hours/time-off.tsx'
import type { MemberRequest } from '../request.ts'

export const VIEWS = ['day', 'week', 'month'] as const
export type View = (typeof VIEWS)[number]

/** The days that are shown. Dates are the midnights they would be in UTC. */
export type Shown = {
  readonly view: View
  /** The date that was asked for. */
  readonly from: number
  readonly days: readonly number[]
  /** The instants between which they are, in the request's zone. */
  readonly start: number
  readonly end: number
  readonly earlier: number
  readonly later: number
  readonly filters: Readonly<Partial<Record<Filter, string>>>
}

export const FILTERS = ['member_id', 'event_type_id', 'resource_id'] as const
export type Filter = (typeof FILTERS)[number]

export function shownBy(request: MemberRequest): Shown {
  const { searchParams } = request.page.url
  const asked = searchParams.get('view')
  // Seven columns are too narrow on a phone, which says so without a script.
  const isPhone = request.page.ctx.request.headers.get('sec-ch-ua-mobile') === '?1'
  const view = VIEWS.find((one) => one === asked) ?? (isPhone ? 'day' : 'week')
  const from = parseDate(searchParams.get('from') ?? '') ?? todayOf(request)
  const first = view === 'day' ? from : mondayOf(view === 'week' ? from : firstOfMonth(from, 0))
  const length = view === 'day' ? 1 : view === 'week' ? 7 : weeksFrom(first, firstOfMonth(from, 1)) * 7
  const days = Array.from({ length }, (_, at) => first + at * DAY_MS)
  const { zone } = request
  return {
    view,
    from,
    days,
    start: startOfDateIn(zone, first),
    end: startOfDateIn(zone, first + length * DAY_MS),
    earlier: view === 'month' ? firstOfMonth(from, -1) : first - length * DAY_MS,
    later: view === 'month' ? firstOfMonth(from, 1) : first + length * DAY_MS,
    filters: Object.fromEntries(
      FILTERS.flatMap((name) => (searchParams.get(name) ? [[name, searchParams.get(name)!]] : [])),
    ),
  }
}

function firstOfMonth(date: number, added: number): number {
  const day = new Date(date)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + added, 1)
}

function weeksFrom(monday: number, end: number): number {
  return Math.ceil((end - monday) / (7 * DAY_MS))
}

/** The address of the calendar with another view or date. */
export function addressOf({ view, from, filters }: Pick<Shown, 'view' | 'from' | 'filters'>): string {
  const query = new URLSearchParams({ view, from: formatDate(from), ...filters })
  return `/console/calendar?${query}`
}
