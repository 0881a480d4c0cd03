import type { Json } from '../world.ts'
import type { Calendly, Resource } from './state.ts'

/** Fields that Calendly keeps to itself. */
const HIDDEN = new Set(['uuid', 'hosts', 'organization_of', 'event_of'])

/** URIs are ids: developer.calendly.com/api-docs/overview (canonical references). `@` begins what becomes one. */
export function show(calendly: Calendly, base: string, resource: Resource): Json {
  const origin = calendly.settings.origin ?? base
  const told = (value: unknown): unknown => {
    if (typeof value === 'string') return value.startsWith('@') ? `${origin}/${value.slice(1)}` : value
    if (Array.isArray(value)) return value.map(told)
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, told(one)]))
    return value
  }
  return told(Object.fromEntries(Object.entries(resource).filter(([name]) => !HIDDEN.has(name)))) as Json
}

/** developer.calendly.com/release-notes/2026/11/13: these three are fields from then on. */
export function showEventType(calendly: Calendly, base: string, eventType: Resource): Json {
  const shown = show(calendly, base, eventType)
  if (calendly.settings.eventTypeFields === 'with buffers') return shown
  const { before_buffer: _, after_buffer: __, start_time_increment: ___, ...rest } = shown
  return rest
}

/** The UUID in a URI, whatever it begins with; null where it is not one of the collection. */
export function uuidIn(uri: string | null, collection: string): string | null {
  return new RegExp(`^https?://[^?#]+/${collection}/([^/?#]+)$`).exec(uri ?? '')?.[1] ?? null
}
