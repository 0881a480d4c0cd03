import type { Answer } from '../../platform/http/answer.ts'
import { type Refusal, Refused } from '../../platform/http/errors.ts'
import { WholeAnswer } from '../../platform/http/route.ts'

/** How a command ended: a refusal is an expected end, so it is a value. With the organization, if known, and the rows read. */
export type Outcome<Body> = End<Body> & {
  readonly organizationId?: string | null
  readonly rowsRead?: number
  /** What was read about a refusal, for its caller alone. */
  readonly ofRefusal?: readonly unknown[]
}

type End<Body> =
  | {
      readonly kind: 'done'
      readonly body: Body
      /** Set if nothing had to change, and the body is the row as it is. */
      readonly isUnchanged?: true
    }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      /** Set if the refusal is stored under the Idempotency-Key. */
      readonly isKept?: true
    }
  | { readonly kind: 'replayed'; readonly answer: Answer }

export function refused(refusal: Refusal): Outcome<never> {
  return { kind: 'refused', refusal }
}

export function unchanged<Body>(body: Body): Outcome<Body> {
  return { kind: 'done', body, isUnchanged: true }
}

/** The response to the outcome of a command. */
export function answerOf<Body>(outcome: Outcome<Body>): Body | WholeAnswer {
  switch (outcome.kind) {
    case 'done':
      return outcome.body
    case 'replayed':
      return new WholeAnswer(outcome.answer, true)
    case 'refused':
      throw new Refused(outcome.refusal, outcome.isKept)
  }
}
