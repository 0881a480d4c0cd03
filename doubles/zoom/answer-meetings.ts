import type { Call, Reply } from '../world.ts'
import { refuse } from './answer-errors.ts'
import type { Need } from './check-access.ts'
import { readMeeting } from './check-meetings.ts'
import { changeMeeting, makeMeeting } from './make-meetings.ts'
import type { Meeting, User, Zoom } from './state.ts'

/** developers.zoom.us/docs/integrations/oauth-scopes-overview; developers.zoom.us/docs/api/meetings */
export const NEEDS = {
  create: { granular: 'meeting:write:meeting', classic: 'meeting:write' },
  get: { granular: 'meeting:read:meeting', classic: 'meeting:read' },
  update: { granular: 'meeting:update:meeting', classic: 'meeting:write' },
  delete: { granular: 'meeting:delete:meeting', classic: 'meeting:write' },
} as const satisfies Record<string, Need>

export function createMeeting(zoom: Zoom, call: Call, user: User): Reply {
  const json = readMeeting(call, user)
  if (isReply(json)) return json
  if (zoom.settings.meeting === 'failed') return MAY_NOT_HOST
  const meeting = makeMeeting(user, json, call.now, 'open_api')
  return {
    status: 201,
    json: meeting,
    headers: { 'Content-Location': `${call.base}/v2/meetings/${meeting.id}` },
  }
}

export function answerMeeting(zoom: Zoom, call: Call, user: User, meetingId: string): Reply {
  if (!/^\d+$/.test(meetingId)) return refuse(400, 300, 'Invalid meeting id.')
  if (call.method === 'DELETE' && Number(meetingId) === user.pmi)
    return refuse(400, 3018, 'Not allowed to delete PMI.')
  const meeting = user.meetings.get(Number(meetingId))
  // Also once it was deleted, and for what is another's.
  if (!meeting) return refuse(404, 3001, `Meeting does not exist: ${meetingId}.`)
  switch (call.method) {
    case 'GET':
      return { status: 200, json: meeting }
    case 'PATCH': {
      const json = readMeeting(call, user)
      if (isReply(json)) return json
      if (zoom.settings.meeting === 'failed') return MAY_NOT_HOST
      changeMeeting(meeting, json, call.now)
      return { status: 204 }
    }
    default:
      return deleteMeeting(call, user, meeting)
  }
}

function deleteMeeting({ query }: Call, user: User, meeting: Meeting): Reply {
  if (query.has('occurrence_id')) return refuse(400, 300, 'Invalid parameter: occurrence_id.')
  // harrisyang/api errors/MeetingAPIs.md
  if (meeting.status === 'started')
    return refuse(400, 3002, "Sorry, you cannot delete this meeting since it's in progress.")
  user.meetings.delete(meeting.id)
  return { status: 204 }
}

/** developers.zoom.us/docs/api/meetings: for each of these operations. */
const MAY_NOT_HOST = refuse(
  400,
  3161,
  'Your user account is not allowed meeting hosting and scheduling capabilities.',
)

function isReply(value: object): value is Reply {
  return typeof (value as Reply).status === 'number' && 'json' in value
}
