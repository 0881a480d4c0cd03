import type { Account, Call, Json, Reply } from './exchange.ts'
import type { OAuthManners } from './oauth-double.ts'

export const zoomManners: OAuthManners = {
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/token',
  revokePath: '/oauth/revoke',
  authentication: 'basic',
  refreshTokens: 'replaced',
  isOffline: () => true,
  endings: {
    revoked: { status: 400, json: { reason: 'Invalid Token!', error: 'invalid_request' } },
    expired: { status: 400, json: { reason: 'Token expired!', error: 'invalid_grant' } },
  },
}

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York']

const gone: Reply = { status: 404, json: { code: 3001, message: 'Meeting does not exist.' } }

/** Zoom meetings: https://developers.zoom.us/docs/api/meetings */
export function answerZoom(account: Account, { method, path, body }: Call): Reply {
  if (path === '/users/me') return { status: 200, json: { id: 'zoom-user', email: account.email } }
  if (path === '/users/me/meetings' && method === 'POST') {
    const asked = JSON.parse(body) as Json
    if (!ZONES.includes(asked.timezone)) return { status: 400, json: { code: 300, message: 'Timezone.' } }
    if (asked.type !== 2 || !/^[\d-]{10}T[\d:]{8}Z$/.test(asked.start_time) || asked.topic.length > 200) {
      return { status: 400, json: { code: 300, message: 'Validation Failed.' } }
    }
    const id = 81_000_000_000 + account.meetings.size
    const meeting = { ...asked, id, join_url: `https://zoom.us/j/${id}?pwd=x`, start_url: 'secret' }
    account.meetings.set(String(id), meeting)
    return { status: 201, json: meeting }
  }
  const id = /^\/meetings\/(\d+)$/.exec(path)?.[1]
  if (id === undefined) return { status: 404, json: { code: 1001, message: 'Not found.' } }
  const meeting = account.meetings.get(id)
  if (!meeting) return gone
  switch (method) {
    case 'PATCH':
      account.meetings.set(id, { ...meeting, ...JSON.parse(body) })
      return { status: 204 }
    case 'DELETE':
      account.meetings.delete(id)
      return { status: 204 }
    default:
      return { status: 200, json: meeting }
  }
}
