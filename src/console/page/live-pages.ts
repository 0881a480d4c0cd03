import { eventTypeRoutes } from '../../resources/event-types/routes.ts'
import type { EventType } from '../../resources/event-types/schema.ts'
import { need } from '../ask.ts'
import type { Visit } from '../visit.ts'

/** The event types that have a page for everybody: those of the sandbox have none. */
export async function loadLivePages(visit: Visit): Promise<readonly EventType[]> {
  if (visit.isTest) return []
  const query = { active: 'true', limit: '100' }
  const { data } = await need<{ data: EventType[] }>(visit, eventTypeRoutes, 'listEventTypes', { query })
  return data.filter(({ booking_page_enabled }) => booking_page_enabled)
}
