import type { Refusal } from '../platform/http/errors.ts'
import { isBlank } from '../platform/http/typed-text.ts'
import { pluralText } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import type { Reason } from '../platform/reasons/reason.ts'
import { type Answered, answerTrouble, textTrouble } from './answer-trouble.ts'
import { shortMomentOn } from './booking-times.ts'
import type { Page } from './page.ts'
import type { Trouble } from './views/details-form.tsx'

type Form = {
  readonly start: number | null
  readonly zone: string
  readonly name: string
  readonly email: string
  /** Those who come along without a seat, as typed. */
  readonly company?: string
  /** Where questions were asked. */
  readonly answered?: Answered
}

/** Whether the start cannot be had, for whatever reason. */
export function isTimeTaken({ code }: Refusal): boolean {
  return code === 'conflict' || code === 'no_host_available'
}

/** A refusal of the API, in the visitor's language, at the field it is about. `isTimeGone` asks for another time. */
export function shownRefusal(
  page: Page,
  refusal: Refusal,
  form: Form,
): Trouble & { readonly isTimeGone: boolean } {
  const { texts } = page.locale
  const { code, reason, details = {}, fields = {} } = refusal
  const stays = (title: string) => ({ title, isTimeGone: false })
  switch (code) {
    case 'validation_error':
      return { ...fieldsOf(page, fields, form), isTimeGone: 'start_time' in fields }
    case 'conflict': {
      if (reason === 'already_on_waitlist') return stays(texts.alreadyWaiting)
      if (reason === 'price_changed') return stays(texts.priceChanged)
      if (reason === 'waitlist_full') return stays(texts.waitlistFull)
      if (reason === 'invitee_limit_reached') return stays(texts.enoughForAddress)
      if (reason === 'series_not_open') return stays(seriesText(page, details.conflicts, form.zone))
      const time = form.start === null ? '' : shortMomentOn(page, form.start, form.zone)
      const alternatives = Array.isArray(details.alternatives) ? details.alternatives : []
      return {
        title: fill(texts.justGone, { time }),
        alternatives: alternatives.map((one) => Date.parse(String(one))).filter(Number.isFinite),
        isTimeGone: true,
      }
    }
    case 'no_host_available': {
      const time = form.start === null ? '' : shortMomentOn(page, form.start, form.zone)
      return { title: fill(texts.justGone, { time }), isTimeGone: true }
    }
    case 'booking_cap_reached':
      return { title: texts.capFull, isTimeGone: true }
    case 'org_suspended':
    case 'plan_limit_exceeded':
      return stays(texts.notTaking)
    case 'bad_gateway':
      return stays(texts.paymentDown)
    case 'rate_limit_exceeded':
      return stays(brakeText(texts, reason))
    case 'bad_request':
      return toldRule(page, refusal, form)
    case 'not_found':
      return stays(texts.notTaking)
    default:
      return stays(texts.refusedOtherwise)
  }
}

/** Which of the weeks cannot be booked. */
function seriesText(page: Page, conflicts: unknown, zone: string): string {
  const { texts } = page.locale
  const starts = (conflicts as readonly { readonly start_time: string }[]).map(({ start_time }) =>
    shortMomentOn(page, Date.parse(start_time), zone),
  )
  return fill(texts.seriesNotOpen, { times: starts.join(texts.comma) })
}

/** The rule that a well-formed request breaks. */
function toldRule(
  { locale }: Page,
  { reason, numbers }: Refusal,
  { company = '' }: Form,
): Trouble & { readonly isTimeGone: boolean } {
  const { texts } = locale
  switch (reason) {
    case 'email_unverified':
      return { fields: { code: texts.wrongCode }, isTimeGone: false }
    case 'already_seated':
      return { fields: { email: texts.alreadySeated }, isTimeGone: false }
    case 'same_email':
      return { fields: { [company === '' ? 'guests' : 'company']: texts.sameAddress }, isTimeGone: false }
    case 'too_many_guests': {
      const { most } = numbers as { readonly most: number }
      return { fields: { company: pluralText(locale, texts.tooManyCompany, most) }, isTimeGone: false }
    }
    case 'too_many_attendees':
    case 'too_many_for_hold':
    case 'too_many_to_pay':
      return { fields: { guests: texts.tooManyGuests }, isTimeGone: false }
    case 'attendees_per_booking':
      return { fields: { guests: texts.tooManyAtOnce }, isTimeGone: false }
    case 'host_required':
      return { title: texts.chooseHost, asksHost: true, isTimeGone: false }
    case 'not_a_host':
    case 'no_host_choice':
    case 'takes_all_hosts':
      return { title: texts.hostGone, asksHost: true, isTimeGone: false }
    case 'never_offered':
      return { title: texts.needTime, isTimeGone: true }
    case 'no_payment_provider':
    case 'payment_unavailable':
      return { title: texts.notTaking, isTimeGone: false }
    default:
      return { title: texts.refusedOtherwise, isTimeGone: false }
  }
}

function brakeText(texts: Page['locale']['texts'], limit: Reason): string {
  switch (limit) {
    case 'bookings_per_network_hour':
    case 'pending_per_network':
      return texts.enoughFromHere
    case 'active_per_email':
    case 'waiting_per_email':
      return texts.enoughForAddress
    case 'verifications_per_email_hour':
    case 'verifications_per_network_hour':
      return texts.codesUsedUp
    default:
      return texts.tooOften
  }
}

/** The page's own words for the API's fields. */
function fieldsOf({ locale: { texts } }: Page, wrong: NonNullable<Refusal['fields']>, form: Form): Trouble {
  const fields: Record<string, string> = {}
  let title: string | undefined
  for (const [field, problem] of Object.entries(wrong)) {
    if (field === 'invitee_name')
      fields.name = isBlank(form.name) ? texts.needName : textTrouble(texts, problem)
    else if (field === 'invitee_email' || field === 'email') fields.email = texts.needEmail
    else if (field === 'notes') fields.notes = textTrouble(texts, problem)
    else if (field === 'reason') fields.reason = textTrouble(texts, problem)
    else if (field === 'start_time' || field === 'new_start_time') title = texts.needTime
    else if (field === 'place_id') fields.place_id = texts.needPlace
    else if (field === 'invitee_phone') fields.phone = texts.needPhoneCode
    else if (field.startsWith('attendees')) fields.guests = texts.needGuests
    else if (field.startsWith('guests')) fields.company = texts.needGuests
    else if (field.startsWith('answers.') && form.answered) {
      const trouble = answerTrouble(texts, form.answered, field)
      if (trouble) fields[trouble[0]] = trouble[1]
      else title = texts.refusedOtherwise
    } else title = texts.refusedOtherwise
  }
  return title === undefined ? { fields } : { fields, title }
}
