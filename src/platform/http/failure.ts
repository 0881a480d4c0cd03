import { bareError } from '../db/bare-error.ts'
import { isMoving, isPassing } from '../db/passing-failure.ts'
import { type Answer, refusalAnswer } from './answer.ts'
import { because, type Refusal, Refused } from './errors.ts'
import { brakeAnswer } from './rate-answers.ts'

/** Whatever went wrong, as an answer. */
export function failureAnswer(error: unknown, requestId: string, headers: Headers): Answer {
  if (error instanceof Refused) return brakeAnswer(error.refusal, headers)
  return refusalAnswer(unexpected(error, requestId))
}

/** What nobody expected: the cause goes to the log. */
export function unexpected(error: unknown, requestId: string): Refusal {
  if (isMoving(error)) return because('moving')
  console.error(JSON.stringify({ request_id: requestId, cause: bareError(error).stack }))
  return because(isPassing(error) ? 'unavailable' : 'unexpected')
}
