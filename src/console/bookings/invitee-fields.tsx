import type { EventType } from '../../booking/event-types/schema.ts'
import { answerTrouble, withAnswers } from '../../pages/answer-trouble.ts'
import { answerField, answersFor, answersIn, type TypedAnswers } from '../../pages/answers-in.ts'
import { placeName } from '../../pages/place-name.ts'
import { typedPhone } from '../../pages/typed-phone.ts'
import { QuestionFields } from '../../pages/views/question-fields.tsx'
import type { Refusal } from '../../platform/http/errors.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { orNull } from '../form.ts'
import type { Form, MemberRequest } from '../request.ts'
import { type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'

/** What the form asks about: the event type's questions and places. */
type Offered = Pick<EventType, 'questions' | 'places'>

export const NOTHING_ASKED: Offered = { questions: [], places: [] }

type Props = {
  readonly request: MemberRequest
  readonly offered: Offered
  readonly trouble: Trouble
  /** Whether a phone number is enough. */
  readonly takesPhone?: boolean
}

/** The invitee and the event type's questions, with everything typed before. */
export function InviteeFields({ request, offered, trouble, takesPhone }: Props) {
  const { page, form } = request
  const texts = textsOf(page.locale, bookingsTexts)
  // A link may name who books again.
  const typed = (name: string) => form.get(name) ?? page.url.searchParams.get(name) ?? ''
  const value = {
    name: typed('name'),
    email: typed('email'),
    phone: typed('phone'),
    place: typed('place'),
    zone: form.get('zone') ?? request.zone,
    notes: typed('notes'),
  }
  const field = fieldsFor({ locale: page.locale, trouble }, value)
  const { phone, phoneHint, noEmailHint } = textsOf(page.locale, bookingChangeTexts)
  const places = offered.places.map((one) => ({ value: one.id, text: placeName(page.locale.texts, one) }))
  return (
    <>
      <div class="pair">
        {field.text('name', texts.name)}
        {field.text('email', texts.email, {
          inputmode: 'email',
          isOptional: takesPhone ?? false,
          ...(takesPhone && { hint: noEmailHint }),
        })}
        {field.text('phone', phone, { inputmode: 'tel', hint: phoneHint, isOptional: true })}
        {places.length > 1 && field.select('place', texts.where, places)}
      </div>
      {field.zone('zone', texts.theirZone)}
      <QuestionFields
        page={page}
        questions={offered.questions}
        typed={typedAnswers(form)}
        errors={trouble.fields ?? {}}
      />
      {field.text('notes', texts.notes, { rows: 3, isOptional: true })}
    </>
  )
}

/** The same as the endpoints take it. */
export function readInvitee({ form, page, zone }: MemberRequest, { questions }: Offered) {
  const phone = typedPhone(form.get('phone') ?? '')
  return {
    invitee_name: form.get('name') ?? '',
    invitee_email: form.get('email') ?? '',
    ...(phone !== '' && { invitee_phone: phone }),
    place_id: orNull(form, 'place'),
    invitee_timezone: form.get('zone') ?? zone,
    notes: orNull(form, 'notes'),
    answers: answersFor(questions, typedAnswers(form), page.locale.tag),
  }
}

/** The same for somebody who has a phone number and no address. */
export function withoutEmail(invitee: ReturnType<typeof readInvitee>) {
  const { invitee_email: email, invitee_phone: phone } = invitee
  return { ...invitee, invitee_email: email === '' && phone !== undefined ? null : email }
}

/** What is wrong with it, all at once: answers in the words of the booking page. */
export function inviteeTrouble(request: MemberRequest, refusal: Refusal, { questions }: Offered): Trouble {
  const { locale } = request.page
  const answers = answersFor(questions, typedAnswers(request.form), locale.tag)
  const whole = withAnswers(refusal, { questions, answers })
  const names = questions.map(({ key }) => [`answers.${key}`, answerField(key)])
  const trouble = troubleOf(locale, whole, {
    fields: {
      invitee_name: 'name',
      invitee_email: 'email',
      invitee_phone: 'phone',
      place_id: 'place',
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
