import type { Call, Json, Reply } from '../world.ts'
import { newGuid } from './make-ids.ts'

/** Thrown where Graph refuses a call, and answered in its shape. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly more: Json

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    more: Json = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
    this.more = more
  }
}

/** learn.microsoft.com/graph/errors: `error` with `code`, `message` and `innerError` with the ids of the request. */
export function refuse({ status, code, message, headers, more }: Refusal, call: Call): Reply {
  const requestId = newGuid()
  const innerError = {
    date: new Date(call.now).toISOString().slice(0, 19),
    'request-id': requestId,
    'client-request-id': call.headers['client-request-id'] ?? requestId,
  }
  return {
    status,
    json: { error: { code, message, ...more, innerError } },
    headers: { ...graphHeaders(call), ...headers },
  }
}

/** On every answer of Graph, as users' logs show it, such as microsofthackathons/tdi#24. */
export function graphHeaders(call: Call): Record<string, string> {
  const requestId = newGuid()
  return {
    'request-id': requestId,
    'client-request-id': call.headers['client-request-id'] ?? requestId,
    'x-ms-ags-diagnostic': JSON.stringify({
      ServerInfo: {
        DataCenter: 'Double',
        Slice: 'E',
        Ring: '1',
        ScaleUnit: '000',
        RoleInstance: 'DOUBLE00000001',
      },
    }),
    'Cache-Control': 'private',
  }
}

export const itemNotFound = (): Refusal =>
  new Refusal(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')

/** Refused before it is looked for: an id that could never have been one. */
export const malformedId = (): Refusal => new Refusal(400, 'ErrorInvalidIdMalformed', 'Id is malformed.')

export const accessDenied = (): Refusal =>
  new Refusal(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')

export const badRequest = (message: string, code = 'BadRequest'): Refusal => new Refusal(400, code, message)

/** The double's own, for what the provider has and the double does not. */
export const notSpoken = (what: string): Refusal =>
  new Refusal(501, 'DoubleDoesNotSpeakThis', `Microsoft Graph has this, its double does not: ${what}`)
