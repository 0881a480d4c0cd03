import type { Json, Reply } from '../world.ts'

/** The API's form of a refusal. developers.zoom.us/docs/api/errors */
export function refuse(status: number, code: number, message: string, more: Json = {}): Reply {
  return { status, json: { code, message, ...more } }
}

/**
 * developers.zoom.us/docs/api/errors; «Validation Failed.» with one entry a field.
 */
export function refuseFields(errors: readonly { field: string; message: string }[]): Reply {
  return refuse(400, 300, 'Validation Failed.', { errors })
}

/**
 * The token endpoint's form is its own, without `error_description`, and its status is 400 for everything: it was 401
 * until 2022. raycast/extensions#10896, JubaerHossain/zoom-laravel#3 and #4, tl-its-umich-edu/remote-office-hours-queue#363
 */
export function refuseToken(error: string, reason: string): Reply {
  return { status: 400, json: { reason, error } }
}
