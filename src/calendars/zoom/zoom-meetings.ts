import * as z from 'zod'
import { MINUTE_MS } from '../../core/time-units.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { ConferencingClient, Meeting, MeetingRequest } from '../client/conferencing-client.ts'
import type { ApiAnswer, Door } from '../oauth/api.ts'
import { errorCodeOf, openZoomApi, type Pause } from './zoom-api.ts'

/** https://developers.zoom.us/docs/api/meetings */
const ZoomMeeting = z.object({ id: z.union([z.number(), z.string()]), join_url: z.url() })

const SCHEDULED = 2
const NO_SUCH_MEETING = 3001

/**
 * Meetings of a Zoom account. Everything about how they are held is left to the account's own settings. Zoom
 * has no key that tells a repeated call from a new one: creating twice makes two meetings.
 */
export function openZoomMeetings(door: Door, pause?: Pause): ConferencingClient {
  const api = openZoomApi(door, pause)
  const pathOf = (id: string) => `/meetings/${encodeURIComponent(id)}`
  return {
    createMeeting: async (request) =>
      meetingOf(await api({ method: 'POST', path: '/users/me/meetings', body: bodyOf(request) })),
    updateMeeting: async (id, request) => {
      const path = pathOf(id)
      const updated = await api({ method: 'PATCH', path, body: bodyOf(request), expects: [404] })
      if (isGone(updated)) return null
      const answer = await api({ path, expects: [404] })
      return isGone(answer) ? null : meetingOf(answer)
    },
    deleteMeeting: async (id) => {
      isGone(await api({ method: 'DELETE', path: pathOf(id), expects: [404] }))
    },
  }
}

function bodyOf({ topic, agenda, start, end, timezone }: MeetingRequest) {
  return {
    type: SCHEDULED,
    topic: topic.slice(0, 200).toWellFormed(),
    agenda: agenda.slice(0, 2000).toWellFormed(),
    start_time: new Date(start).toISOString().replace(/\.\d{3}/, ''),
    duration: Math.ceil((end - start) / MINUTE_MS),
    timezone,
  }
}

/** A 404 that is not about the meeting says that something else is wrong. */
function isGone(answer: ApiAnswer): boolean {
  if (answer.status !== 404) return false
  if (errorCodeOf(answer) === NO_SUCH_MEETING) return true
  throw new CalendarError('unusable', 'Zoom did not find what was asked for.')
}

function meetingOf({ json }: ApiAnswer): Meeting {
  const parsed = ZoomMeeting.safeParse(json)
  if (!parsed.success) throw new CalendarError('unusable', 'Zoom sent no meeting.')
  return { id: String(parsed.data.id), joinUrl: parsed.data.join_url }
}
