import { Refused } from '../../http/errors.ts'
import { WholeAnswer } from '../../http/route.ts'
import type { Outcome } from './commands.ts'

/** What the edge answers to the outcome of a command. */
export function answerOf<T>(outcome: Outcome): T | WholeAnswer {
  switch (outcome.kind) {
    case 'done':
      return outcome.body as T
    case 'replayed':
      return new WholeAnswer(outcome.answer, true)
    case 'refused':
      throw new Refused(outcome.refusal, outcome.isKept)
  }
}
