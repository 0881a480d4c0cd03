import { invalid, Refused } from '../../http/errors.ts'
import { type Args, pick, type Tool, type ToolCall, zoneOf } from './tool.ts'

const USUAL_SLOTS = 100
const MOST_SLOTS = 500

type Listed = {
  readonly available: boolean
  readonly event_types?: readonly unknown[]
  readonly plan_limit?: true
}
type Open = {
  readonly slots: readonly unknown[]
  readonly waitlist_slots?: readonly unknown[]
  readonly next_available?: string | null
  readonly plan_limit?: true
  readonly timezone: string
}

export const FIND_TOOLS: readonly Tool[] = [
  {
    name: 'find_event_types',
    title: 'Find what can be booked',
    description: 'What an organization offers. With a key and without organization: your own.',
    input: ['organization'],
    required: [],
    output: ['org_name', 'org_slug', 'available', 'plan_limit', 'event_types'],
    run: findEventTypes,
  },
  {
    name: 'find_open_times',
    title: 'Find open times',
    description: 'The starts that can be booked, and what the organization asks of whoever books.',
    input: ['event_type_id', 'start', 'end', 'timezone', 'duration', 'hold_token', 'limit'],
    required: ['event_type_id', 'start', 'end', 'timezone'],
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
  },
]

const NO_MORE = 'Tell the user that this organization can take no more bookings until next month.'

async function findEventTypes(call: ToolCall, args: Args) {
  const next = 'Call find_open_times with the id of one as event_type_id, and the time zone of the person.'
  const organization = args.organization ?? null
  if (organization === null && !call.isPublic) {
    const { eventTypeRoutes } = await import('../../resources/event-types/routes.ts')
    const query = { active: 'true', limit: 100 }
    const { data } = (await call.ask(eventTypeRoutes, 'listEventTypes', { query })) as {
      data: readonly unknown[]
    }
    return { body: { available: true, event_types: data }, zone: zoneOf(args), next }
  }
  const { bookingPageRoutes } = await import('../../resources/booking-pages/routes.ts')
  if (organization === null) throw invalid({ organization: 'Is required.' })
  const params = { orgSlug: slugIn(String(organization)) }
  const { branding: _, ...page } = (await call.ask(bookingPageRoutes, 'getListingPage', {
    params,
  })) as Listed & {
    branding: unknown
  }
  const isOpen = page.available && page.event_types?.length && !page.plan_limit
  return {
    body: page,
    zone: zoneOf(args),
    next: isOpen ? next : page.plan_limit ? NO_MORE : 'Tell the user that nothing can be booked here now.',
  }
}

/** `acme`, or `https://…/book/acme/intro-call`. */
function slugIn(organization: string): string {
  return (/\/book\/([^/?#.]+)/.exec(organization)?.[1] ?? organization).trim().toLowerCase()
}

async function findOpenTimes(call: ToolCall, args: Args) {
  const most = Number(args.limit ?? USUAL_SLOTS)
  if (!(Number.isInteger(most) && most >= 1 && most <= MOST_SLOTS)) {
    throw invalid({ limit: `Must be a whole number from 1 to ${MOST_SLOTS}.` })
  }
  const { availabilityRoutes } = await import('../../resources/availability/routes.ts')
  const query = pick(args, 'event_type_id', 'start', 'end', 'timezone', 'duration', 'hold_token')
  const [asked, eventType] = await Promise.all([
    call.ask(availabilityRoutes, 'listOpenSlots', { query }) as Promise<Open>,
    eventTypeOf(call, args),
  ])
  const { slots, waitlist_slots, ...about } = asked
  const isCut = slots.length > most || (waitlist_slots?.length ?? 0) > most
  const body = {
    ...about,
    slots: slots.slice(0, most),
    ...(waitlist_slots && { waitlist_slots: waitlist_slots.slice(0, most) }),
    has_more: isCut,
    ...(eventType && { event_type: eventType }),
  }
  return { body, zone: asked.timezone, next: whatNext(asked, isCut) }
}

function whatNext({ slots, waitlist_slots, next_available, plan_limit }: Open, isCut: boolean): string {
  if (slots.length > 0) {
    const more = isCut ? ' There are more: ask again with fewer days or a later start.' : ''
    return `Let the user choose by local_start, then pass that start_time on unchanged to hold_time or book.${more}`
  }
  if (next_available)
    return 'Nothing is open here. The next open start is next_available: ask again from its date.'
  if (plan_limit) return NO_MORE
  if (waitlist_slots?.length) return 'Everything is full. Offer join_waitlist for one of waitlist_slots.'
  return 'Nothing is open within a year. Tell the user so.'
}

const TO_BOOK = [
  'title',
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

/** What whoever books must know; nothing where only the key of another organization would tell. */
async function eventTypeOf(call: ToolCall, { event_type_id: id }: Args): Promise<object | null> {
  const { eventTypeRoutes } = await import('../../resources/event-types/routes.ts')
  const operationId = call.isPublic ? 'getPublicEventType' : 'getEventType'
  try {
    const found = (await call.ask(eventTypeRoutes, operationId, { params: { id } })) as Args
    return Object.fromEntries(TO_BOOK.map((name) => [name, found[name]]))
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
