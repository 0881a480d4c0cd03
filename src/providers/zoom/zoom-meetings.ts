import * as z from 'zod'
import { MINUTE_MS } from '../../scheduling/time-units.ts'
import { CalendarError } from '../calendar/calendar-client.ts'
import type { ConferencingClient, Meeting, MeetingRequest } from '../conferencing/conferencing-client.ts'
import { type ApiAnswer, type Door, openApi } from '../oauth/api.ts'

/** https://developers.zoom.us/docs/api/meetings */
const ZoomMeeting = z.object({ id: z.union([z.number(), z.string()]), join_url: z.url() })
const ZoomError = z.object({ code: z.number() })
const ZoomUser = z.object({ email: z.string() })

const SCHEDULED = 2
const NO_SUCH_MEETING = 3001

/**
 * Meetings of a Zoom account. Everything about how they are held is left to the account's own settings. Zoom
 * has no key that tells a repeated call from a new one: creating twice makes two meetings.
 */
export function openZoomMeetings(door: Door): ConferencingClient {
  const api = openApi(door)
  /** Zoom knows only some of the zones, which change nothing but how it shows the time. */
  async function write(
    method: 'POST' | 'PATCH',
    path: string,
    request: MeetingRequest,
    expects: readonly number[],
  ): Promise<ApiAnswer> {
    const answer = await api({ method, path, body: bodyOf(request), expects: [400, ...expects] })
    if (answer.status !== 400) return answer
    return api({ method, path, body: bodyOf({ ...request, timezone: 'UTC' }), expects })
  }
  const pathOf = (id: string) => `/meetings/${encodeURIComponent(id)}`
  return {
    createMeeting: async (request) => meetingOf(await write('POST', '/users/me/meetings', request, [])),
    updateMeeting: async (id, request) => {
      const path = pathOf(id)
      const updated = await write('PATCH', path, request, [404])
      if (isGone(updated)) return null
      const answer = await api({ path, expects: [404] })
      return isGone(answer) ? null : meetingOf(answer)
    },
    deleteMeeting: async (id) => {
      const path = pathOf(id)
      isGone(await api({ method: 'DELETE', path, expects: [404] }))
    },
  }
}

/** Whose account it is. */
export async function findZoomAccount(door: Door): Promise<{ email: string }> {
  const parsed = ZoomUser.safeParse((await openApi(door)({ path: '/users/me' })).json)
  if (!parsed.success) throw new CalendarError('unusable', 'Zoom did not say whose account it is.')
  return { email: parsed.data.email }
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
function isGone({ status, json }: ApiAnswer): boolean {
  if (status !== 404) return false
  if (ZoomError.safeParse(json).data?.code === NO_SUCH_MEETING) return true
  throw new CalendarError('unusable', 'Zoom did not find what was asked for.')
}

function meetingOf({ json }: ApiAnswer): Meeting {
  const parsed = ZoomMeeting.safeParse(json)
  if (!parsed.success) throw new CalendarError('unusable', 'Zoom sent no meeting.')
  return { id: String(parsed.data.id), joinUrl: parsed.data.join_url }
}
