import { put } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { changeMeeting, makeMeeting } from './make-meetings.ts'
import { validateEndpoint } from './notify-app.ts'
import { endGrant } from './revoke-grants.ts'
import { type User, userOf, type Zoom } from './state.ts'

/** What a test does and sees; `?as=<email>` chooses the account. */
export async function controlZoom(zoom: Zoom, call: Call): Promise<Reply> {
  const user = userOf(zoom, call.query.get('as') ?? 'owner@example.com')
  const json: Json = call.body ? JSON.parse(call.body) : {}
  const [, id] = /^\/events\/(\d+)$/.exec(call.path) ?? []
  if (id !== undefined) return controlMeeting(user, Number(id), call, json)
  switch (`${call.method} ${call.path}`) {
    case 'GET ':
      return { status: 200, json: shown(zoom, user, call.now) }
    case 'PUT ':
      return put(zoom.settings, json)
    case 'PUT /registration':
      return put(zoom.registration, json)
    case 'POST /events': {
      const made = (json.events as Json[]).map((one) => makeMeeting(user, one, call.now, 'web_portal'))
      return { status: 201, json: { ids: made.map((meeting) => meeting.id) } }
    }
    case 'POST /end':
      return endGrant(zoom, user, json.how)
    case 'POST /expire':
      for (const grant of zoom.grants)
        for (const [token, endsAt] of grant.accessTokens)
          grant.accessTokens.set(token, Math.min(endsAt, call.now))
      return { status: 204 }
    // Zoom has no cursors that last.
    case 'POST /forget':
      return { status: 204 }
    case 'POST /validate-endpoint':
      return validateEndpoint(zoom, json.url ?? zoom.registration.notificationUrl)
    default:
      return { status: 404, json: { error: 'Zoom has no such thing, or its double does not.' } }
  }
}

/** As the host does it at zoom.us; `{status: 'started'}` begins the meeting. */
function controlMeeting(user: User, id: number, { method, now }: Call, json: Json): Reply {
  const meeting = user.meetings.get(id)
  if (!meeting) return { status: 404, json: { error: 'There is no such meeting.' } }
  if (method === 'DELETE') user.meetings.delete(id)
  else changeMeeting(meeting, json, now)
  return { status: 204 }
}

function shown(zoom: Zoom, user: User, now: number): Json {
  const meetings = [...user.meetings.values()]
  return {
    user: { id: user.id, account_id: user.accountId, email: user.email },
    mails: [],
    meetings,
    events: meetings,
    calendars: [],
    grants: zoom.grants
      .filter((grant) => grant.user.email === user.email)
      .map(({ scope, ending, accessTokens }) => ({
        scope,
        ending,
        live_access_tokens: [...accessTokens.values()].filter((endsAt) => endsAt > now).length,
      })),
    settings: zoom.settings,
    registration: zoom.registration,
  }
}
