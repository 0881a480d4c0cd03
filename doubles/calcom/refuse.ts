import type { Call, Reply } from '../world.ts'

const ERRORS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
}

/** The form of every refusal, with the name of an exception: calcom/cal.diy#21202. */
export function refuse({ path, query, now }: Call, status: number, message: string): Reply {
  const name = (ERRORS[status] ?? 'Throttler').replace(' ', '')
  const asked = query.size > 0 ? `${path}?${query}` : path
  return {
    status,
    json: {
      status: 'error',
      timestamp: new Date(now).toISOString(),
      path: asked,
      error: {
        code: `${name}Exception`,
        message,
        // What exceptions of limits say is a text.
        details: status === 429 ? message : { message, error: ERRORS[status], statusCode: status },
      },
    },
  }
}

/** Also where the header names a version that this address does not have. */
export const refusePath = (call: Call): Reply => refuse(call, 404, `Cannot ${call.method} /api${call.path}`)
