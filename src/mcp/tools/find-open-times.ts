import type { Availability } from '../../booking/hours/event-type/schema.ts'
import { invalid, Refused } from '../../platform/http/errors.ts'
import { Instant } from '../../platform/http/fields.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { limitOf } from './pages.ts'
import { NO_MORE } from './plan-limit.ts'
import { type Args, pathPart, pick, type Tool, type ToolCall } from './tool.ts'

const USUAL_SLOTS = 100

const ASKED = [
  'event_type_id',
  'start',
  'end',
  'timezone',
  'duration',
  'hold_token',
  'booking_id',
  'token',
] as const

type Slot = { readonly start_time: string }

export const FIND_OPEN_TIMES: Tool = {
  name: 'find_open_times',
  title: 'Find open times',
  description: 'The starts that can be booked, and the questions and places for the invitee.',
  input: [...ASKED, 'limit', 'starting_after'],
  required: ['event_type_id', 'start', 'end', 'timezone'],
  rows: ['slots', 'waitlist_slots'],
  output: [
    'event_type_id',
    'slots',
    'waitlist_slots',
    'plan_limit',
    'next_available',
    'has_more',
    'event_type',
  ],
  run: findOpenTimes,
}

async function findOpenTimes(call: ToolCall, args: Args) {
  const most = limitOf(args, USUAL_SLOTS)
  const isAfter = afterTeller(args.starting_after)
  const { availabilityRoutes } = await import('../../booking/slots/routes.ts')
  const query = pick(args, ...ASKED)
  const [asked, eventType] = await Promise.all([
    call.ask(availabilityRoutes.listOpenSlots, { query }),
    eventTypeOf(call, args),
  ])
  const { slots, waitlist_slots, ...about } = asked
  const [open, full] = [slots.filter(isAfter), waitlist_slots?.filter(isAfter)]
  const body = {
    ...about,
    slots: open.slice(0, most),
    ...(full && { waitlist_slots: full.slice(0, most) }),
    has_more: open.length > most || (full?.length ?? 0) > most,
    ...(eventType && { event_type: eventType }),
  }
  return { body, zone: asked.timezone, next: whatNext(asked, args), more: moreTimes }
}

/** Returns which starts come after the page before. */
function afterTeller(last: unknown): (slot: Slot) => boolean {
  if (last === undefined || last === null) return () => true
  const { data } = Instant.safeParse(last)
  if (data === undefined) throw invalid({ starting_after: problem('not_a_listed_start') })
  return ({ start_time }) => Date.parse(start_time) > data
}

/** Both lists go on after what both have told. */
function moreTimes({ slots, waitlist_slots = [] }: Args): string {
  const ends = [slots, waitlist_slots].flatMap((list) => (list as readonly Slot[]).at(-1)?.start_time ?? [])
  const from = ends.sort()[0]
  return from
    ? `There are more: call again with starting_after ${from}.`
    : 'There are more: ask for fewer days.'
}

function whatNext({ slots, waitlist_slots, next_available, plan_limit }: Availability, args: Args): string {
  if (slots.length > 0 && args.booking_id != null) {
    return 'Let the user choose by local_start, then pass that start_time on as new_start_time to reschedule_booking.'
  }
  if (slots.length > 0) {
    return 'Let the user choose by local_start, then pass that start_time on unchanged to hold_time or book.'
  }
  if (next_available)
    return 'Nothing is open here. The next open start is next_available: ask again from its date.'
  if (plan_limit) return NO_MORE
  if (waitlist_slots?.length) return 'Everything is full. Offer join_waitlist for one of waitlist_slots.'
  return 'Nothing is open within a year. Tell the user so.'
}

const TO_BOOK = [
  'title',
  'description',
  'duration_minutes',
  'duration_options',
  'timezone',
  'location',
  'price_amount',
  'price_currency',
  'max_attendees',
  'waitlist_enabled',
  'requires_approval',
  'verify_email',
  'questions',
] as const

/** What is needed to book; absent when only the key of another organization could see it. */
async function eventTypeOf(call: ToolCall, args: Args): Promise<object | null> {
  const { eventTypeRoutes } = await import('../../booking/event-types/routes.ts')
  const route = call.isPublic ? eventTypeRoutes.getPublicEventType : eventTypeRoutes.getEventType
  try {
    const found = await call.ask(route, { params: { id: pathPart(args, 'event_type_id') } })
    const names = found.places.length > 0 ? [...TO_BOOK, 'places'] : TO_BOOK
    return Object.fromEntries(names.map((name) => [name, (found as Args)[name]]))
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
