import { answerTrouble, withAnswers } from '../../pages/answer-trouble.ts'
import {
  type AskedQuestion,
  answerField,
  answersFor,
  answersIn,
  type TypedAnswers,
} from '../../pages/answers-in.ts'
import { QuestionFields } from '../../pages/views/question-fields.tsx'
import type { Refusal } from '../../platform/http/errors.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { orNull } from '../form.ts'
import type { Form, MemberRequest } from '../request.ts'
import { type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'

type Props = {
  readonly request: MemberRequest
  readonly questions: readonly AskedQuestion[]
  readonly trouble: Trouble
}

/** The invitee and the event type's questions, with everything typed before. */
export function InviteeFields({ request, questions, trouble }: Props) {
  const { page, form } = request
  const texts = textsOf(page.locale, bookingsTexts)
  const typed = (name: string) => form.get(name) ?? ''
  const value = {
    name: typed('name'),
    email: typed('email'),
    zone: form.get('zone') ?? request.zone,
    notes: typed('notes'),
  }
  const field = fieldsFor({ locale: page.locale, trouble }, value)
  return (
    <>
      <div class="pair">
        {field.text('name', texts.name)}
        {field.text('email', texts.email, { inputmode: 'email' })}
      </div>
      {field.zone('zone', texts.theirZone)}
      <QuestionFields
        page={page}
        questions={questions}
        typed={typedAnswers(form)}
        errors={trouble.fields ?? {}}
      />
      {field.text('notes', texts.notes, { rows: 3, isOptional: true })}
    </>
  )
}

/** The same as the endpoints take it. */
export function readInvitee({ form, page, zone }: MemberRequest, questions: readonly AskedQuestion[]) {
  return {
    invitee_name: form.get('name') ?? '',
    invitee_email: form.get('email') ?? '',
    invitee_timezone: form.get('zone') ?? zone,
    notes: orNull(form, 'notes'),
    answers: answersFor(questions, typedAnswers(form), page.locale.tag),
  }
}

/** What is wrong with it, all at once: answers in the words of the booking page. */
export function inviteeTrouble(
  request: MemberRequest,
  refusal: Refusal,
  questions: readonly AskedQuestion[],
): Trouble {
  const { locale } = request.page
  const answers = answersFor(questions, typedAnswers(request.form), locale.tag)
  const whole = withAnswers(refusal, { questions, answers })
  const names = questions.map(({ key }) => [`answers.${key}`, answerField(key)])
  const trouble = troubleOf(locale, whole, {
    fields: {
      invitee_name: 'name',
      invitee_email: 'email',
      invitee_timezone: 'zone',
      start_time: 'start',
      ...Object.fromEntries(names),
    },
  })
  const told = Object.keys(whole.fields ?? {}).flatMap((field) =>
    [answerTrouble(locale.texts, { questions, answers }, field)].filter((one) => one !== null),
  )
  return told.length === 0
    ? trouble
    : { ...trouble, fields: { ...trouble.fields, ...Object.fromEntries(told) } }
}

function typedAnswers(form: Form): TypedAnswers {
  const all = [...form.keys()].flatMap((name) => form.all(name).map((value) => [name, value]))
  return answersIn(new URLSearchParams(all))
}
