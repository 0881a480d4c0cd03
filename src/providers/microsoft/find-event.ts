import { CalendarError, type ExternalEvent } from '../calendar/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { EVENT_QUERY, GraphEvent, preferences, readEvents } from './graph-event.ts'

/** An event as it is now; null when it was removed or cancelled. */
export async function findGraphEvent(
  api: Api,
  id: string,
  timeZone: string | null,
): Promise<ExternalEvent | null> {
  const path = `/me/events/${encodeURIComponent(id)}`
  const request = { path, headers: preferences(), query: EVENT_QUERY }
  const { status, json } = await api({ ...request, expects: [404, 410] })
  if (status >= 400) return null
  const parsed = GraphEvent.safeParse(json)
  const event = parsed.success ? readEvents([parsed.data], timeZone, null) : null
  if (!parsed.success || event === null) {
    throw new CalendarError('unusable', 'Microsoft 365 sent no event.')
  }
  return parsed.data.isCancelled ? null : event
}
