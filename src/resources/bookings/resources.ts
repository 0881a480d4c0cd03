import type { EventTypeRow } from '../availability/schedule.ts'

/** What a booking of this event type needs for itself: each resource is held for the whole of the hold. */
export function resourcesOf(eventType: EventTypeRow): readonly string[] {
  return [eventType.id]
}
