import type { Question } from '../../../platform/db/schema/event-types.ts'
import type { Answers } from '../../questions/take-answers.ts'
import type { GivenAnswer } from './commands.ts'

/** Answers as they are stored; those whose question is not asked any more become questions of their own. */
export function foreignAnswers(
  questions: readonly Question[],
  given: readonly GivenAnswer[],
): { readonly questions: readonly Question[]; readonly answers: Answers } {
  const answers: Record<string, unknown> = {}
  const further: Question[] = []
  for (const { question: label, answer } of given) {
    const asked = questions.find((one) => one.label === label)
    if (asked && Object.hasOwn(answers, asked.key)) continue
    const question = asked ?? unasked(label, further.length)
    if (!asked) further.push(question)
    answers[question.key] = readAnswer(question, answer)
  }
  return { questions: [...questions, ...further], answers }
}

function unasked(label: string, at: number): Question {
  const key = `imported_${at + 1}`
  return { key, label: label.slice(0, 255), type: 'long_text', required: false, options: null, help: null }
}

function readAnswer({ type, options }: Question, answer: string): unknown {
  switch (type) {
    case 'choices':
      return answer.split('\n').filter((line) => line !== '')
    case 'number':
      return answer !== '' && Number.isFinite(Number(answer)) ? Number(answer) : answer
    case 'checkbox':
      return answer === 'true'
    case 'choice':
      return options?.find((option) => option === answer) ?? answer
    default:
      return answer
  }
}
