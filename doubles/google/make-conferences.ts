import type { Json } from '../world.ts'
import { makeMeetingCode } from './make-ids.ts'
import { invalid, required } from './refuse.ts'
import type { State } from './state.ts'

/**
 * What becomes of the conference of an event that is written: developers.google.com/workspace/calendar/api/guides/create-events#conferencing.
 *
 * - Without `conferenceDataVersion=1` what the body says of it is ignored silently, and what was there stays.
 * - A request that has the `requestId` of the one before is ignored: after a failure another id is needed.
 * - With the version, PUT takes away what it leaves out, PATCH what is `null`.
 */
export function conferenceOf(state: State, before: Json, body: Json, version: 0 | 1, isWhole: boolean): Json {
  const kept = Object.fromEntries(
    ['conferenceData', 'hangoutLink'].flatMap((name) => (name in before ? [[name, before[name]]] : [])),
  )
  if (version === 0) return kept
  const asked = body.conferenceData
  if (asked === undefined) return isWhole ? {} : kept
  if (asked === null) return {}
  const request = asked.createRequest
  if (!request?.requestId) throw required('Missing conference request ID.')
  if (request.requestId === before.conferenceData?.createRequest?.requestId) return kept
  const type = request.conferenceSolutionKey?.type ?? 'hangoutsMeet'
  // googleapis/google-api-nodejs-client#3234, xorbitsai/xagent#2208: the whole event is refused with it.
  if (type !== 'hangoutsMeet' || state.settings.meeting === 'refused') {
    throw invalid('Invalid conference type value.')
  }
  return makeConference(request.requestId, state.settings.meeting)
}

export function makeConference(requestId: string, outcome: 'ready' | 'pending' | 'failed'): Json {
  const statusCode = outcome === 'ready' ? 'success' : outcome === 'failed' ? 'failure' : 'pending'
  const createRequest = {
    requestId,
    conferenceSolutionKey: { type: 'hangoutsMeet' },
    status: { statusCode },
  }
  if (outcome !== 'ready') return { conferenceData: { createRequest } }
  const code = makeMeetingCode()
  return {
    hangoutLink: `https://meet.google.com/${code}`,
    conferenceData: {
      createRequest,
      entryPoints: [
        { entryPointType: 'video', uri: `https://meet.google.com/${code}`, label: `meet.google.com/${code}` },
      ],
      conferenceSolution: {
        key: { type: 'hangoutsMeet' },
        name: 'Google Meet',
        iconUri:
          'https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png',
      },
      conferenceId: code,
    },
  }
}
