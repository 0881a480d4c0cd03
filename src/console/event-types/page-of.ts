import type { EventType } from '../../booking/event-types/schema.ts'
import type { MemberRequest } from '../request.ts'

/** The path of its page; null while it has none. Test event types are opened by their preview alone. */
export function pageOf({ member }: MemberRequest, eventType: EventType): string | null {
  if (!eventType.active || !eventType.booking_page_enabled) return null
  if (eventType.preview_url === null) return `/book/${member.slug}/${eventType.slug}`
  const { pathname, search } = new URL(eventType.preview_url)
  return pathname + search
}
