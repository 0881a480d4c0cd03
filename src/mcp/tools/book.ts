import { afterBooking, bookingOutcome, CONFIRMING, inviteeIn } from './booked.ts'
import { type Args, pathPart, pick, type Tool, type ToolCall, zoneOf } from './tool.ts'

const BOOKING = ['id', 'status', 'start_time', 'local_start', 'end_time', 'payment'] as const

/** What update_booking changes, with and without a key. */
const CHANGES = [
  'invitee_name',
  'invitee_email',
  'invitee_timezone',
  'invitee_locale',
  'invitee_phone',
  'notes',
  'answers',
  'place_id',
  'location',
  'custom_meeting_url',
  'attendees',
  'guests',
] as const

export const BOOKING_TOOLS: readonly Tool[] = [
  {
    name: 'book',
    title: 'Book a time',
    description: 'Books an open start. Ask the user before.',
    writes: true,
    input: ['event_type_id', 'start_time', ...CONFIRMING, 'duration'],
    required: ['event_type_id', 'start_time', 'invitee_name', 'invitee_email'],
    output: [...BOOKING, 'cancel_token'],
    run: book,
  },
  {
    name: 'get_booking',
    title: 'Look at a booking',
    description: 'The current state of a booking, and whether it can be rescheduled and cancelled.',
    input: ['id', 'token', 'timezone'],
    required: ['id'],
    output: [...BOOKING, 'event_type', 'answers', 'allowed_actions'],
    run: getBooking,
  },
  {
    name: 'update_booking',
    title: 'Change a booking',
    description:
      'Corrects a booking, except its time. Lists replace those that are there. With a token only what the invitee said.',
    writes: true,
    destroys: true,
    input: ['id', 'token', ...CHANGES, 'timezone'],
    required: ['id'],
    output: [...BOOKING],
    run: updateBooking,
  },
  {
    name: 'reschedule_booking',
    title: 'Move a booking',
    description: 'Reschedules a booking to another open start. If that fails, it keeps its time.',
    writes: true,
    destroys: true,
    input: ['id', 'token', 'new_start_time', 'timezone', 'reason'],
    required: ['id', 'new_start_time'],
    output: [...BOOKING],
    run: reschedule,
  },
  {
    name: 'cancel_booking',
    title: 'Cancel a booking',
    description: 'Cancels a booking for good. Ask the user before.',
    writes: true,
    destroys: true,
    input: ['id', 'token', 'timezone', 'reason'],
    required: ['id'],
    output: [...BOOKING],
    run: cancel,
  },
]

async function book(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const body = { ...pick(args, 'event_type_id', 'start_time', 'duration'), ...inviteeIn(args) }
  return bookingOutcome(call, args, await call.act(bookingRoutes.createBooking, { body }))
}

async function getBooking(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const booked = await call.ask(bookingRoutes.getBooking, ofBooking(args))
  const zone = zoneOf(args, booked.invitee_timezone)
  return { body: booked, zone, next: afterBooking(call, booked, args.token as string | undefined, zone) }
}

async function updateBooking(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const body = pick(args, ...CHANGES)
  const updated = await call.act(bookingRoutes.updateBooking, { ...ofBooking(args), body })
  const outcome = await bookingOutcome(call, args, updated)
  if (outcome.isReplay || updated.body.status === 'cancelled') return outcome
  return { ...outcome, next: 'Say to the user what changed. The time is the same.' }
}

async function reschedule(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const body = pick(args, 'new_start_time', 'reason')
  return bookingOutcome(
    call,
    args,
    await call.act(bookingRoutes.rescheduleBooking, { ...ofBooking(args), body }),
  )
}

async function cancel(call: ToolCall, args: Args) {
  const { bookingRoutes } = await import('../../booking/bookings/routes.ts')
  const body = pick(args, 'reason')
  return bookingOutcome(call, args, await call.act(bookingRoutes.cancelBooking, { ...ofBooking(args), body }))
}

function ofBooking(args: Args) {
  return { params: { id: pathPart(args, 'id') }, query: pick(args, 'token') }
}
