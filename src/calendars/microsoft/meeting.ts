import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import type { WrittenEvent } from '../client/calendar-client.ts'
import { eventText } from '../client/event-text.ts'
import type { Api } from '../oauth/api.ts'
import { eventPath } from './find-event.ts'
import { EVENT_QUERY, GraphEvent, PREFERENCES } from './graph-event.ts'
import { MeetingProviders, TEAMS } from './list-calendars.ts'
import { markedText, replaceOwnText } from './meeting-text.ts'

export const MEETING = { isOnlineMeeting: true, onlineMeetingProvider: TEAMS }

const MEETING_WAITS_MS = [250, 500, 1000]

const WithText = GraphEvent.extend({ body: z.object({ content: z.string() }).nullish() })
const Allowed = z.object({ allowedOnlineMeetingProviders: MeetingProviders })

/** The text of an event. If a meeting is requested with it, Teams writes more after it. */
export function ownBody(event: CalendarEvent) {
  // The link is in what Teams writes.
  const content = event.wantsMeeting ? markedText(eventText({ ...event, url: null })) : eventText(event)
  return { contentType: 'text', content }
}

/** What to write of the text of an event that has a meeting: nothing, where the meeting might be lost by it. */
export async function textBeside(api: Api, id: string, event: CalendarEvent) {
  const $select = 'id,isOnlineMeeting,onlineMeeting,body'
  const request = { path: eventPath(id), headers: PREFERENCES, query: { $select } }
  const { status, json } = await api({ ...request, expects: [404, 410] })
  const current = WithText.safeParse(json).data
  if (status >= 400 || !current) return {}
  const wanted = eventText({ ...event, url: null })
  if (current.isOnlineMeeting === false) return { body: ownBody(event) }
  const joinUrl = current.onlineMeeting?.joinUrl
  const content = joinUrl ? replaceOwnText(current.body?.content ?? '', joinUrl, wanted) : null
  return content === null ? {} : { body: { contentType: 'html', content } }
}

/**
 * Waits a moment for the meeting's link. Graph also creates events whose meeting it cannot make, which shows only in
 * `isOnlineMeeting`; the calendar's allowed providers say whether it ever will.
 */
export async function finishMeeting(
  api: Api,
  path: string,
  event: CalendarEvent,
  written: GraphEvent,
): Promise<WrittenEvent> {
  let current = written
  for (const wait of MEETING_WAITS_MS) {
    const { isOnlineMeeting, onlineMeeting } = current
    if (!event.wantsMeeting || onlineMeeting?.joinUrl || isOnlineMeeting === false) break
    await new Promise((done) => setTimeout(done, wait))
    const { json } = await api({ path: eventPath(written.id), headers: PREFERENCES, query: EVENT_QUERY })
    const parsed = GraphEvent.safeParse(json)
    if (!parsed.success) throw new CalendarError('unusable', 'Microsoft 365 sent no event.')
    current = parsed.data
  }
  const place = { id: current.id, etag: current['@odata.etag'] ?? null }
  if (!event.wantsMeeting) return { ...place, meetingUrl: null }
  const meetingUrl = current.onlineMeeting?.joinUrl ?? null
  if (meetingUrl !== null || current.isOnlineMeeting !== false || (await mayMeet(api, path)))
    return { ...place, meetingUrl }
  return { ...place, meetingUrl: null, noMeeting: NO_TEAMS }
}

const NO_TEAMS =
  'Microsoft 365 makes no Teams meetings for this account: they need a work or school account with Teams.'

/** True if Graph does not say: the event is written, and the meeting is requested again. */
async function mayMeet(api: Api, path: string): Promise<boolean> {
  try {
    const { json } = await api({ path, query: { $select: 'allowedOnlineMeetingProviders' } })
    return Allowed.safeParse(json).data?.allowedOnlineMeetingProviders?.includes(TEAMS) ?? true
  } catch (error) {
    if (error instanceof CalendarError) return true
    throw error
  }
}
