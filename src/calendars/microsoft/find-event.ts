import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { EVENT_QUERY, GraphEvent, PREFERENCES, readEvents, uidFilter, type ZoneNow } from './graph-event.ts'
import { isGone, MAYBE_GONE } from './graph-refusal.ts'

const Found = z.object({ value: z.array(GraphEvent) })

/** An event as it is now, in whichever calendar of the mailbox; null when it was removed or cancelled. */
export async function findGraphEvent(api: Api, id: string, zoneNow: ZoneNow): Promise<ExternalEvent | null> {
  const request = { path: eventPath(id), headers: PREFERENCES, query: EVENT_QUERY }
  const answer = await api({ ...request, expects: MAYBE_GONE })
  if (isGone(answer)) return null
  const parsed = GraphEvent.safeParse(answer.json)
  const event = parsed.success
    ? readEvents([parsed.data], parsed.data.isAllDay ? await zoneNow() : null, null).event
    : null
  if (!parsed.success || event === null) {
    throw new CalendarError('unusable', 'Microsoft 365 sent no event.')
  }
  return parsed.data.isCancelled ? null : event
}

export function eventPath(id: string): string {
  return `/me/events/${encodeURIComponent(id)}`
}

/** The event in one calendar that bears our UID; null when there is none. */
export async function findByUid(api: Api, path: string, uid: string): Promise<GraphEvent | null> {
  const { json } = await api({
    path: `${path}/events`,
    headers: PREFERENCES,
    query: { ...EVENT_QUERY, $filter: uidFilter(uid) },
  })
  const found = Found.safeParse(json)
  if (!found.success) throw new CalendarError('unusable', 'Microsoft 365 sent no list of events.')
  return found.data.value.find(({ isCancelled }) => !isCancelled) ?? null
}
