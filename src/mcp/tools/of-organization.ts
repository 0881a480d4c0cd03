import { bookingOutcome } from './booked.ts'
import { type Args, pick, type Tool, type ToolCall, zoneOf } from './tool.ts'

const FILTERS = [
  'status',
  'event_type_id',
  'invitee_email',
  'start_after',
  'start_before',
  'limit',
  'starting_after',
] as const

/** What needs a key of the organization. */
export const ORGANIZATION_TOOLS: readonly Tool[] = [
  {
    name: 'list_bookings',
    title: 'List bookings',
    description: "The organization's bookings, newest first. Filters take several values with commas.",
    needsKey: true,
    input: [...FILTERS, 'timezone'],
    required: [],
    output: ['data', 'has_more'],
    run: listBookings,
  },
  {
    name: 'explain_time',
    title: 'Explain a time',
    description: 'Why a start, or with date a whole day, can or cannot be booked.',
    needsKey: true,
    input: ['event_type_id', 'start_time', 'date', 'timezone', 'duration', 'seats'],
    required: ['event_type_id'],
    output: ['bookable', 'reasons', 'hosts', 'alternatives', 'open', 'closed'],
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
]

async function listBookings(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../resources/bookings/routes.ts')
  const body = (await call.ask(bookingRoutes, 'listBookings', { query: pick(args, ...FILTERS) })) as {
    readonly has_more: boolean
  }
  const next = body.has_more
    ? 'There are more: call again with starting_after, the id of the last one.'
    : 'This is all. Say times as local_start tells them.'
  return { body, zone: zoneOf(args), next }
}

async function explainTime(call: ToolCall, args: Args) {
  const { explanationRoutes } = await import('../../resources/explanations/routes.ts')
  const about =
    args.start_time === undefined ? (['date', 'timezone'] as const) : (['start_time', 'date'] as const)
  const query = pick(args, ...about, 'duration', 'seats')
  const body = (await call.ask(explanationRoutes, 'explain', {
    params: { id: args.event_type_id },
    query,
  })) as {
    readonly bookable?: boolean
  }
  const next = body.bookable
    ? 'It can be booked: call book or hold_time.'
    : 'Tell the user the reasons, and offer what is open instead.'
  return { body, zone: zoneOf(args), next }
}

async function approveBooking(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../resources/bookings/routes.ts')
  const approved = await call.act(bookingRoutes, 'approveBooking', { params: pick(args, 'id') })
  return bookingOutcome(call, args, approved)
}
