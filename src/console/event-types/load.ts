import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { need } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'

export function loadEventType(request: MemberRequest, id: string): Promise<EventType> {
  return need(request, eventTypeRoutes.getEventType, { params: { id } })
}

/** All of them by their headings, as the listing for the public has them: those without one come first. */
export async function loadGroups(
  request: MemberRequest,
): Promise<[group: string | null, own: EventType[]][]> {
  const all = await listAll(request, eventTypeRoutes.listEventTypes)
  const { compare } = new Intl.Collator(request.member.locale)
  const sorted = all.toSorted((a, b) => a.position - b.position || compare(a.title, b.title))
  const groups = [...Map.groupBy(sorted, ({ group }) => group)]
  return groups.toSorted(([a], [b]) => Number(a !== null) - Number(b !== null))
}
