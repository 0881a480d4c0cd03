import type * as z from 'zod'
import type { Question as QuestionRow } from '../../platform/db/schema/event-types.ts'
import type { Question } from './schema.ts'

export function presentQuestions(questions: readonly QuestionRow[]): z.output<typeof Question>[] {
  return questions.map(({ options, ...question }) => ({ ...question, options: options && [...options] }))
}
