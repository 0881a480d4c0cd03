import type { Call, Reply } from '../world.ts'
import { refuse } from './answer-errors.ts'
import { answerMeeting, createMeeting, NEEDS } from './answer-meetings.ts'
import { grantOf, type Need, refuseScope, refuseUser } from './check-access.ts'
import { tell } from './format-times.ts'
import { type Label, limitDay, limitSecond } from './limit-rates.ts'
import { randomId, type User, type Zoom } from './state.ts'

type Operation = {
  readonly method: string
  readonly path: RegExp
  readonly need: Need
  readonly label: Label
  /** Whether it is one of the 100 a day. */
  readonly isDaily?: true
  readonly answer: (zoom: Zoom, call: Call, user: User, id: string) => Reply
}

/** Labels: developers.zoom.us/docs/api/rate-limits and each operation's page. */
const OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: /^\/users\/([^/]+)$/,
    need: { granular: 'user:read:user', classic: 'user:read' },
    label: 'Light',
    answer: (_zoom, call, user) => getUser(call, user),
  },
  {
    method: 'POST',
    path: /^\/users\/([^/]+)\/meetings$/,
    need: NEEDS.create,
    label: 'Medium',
    isDaily: true,
    answer: createMeeting,
  },
  {
    method: 'GET',
    path: /^\/meetings\/([^/]+)$/,
    need: NEEDS.get,
    label: 'Light',
    answer: answerMeeting,
  },
  {
    method: 'PATCH',
    path: /^\/meetings\/([^/]+)$/,
    need: NEEDS.update,
    label: 'Light',
    isDaily: true,
    answer: answerMeeting,
  },
  {
    method: 'DELETE',
    path: /^\/meetings\/([^/]+)$/,
    need: NEEDS.delete,
    label: 'Light',
    answer: answerMeeting,
  },
]

/** Below `/v2`: the token, the limit of a second, the scopes, the day's limit, then what is asked. */
export function answerApi(zoom: Zoom, call: Call): Reply {
  const path = call.path.slice('/v2'.length)
  const operation = OPERATIONS.find((one) => one.method === call.method && one.path.test(path))
  if (!operation) return refuse(404, 2300, 'This API endpoint is not recognized.')
  const grant = grantOf(zoom, call)
  if ('status' in grant) return traced(grant, {})
  const second = limitSecond(zoom, grant.user, operation.label, call.now)
  if (second.refusal) return traced(second.refusal, {})
  const [, id = ''] = operation.path.exec(path)!
  const refusal =
    refuseScope(zoom, grant, operation.need) ??
    (path.startsWith('/users/') ? refuseUser(zoom, decodeURIComponent(id), operation.need) : null)
  if (refusal) return traced(refusal, second.headers)
  const day = operation.isDaily && limitDay(zoom, grant.user, operation.label, call.now)
  if (day?.refusal) return traced(day.refusal, {})
  return traced(operation.answer(zoom, call, grant.user, id), day ? day.headers : second.headers)
}

function traced(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return {
    ...reply,
    headers: { 'x-zm-trackingid': `v=2.0;clid=us05;rid=WEB_${randomId()}`, ...headers, ...reply.headers },
  }
}

/** developers.zoom.us/docs/api/users (get a user) */
function getUser({ now }: Call, user: User): Reply {
  return {
    status: 200,
    json: {
      id: user.id,
      first_name: user.name,
      last_name: 'Example',
      display_name: `${user.name} Example`,
      email: user.email,
      type: 2,
      role_name: 'Owner',
      pmi: user.pmi,
      use_pmi: false,
      personal_meeting_url: `https://us05web.zoom.us/j/${user.pmi}`,
      timezone: user.timeZone,
      verified: 1,
      dept: '',
      created_at: tell(user.createdAt),
      last_login_time: tell(now),
      cms_user_id: '',
      jid: `${user.id.toLowerCase()}@xmpp.zoom.us`,
      group_ids: [],
      im_group_ids: [],
      account_id: user.accountId,
      language: 'en-US',
      phone_country: '',
      phone_number: '',
      status: 'active',
      job_title: '',
      location: '',
      login_types: [1],
      role_id: '0',
      account_number: 10_009_239,
      cluster: 'us05',
      user_created_at: tell(user.createdAt),
    },
  }
}
