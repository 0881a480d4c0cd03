import type { InviteeBooking } from '../booking/bookings/get-for-invitee.ts'
import type { BookingToChange } from '../booking/bookings/get-to-change.ts'
import type { KeptAnswer } from '../booking/questions/take-answers.ts'
import { answersFor, answersIn, type TypedAnswers } from './answers-in.ts'
import { addressesIn } from './read-form.ts'
import { typedPhone } from './typed-phone.ts'

/** What an invitee can change of their booking, as the form has it. */
export type OwnDetails = {
  readonly name: string
  readonly timezone: string
  readonly language: string
  readonly phone: string
  /** Whether reminders and cancellations are sent as text messages too. */
  readonly byText: boolean
  readonly notes: string
  readonly company: string
  readonly answers: TypedAnswers
}

/** Until its start, an active booking can be changed. */
export function isChangeable({ row, now }: Pick<InviteeBooking, 'row' | 'now'>): boolean {
  return row.status !== 'cancelled' && now < row.startTime
}

export function detailsOf({ row, phone, answers }: BookingToChange, tag: string): OwnDetails {
  return {
    name: row.inviteeName,
    timezone: row.inviteeTimezone,
    language: row.inviteeLocale,
    phone: phone ?? '',
    byText: row.smsConsent && phone !== null,
    notes: row.notes ?? '',
    company: emailsOf(row.guests).join('\n'),
    answers: new Map(answers.map(({ key, value }) => [key, textsOf(value, tag)])),
  }
}

export function detailsIn(fields: URLSearchParams): OwnDetails {
  const form = new Map(fields)
  const text = (name: string) => (form.get(name) ?? '').replace(/\r\n/g, '\n').trim()
  return {
    name: text('name'),
    timezone: text('timezone'),
    language: text('language'),
    phone: text('phone'),
    byText: form.has('by_text'),
    notes: text('notes'),
    company: text('company'),
    answers: answersIn(fields),
  }
}

/** As the API takes it. What stays is left out: a field that was never asked for is not checked. */
export function changesIn(found: BookingToChange, typed: OwnDetails, tag: string) {
  const { row, questions } = found
  const before = detailsOf(found, tag)
  const [known, answers] = [before.answers, typed.answers].map((one) => answersFor(questions, one, tag))
  const named = new Map(row.guests?.map(({ email, name }) => [email.toLowerCase(), name]))
  const guests = addressesIn(typed.company).map((email) => {
    const name = named.get(email.toLowerCase())
    return { email, ...(name && { name }) }
  })
  return {
    ...(typed.name !== before.name && { invitee_name: typed.name }),
    ...(typed.timezone !== before.timezone && { invitee_timezone: typed.timezone }),
    ...(typed.language !== before.language && { invitee_locale: typed.language }),
    ...(typed.phone !== before.phone && { invitee_phone: typedPhone(typed.phone) || null }),
    ...(found.offersTexts && consentIn(typed, before)),
    ...(typed.notes !== before.notes && { notes: typed.notes === '' ? null : typed.notes }),
    ...(typed.company !== before.company && { guests }),
    ...(JSON.stringify(answers) !== JSON.stringify(known) && { answers: answers! }),
  }
}

/** Another number needs the consent again; text messages need a number. */
function consentIn(typed: OwnDetails, before: OwnDetails) {
  const isOther = typed.byText !== before.byText || typed.phone !== before.phone
  if (!isOther) return {}
  return { sms_consent: typed.byText, ...(typed.byText && { invitee_phone: typedPhone(typed.phone) }) }
}

function emailsOf(guests: BookingToChange['row']['guests']): string[] {
  return (guests ?? []).map(({ email }) => email).filter((email) => email !== '')
}

/** As it is typed into the field of its question. */
function textsOf(value: KeptAnswer['value'], tag: string): readonly string[] {
  if (typeof value === 'object') return value
  if (typeof value !== 'number') return [String(value)]
  return [new Intl.NumberFormat(tag, { useGrouping: false, maximumFractionDigits: 20 }).format(value)]
}
