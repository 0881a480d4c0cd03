import type { Json, Reply } from '../world.ts'

/** Thrown where a call ends with an error of Google's. */
export class Refusal extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super(JSON.stringify(reply.json ?? reply.html))
    this.reply = reply
  }
}

type About = {
  readonly domain?: string
  readonly location?: string
  readonly locationType?: 'parameter' | 'header'
  readonly retryAfterSeconds?: number
}

/**
 * What the calendar's own back end answers: `errors`, `code`, `message` and no `status`.
 * developers.google.com/workspace/calendar/api/guides/errors
 */
export function refuse(status: number, reason: string, message: string, about: About = {}): Refusal {
  const { domain = 'global', location, locationType = 'parameter', retryAfterSeconds } = about
  const one = { domain, reason, message, ...(location !== undefined && { locationType, location }) }
  return new Refusal({
    status,
    json: { error: { errors: [one], code: status, message } },
    ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
}

/** What the front end before it answers, with a `status` as google.rpc has it and details. */
export function refuseAtFront(
  status: number,
  rpcStatus: string,
  message: string,
  one: Json,
  details: readonly Json[],
  headers: Record<string, string> = {},
): Refusal {
  return new Refusal({
    status,
    json: {
      error: { code: status, message, errors: [one], status: rpcStatus, ...(details.length && { details }) },
    },
    headers,
  })
}

export const notFound = (): Refusal => refuse(404, 'notFound', 'Not Found')

/** A value that cannot be read: googleworkspace/java-samples#52 shows the shape. */
export const invalid = (message: string, location?: string): Refusal =>
  refuse(400, 'invalid', message, location === undefined ? {} : { location })

export const required = (message: string, location?: string): Refusal =>
  refuse(400, 'required', message, location === undefined ? {} : { location })

/** northworld/google_calendar#41 shows it for an invalid time. */
export const badRequest = (): Refusal => refuse(400, 'badRequest', 'Bad Request')

/** kewisch/gdata-provider#12 shows the whole answer, on insert as well as on a list. */
export const emptyRange = (): Refusal =>
  refuse(400, 'timeRangeEmpty', 'The specified time range is empty.', {
    domain: 'calendar',
    location: 'timeMax',
  })

export const forbidden = (): Refusal => refuse(403, 'forbidden', 'Forbidden')

/** OAuth's errors: developers.google.com/identity/protocols/oauth2/web-server#exchange-errors-authorization-code. */
export function refuseOAuth(status: number, error: string, description?: string, more: Json = {}): Refusal {
  return new Refusal({
    status,
    json: { error, ...(description !== undefined && { error_description: description }), ...more },
    headers: { 'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate', Pragma: 'no-cache' },
  })
}
