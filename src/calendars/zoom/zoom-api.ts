import * as z from 'zod'
import { DAY_MS, SECOND_MS } from '../../core/time-units.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { type Api, type ApiAnswer, type Door, openApi } from '../oauth/api.ts'
import { retryAfterOf } from '../oauth/retry-after.ts'

/** https://developers.zoom.us/docs/api/errors */
const ZoomError = z.object({ code: z.number(), message: z.string().catch('') })

/** The scopes that were granted lack one: https://developers.zoom.us/docs/integrations/oauth-scopes-overview */
const LACKS_SCOPES = 4711
/** The user is not licensed for meetings, or their administrator does not let them: https://developers.zoom.us/docs/api/meetings */
const MAY_NOT_HOST = 3161

/** How often a request is made that comes too soon, and how long it is waited for its turn. */
const TRIES = 4
const PATIENCE_MS = 5 * SECOND_MS

/** Waits; a test passes one that does not. */
export type Pause = (ms: number) => Promise<void>

const sleep: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Zoom's API on behalf of an account. What is too much for a second is asked again in the next ones. Throws a
 * CalendarError and nothing else; `unavailable` says when a limit of the day is over.
 */
export function openZoomApi(door: Door, pause: Pause = sleep): Api {
  const api = openApi(door)
  return async (request) => {
    const { expects = [] } = request
    for (let tries = 1; ; tries++) {
      const answer = await api({ ...request, expects: [...expects, 400, 429] })
      if (answer.status === 400 && !expects.includes(400)) throw refusalOf(answer)
      if (answer.status !== 429) return answer
      const wait = waitOf(answer, Date.now())
      if (wait > PATIENCE_MS || tries === TRIES) throw limitReached(answer, wait)
      // Requests that failed together are not retried together.
      await pause(wait + SECOND_MS * Math.random())
    }
  }
}

/** Zoom's number of what is wrong; null where it gives none. */
export function errorCodeOf({ json }: Pick<ApiAnswer, 'json'>): number | null {
  return ZoomError.safeParse(json).data?.code ?? null
}

/**
 * How long a limit lasts, in milliseconds. Limits per second have no `Retry-After`; daily ones should, but do not:
 * https://developers.zoom.us/docs/api/rate-limits,
 * https://devforum.zoom.us/t/zoom-api-create-meeting-api-rate-limit-sample-error-when-breaching-limit/18928
 */
function waitOf(answer: ApiAnswer, now: number): number {
  return retryAfterOf(answer.headers) ?? (isOfDay(answer) ? DAY_MS - (now % DAY_MS) : SECOND_MS)
}

/** Meetings made and changed are counted by user and day of UTC. */
function isOfDay({ json, headers }: ApiAnswer): boolean {
  const said = ZoomError.safeParse(json).data?.message ?? ''
  return /\bdaily\b/i.test(said) || headers.get('X-RateLimit-Type')?.toLowerCase() === 'daily-limit'
}

function limitReached(answer: ApiAnswer, wait: number): CalendarError {
  const message = isOfDay(answer)
    ? "Zoom's limit of meetings a day is reached; they are made tomorrow."
    : 'Zoom asks to try again later (status 429).'
  return new CalendarError('unavailable', message, wait)
}

function refusalOf(answer: ApiAnswer): CalendarError {
  switch (errorCodeOf(answer)) {
    case LACKS_SCOPES:
      return new CalendarError('refused', 'Zoom was not given every permission that is needed.')
    case MAY_NOT_HOST:
      return new CalendarError('refused', 'Zoom does not let this account host meetings.')
    default:
      return new CalendarError('unusable', 'Zoom refused the request (status 400).')
  }
}
