import { invalid } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { cutText } from '../untrusted.ts'
import { lean, limitOf, MOST_OF_API, NEXT_PAGE } from './pages.ts'
import { NO_MORE } from './plan-limit.ts'
import { type Args, pick, type Tool, type ToolCall, zoneOf } from './tool.ts'

export const FIND_EVENT_TYPES: Tool = {
  name: 'find_event_types',
  title: 'Find what can be booked',
  description: 'What an organization offers. With a key and without organization: your own.',
  input: ['organization', 'limit', 'starting_after'],
  required: [],
  rows: ['event_types'],
  output: ['org_name', 'org_slug', 'available', 'plan_limit', 'event_types', 'has_more'],
  run: findEventTypes,
}

/** An event type in a list; find_open_times returns what is needed to book it. */
const LEAN = [
  'id',
  'slug',
  'title',
  'description',
  'duration_minutes',
  'duration_options',
  'price_amount',
  'price_currency',
  'location',
] as const
const DESCRIPTION_CHARACTERS = 200

function leanType(eventType: Args): Args {
  const { description } = eventType
  const short = typeof description === 'string' ? cutText(description, DESCRIPTION_CHARACTERS) : null
  return { ...lean(eventType, LEAN), description: short }
}

async function findEventTypes(call: ToolCall, args: Args) {
  const next = 'Call find_open_times with the id of one as event_type_id, and the time zone of the person.'
  const limit = Math.min(limitOf(args, MOST_OF_API), MOST_OF_API)
  const zone = zoneOf(args)
  const more = () => NEXT_PAGE
  const organization = args.organization ?? null
  if (organization === null && !call.isPublic) {
    const { eventTypeRoutes } = await import('../../booking/event-types/routes.ts')
    const query = { active: 'true', listed: 'true', limit, ...pick(args, 'starting_after') }
    const { data, has_more } = await call.ask(eventTypeRoutes.listEventTypes, { query })
    return { body: { available: true, event_types: data.map(leanType), has_more }, zone, next, more }
  }
  const { bookingPageRoutes } = await import('../../booking/listing/routes.ts')
  if (organization === null) throw invalid({ organization: problem('required') })
  const params = { orgSlug: slugIn(String(organization)) }
  const query = { limit, ...pick(args, 'starting_after') }
  const page = await call.ask(bookingPageRoutes.getListingPage, { params, query })
  const rows = page.available ? page.event_types.map(leanType) : []
  const isOverLimit = page.available && page.plan_limit
  const { branding: _, ...about } = { has_more: false, ...page }
  const body = { ...about, ...(page.available && { event_types: rows }) }
  const isOpen = page.available && rows.length > 0
  const closed = isOverLimit ? NO_MORE : 'Tell the user that nothing can be booked here now.'
  return { body, zone, next: isOpen && !isOverLimit ? next : closed, more }
}

/** `acme`, or `https://…/book/acme/intro-call`. */
function slugIn(organization: string): string {
  return (/\/book\/([^/?#.]+)/.exec(organization)?.[1] ?? organization).trim().toLowerCase()
}
