import { type AgendaPage, agendaOf } from '../../booking/bookings/list/agenda.ts'
import { dateInZone, parseDate, startOfDateIn } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { MemberRequest } from '../request.ts'

export const VIEWS = ['today', 'upcoming', 'past', 'requests', 'waitlist', 'cancelled', 'all'] as const
export type View = (typeof VIEWS)[number]
export const A_PAGE = 50
/** The end of the last year that can be booked. */
const FOR_EVER = Date.UTC(9999, 11, 31)

export function viewIn({ searchParams }: URL): View {
  if (searchParams.has('q')) return 'all'
  const asked = searchParams.get('view')
  return VIEWS.find((view) => view === asked) ?? 'upcoming'
}

/** Today in the request's zone, as the midnight it would be in UTC. */
export function todayOf({ now, zone }: Pick<MemberRequest, 'now' | 'zone'>): number {
  return dateInZone(zone, now)
}

/** What is booked, by its start, in one of the views that show it so. */
export function agendaFor(
  request: MemberRequest,
  view: Exclude<View, 'waitlist' | 'requests' | 'all'>,
  { limit = A_PAGE, after = afterIn(request.page.url) }: AgendaPage = {},
) {
  const { page, now, zone } = request
  const today = todayOf(request)
  const begins = startOfDateIn(zone, today)
  const tomorrow = startOfDateIn(zone, today + DAY_MS)
  const range = {
    today: { from: begins, until: tomorrow },
    upcoming: { from: now, until: FOR_EVER },
    past: { from: 0, until: now },
    cancelled: { from: 0, until: FOR_EVER },
  }[view]
  return agendaOf(page.ctx.env, request, {
    ...range,
    isBackwards: view === 'past' || view === 'cancelled',
    isCancelled: view === 'cancelled',
    after,
    limit,
  })
}

/** Where the part before ended, as the link to the next part says. */
function afterIn({ searchParams }: URL): { readonly start: number; readonly id: string } | null {
  const [start = '', id = ''] = (searchParams.get('after') ?? '').split('_')
  return /^\d{1,15}$/.test(start) && /^[0-9a-f-]{36}$/.test(id) ? { start: Number(start), id } : null
}

/** A date in an address, or none. */
export function dateIn({ searchParams }: URL, name: string): number | null {
  return parseDate(searchParams.get(name) ?? '')
}
