import type { Call, OpenWorld, Reply } from '../world.ts'
import { answerApi } from './answer-api.ts'
import { authorize } from './authorize.ts'
import { controlZoom } from './control-zoom.ts'
import { tell } from './format-times.ts'
import { answerToken } from './issue-tokens.ts'
import { makeMeeting } from './make-meetings.ts'
import { answerRevoke } from './revoke-grants.ts'
import { holdZoom, userOf, type Zoom } from './state.ts'

/** Zoom with two pretend accounts: what is at `zoom.us/oauth` and at `api.zoom.us/v2`, below one base. */
export const openZoom: OpenWorld = (frame) => {
  const zoom = holdZoom(frame)
  for (const email of ['owner@example.com', 'colleague@example.com']) {
    const start = Math.ceil(frame.now() / 3_600_000) * 3_600_000
    for (const [topic, hours] of [
      ['Weekly with the team', 26],
      ['Interview', 74],
    ] as const)
      makeMeeting(
        userOf(zoom, email),
        { topic, type: 2, start_time: tell(start + hours * 3_600_000), duration: 45 },
        frame.now(),
        'web_portal',
      )
  }
  return { answer: (call) => answerZoom(zoom, call), control: (call) => controlZoom(zoom, call) }
}

function answerZoom(zoom: Zoom, call: Call): Reply {
  switch (`${call.method} ${call.path}`) {
    case 'GET /oauth/authorize':
      return authorize(zoom, call)
    case 'POST /oauth/token':
      return answerToken(zoom, call)
    case 'POST /oauth/revoke':
      return answerRevoke(zoom, call)
    default:
      if (call.path.startsWith('/v2/')) return answerApi(zoom, call)
      // zoom.us answers a page for what it does not have: jolicode/secret-santa#215
      return {
        status: 404,
        html: '<!doctype html><title>Error - Zoom</title><h1>Page not found (3,001)</h1>',
      }
  }
}
