import type { Api } from './api.ts'
import type { DemoEventType } from './demo.ts'

export type EventType = {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly timezone: string
}

export async function listEventTypes(api: Api): Promise<EventType[]> {
  const all: EventType[] = []
  for (let more = true; more; ) {
    const last = all.at(-1)
    const page = await api.need<{ data: EventType[]; has_more: boolean }>(
      'GET',
      `/v1/event-types?limit=100${last ? `&starting_after=${last.id}` : ''}`,
    )
    all.push(...page.data)
    more = page.has_more
  }
  return all
}

export async function ensureEventType(
  api: Api,
  existing: readonly EventType[],
  { rules, ...input }: DemoEventType,
): Promise<EventType> {
  const found = existing.find(({ slug }) => slug === input.slug)
  const eventType = found ?? (await api.need<EventType>('POST', '/v1/event-types', input))
  const path = `/v1/event-types/${eventType.id}/availability`
  // An earlier start may have been stopped between the event type and its hours.
  const hours = await api.need<{ rules: unknown[]; overrides: unknown[] }>('GET', path)
  if (hours.rules.length + hours.overrides.length === 0) await api.need('PUT', path, { rules })
  return eventType
}
