import type { Reply } from '../world.ts'

type Detail = { parameter?: string; message: string }

function refuse(status: number, title: string, message: string, details?: readonly Detail[]): Reply {
  return { status, json: { title, message, ...(details && { details }) } }
}

/** The form of refusals, and their words: developer.calendly.com/api-docs (errors of each operation). */
export const refuseParameter = (parameter: string, message: string): Reply =>
  refuse(400, 'Invalid Argument', 'The supplied parameters are invalid.', [{ parameter, message }])

/** No `details` here. */
export const refuseToken = (why: 'is invalid' | 'expired' | 'was revoked'): Reply =>
  refuse(401, 'Unauthenticated', `The access token ${why}`)

export const refusePermission = (message = 'You do not have permission to access this resource.'): Reply =>
  refuse(403, 'Permission Denied', message)

/** araluce/calendlyr, which tells it from other refusals by these words. */
export const refusePlan = (plan: string): Reply =>
  refusePermission(
    `Please upgrade your Calendly account to ${plan}. You do not have permission to access this resource.`,
  )

export const refuseMissing = (): Reply =>
  refuse(404, 'Resource Not Found', 'The server could not find the requested resource.')

export const refuseRate = (): Reply =>
  refuse(429, 'Too Many Requests', 'You have exceeded the rate limit. Please try again later.')
