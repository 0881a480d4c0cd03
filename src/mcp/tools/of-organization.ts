import { invalid } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { bookingOutcome } from './booked.ts'
import { lean, limitOf, MOST_OF_API, NEXT_PAGE } from './pages.ts'
import { type Args, pathPart, pick, type Tool, type ToolCall, zoneOf } from './tool.ts'

const FILTERS = [
  'status',
  'event_type_id',
  'invitee_email',
  'start_after',
  'start_before',
  'starting_after',
] as const

const USUAL_BOOKINGS = 20
const USUAL_SESSIONS = 50

/** What needs a key of the organization. */
export const ORGANIZATION_TOOLS: readonly Tool[] = [
  {
    name: 'list_bookings',
    title: 'List bookings',
    description: "The organization's bookings, newest first. Filters take several values with commas.",
    needsKey: true,
    input: [...FILTERS, 'limit', 'timezone'],
    required: [],
    rows: ['data'],
    output: ['data', 'has_more'],
    run: listBookings,
  },
  {
    name: 'list_sessions',
    title: 'List sessions',
    description:
      'The booked starts of a group event type, earliest first: seats, how many are taken, who waits.',
    needsKey: true,
    input: ['event_type_id', 'from', 'to', 'limit', 'starting_after', 'timezone'],
    required: ['event_type_id'],
    rows: ['data'],
    output: ['data', 'has_more'],
    run: listSessions,
  },
  {
    name: 'explain_time',
    title: 'Explain availability',
    description: 'Why a start, or with date a whole day, can or cannot be booked.',
    needsKey: true,
    input: ['event_type_id', 'start_time', 'date', 'timezone', 'duration', 'seats'],
    required: ['event_type_id'],
    rows: ['reasons', 'hosts', 'open', 'closed'],
    output: ['bookable', 'reasons', 'hosts', 'alternatives', 'open', 'closed', 'has_more'],
    run: explainTime,
  },
  {
    name: 'approve_booking',
    title: 'Approve a booking',
    description: 'Approves a booking that is pending_approval.',
    needsKey: true,
    writes: true,
    input: ['id', 'timezone'],
    required: ['id'],
    output: ['id', 'status', 'start_time', 'local_start', 'end_time'],
    run: approveBooking,
  },
  {
    name: 'reassign_booking',
    title: 'Hand over a booking',
    description: 'Another host takes over a booking, at the same time.',
    needsKey: true,
    writes: true,
    destroys: true,
    input: ['id', 'member_id', 'from_member_id', 'reason', 'timezone'],
    required: ['id'],
    output: ['id', 'status', 'start_time', 'local_start', 'end_time', 'assigned_host'],
    run: reassignBooking,
  },
]

/** What a booking is in a list; get_booking has the rest. */
const LEAN = [
  'id',
  'event_type_id',
  'status',
  'start_time',
  'end_time',
  'invitee_name',
  'invitee_email',
  'attendee_count',
  'assigned_host',
] as const

async function listBookings(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const limit = Math.min(limitOf(args, USUAL_BOOKINGS), MOST_OF_API)
  const query = { ...pick(args, ...FILTERS), limit }
  const { data, has_more } = await call.ask(bookingRoutes.listBookings, { query })
  const body = { data: data.map((one) => lean(one, LEAN)), has_more }
  const next = 'Say times as in local_start. get_booking returns all fields of one.'
  return { body, zone: zoneOf(args), next, more: () => NEXT_PAGE }
}

async function listSessions(call: ToolCall, args: Args) {
  const { sessionRoutes } = await import('../../booking/sessions/routes.ts')
  const most = limitOf(args, USUAL_SESSIONS)
  const query = pick(args, 'from', 'to')
  const { data: all } = await call.ask(sessionRoutes.listSessions, {
    params: { id: pathPart(args, 'event_type_id') },
    query,
  })
  const after = args.starting_after ?? null
  const last = after === null ? -1 : all.findIndex(({ id }) => id === after)
  if (after !== null && last < 0) throw invalid({ starting_after: problem('not_in_list') })
  const rest = all.slice(last + 1)
  const body = { data: rest.slice(0, most), has_more: rest.length > most }
  const next = 'Say times as in local_start. get_booking returns each of booking_ids.'
  return { body, zone: zoneOf(args), next, more: () => NEXT_PAGE }
}

async function explainTime(call: ToolCall, args: Args) {
  const { explanationRoutes } = await import('../../booking/slots/explain/routes.ts')
  const about =
    args.start_time === undefined ? (['date', 'timezone'] as const) : (['start_time', 'date'] as const)
  const query = pick(args, ...about, 'duration', 'seats')
  const params = { id: pathPart(args, 'event_type_id') }
  const body = await call.ask(explanationRoutes.explain, { params, query })
  const next =
    'bookable' in body && body.bookable
      ? 'It can be booked: call book or hold_time.'
      : 'Tell the user the reasons, and offer what is open instead.'
  return { body, zone: zoneOf(args), next }
}

async function approveBooking(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const approved = await call.act(bookingRoutes.approveBooking, { params: { id: pathPart(args, 'id') } })
  return bookingOutcome(call, args, approved)
}

async function reassignBooking(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const input = {
    params: { id: pathPart(args, 'id') },
    body: pick(args, 'member_id', 'from_member_id', 'reason'),
  }
  const reassigned = await call.act(bookingRoutes.reassignBooking, input)
  const outcome = await bookingOutcome(call, args, reassigned)
  const { assigned_host: host, status } = reassigned.body
  if (outcome.isReplay || status === 'cancelled' || !host) return outcome
  return {
    ...outcome,
    next: `Say that assigned_host is the host now. Host, previous host and invitee get an email.`,
  }
}
