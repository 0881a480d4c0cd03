import { ERRORS } from '../reasons/error-codes.ts'
import type { Refusal } from './errors.ts'

/** The status of a page that shows a form again: that of the API, but what was filled in wrongly is 422. */
export function formStatus({ code }: Refusal): number {
  const { status } = ERRORS[code]
  return status === 400 || status === 401 ? 422 : status
}
