import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'

/** The event types that have a page for everybody: those of the sandbox have none. */
export async function loadLivePages(request: MemberRequest): Promise<readonly EventType[]> {
  if (request.isTest) return []
  const active = await listAll(request, eventTypeRoutes.listEventTypes, { active: 'true' })
  return active.filter(({ booking_page_enabled }) => booking_page_enabled)
}
