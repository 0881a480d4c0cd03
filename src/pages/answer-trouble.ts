import { placeOf, refusePlace } from '../booking/places/choose-place.ts'
import { isEmptyAnswer, refuseAnswer } from '../booking/questions/answer-kinds.ts'
import { refuseAnswers } from '../booking/questions/take-answers.ts'
import type { Refusal } from '../platform/http/errors.ts'
import type { Messages } from '../platform/i18n/en.ts'
import { type Problem, reasonOf } from '../platform/reasons/reason.ts'
import { type AskedQuestion, answerField } from './answers-in.ts'
import type { Filled } from './read-form.ts'
import { typedPhone } from './typed-phone.ts'

/** What was asked on a form, and what is sent for it. */
export type Answered = {
  readonly questions: readonly AskedQuestion[]
  readonly answers: Readonly<Record<string, unknown>>
}

/** All that is wrong with a form at once: the API looks at the answers only when everything else of it is right. */
export function withAnswers(refusal: Refusal, { questions, answers }: Answered): Refusal {
  if (refusal.code !== 'validation_error') return refusal
  const wrong = refuseAnswers(questions, answers)
  return wrong ? { ...refusal, fields: { ...refusal.fields, ...wrong.fields } } : refusal
}

/** The same for the place and the number to call there. */
export function withPlace(refusal: Refusal, offered: Offered, sent: ReturnType<typeof placeIn>): Refusal {
  if (refusal.code !== 'validation_error') return refusal
  const wrong = refusePlace(offered, sent)
  return wrong ? { ...refusal, fields: { ...wrong.fields, ...refusal.fields } } : refusal
}

type Offered = Parameters<typeof refusePlace>[0]

/** As the API takes them. A number is sent only if somebody is called, or agrees to text messages. */
export function placeIn(
  offered: Offered,
  { place, phone, byText }: Pick<Filled, 'place' | 'phone' | 'byText'>,
) {
  const place_id = place === '' ? null : place
  const isCalled = placeOf(offered, { place_id })?.kind === 'phone_out'
  return {
    ...(place_id !== null && { place_id }),
    ...(((isCalled && phone !== '') || byText) && { invitee_phone: typedPhone(phone) }),
    ...(byText && { sms_consent: true }),
  }
}

/** What is wrong with an answer, in the page's words, by the name of its field; null where it was not asked here. */
export function answerTrouble(
  texts: Messages,
  { questions, answers }: Answered,
  field: string,
): readonly [name: string, text: string] | null {
  const question = questions.find(({ key }) => field === `answers.${key}`)
  if (!question) return null
  return [answerField(question.key), troubleWith(texts, question, answers[question.key])]
}

/** What is wrong with a text that is there. */
export function textTrouble(texts: Messages, problem: Problem): string {
  const reason = reasonOf(problem)
  if (reason === 'has_link') return texts.noLinkInName
  return reason === 'not_one_line' || reason === 'has_nul' ? texts.unusable : texts.tooLong
}

function troubleWith(texts: Messages, question: AskedQuestion, answer: unknown): string {
  const { type } = question
  if (type === 'checkbox') return texts.needTick
  if (type === 'choice' || type === 'choices') return texts.needChoice
  if (isEmptyAnswer(answer)) return texts.needAnswer
  switch (type) {
    case 'phone':
      return texts.needPhone
    case 'url':
      return texts.needUrl
    case 'number':
      return texts.needNumber
    case 'date':
      return texts.needDate
    default:
      return textTrouble(texts, refuseAnswer(question, answer)!)
  }
}
