import type { Env } from '../../env.ts'
import { seal, unseal } from '../../platform/auth/secret.ts'
import type { Question } from '../../platform/db/schema/event-types.ts'
import { invalid, type Refusal } from '../../platform/http/errors.ts'
import type { Problem } from '../../platform/reasons/reason.ts'
import { type AnswerValue, isEmptyAnswer, refuseAnswer } from './answer-kinds.ts'

/** By the keys of the questions. */
export type Answers = Readonly<Record<string, unknown>>

/** An answer with its question as it was then: later changes of the question affect neither. */
export type KeptAnswer = Pick<Question, 'key' | 'label' | 'type'> & { readonly value: AnswerValue }

/** Why these answers are invalid; null if they are valid. */
export function refuseAnswers(questions: readonly Question[], answers: Answers): Refusal | null {
  const fields: Record<string, Problem> = {}
  for (const question of questions) {
    const found = refuseAnswer(question, answerTo(question, answers))
    if (found !== null) fields[`answers.${question.key}`] = found
  }
  return Object.keys(fields).length === 0 ? null : invalid(fields).refusal
}

/** Valid answers, sealed for a row; null without any. */
export async function sealAnswers(
  { ENCRYPTION_KEY }: Env,
  questions: readonly Question[],
  answers: Answers,
): Promise<string | null> {
  const kept = questions.flatMap((question): KeptAnswer[] => {
    const value = answerTo(question, answers)
    const { key, label, type } = question
    return isEmptyAnswer(value) ? [] : [{ key, label, type, value: value as AnswerValue }]
  })
  return kept.length === 0 ? null : seal(ENCRYPTION_KEY, JSON.stringify(kept))
}

/** The stored answers. */
export async function openAnswers({ ENCRYPTION_KEY }: Env, sealed: string | null): Promise<KeptAnswer[]> {
  return sealed === null ? [] : (JSON.parse(await unseal(ENCRYPTION_KEY, sealed)) as KeptAnswer[])
}

/** As in the API. */
export async function presentAnswers(env: Env, sealed: string | null): Promise<Record<string, GivenAnswer>> {
  const answers = await openAnswers(env, sealed)
  return Object.fromEntries(
    answers.map(({ key, value }) => [key, typeof value === 'object' ? [...value] : value]),
  )
}
type GivenAnswer = string | number | boolean | string[]

function answerTo({ key }: Question, answers: Answers): unknown {
  return Object.hasOwn(answers, key) ? answers[key] : undefined
}
