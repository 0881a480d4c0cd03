import { formatInstant } from '../../platform/http/instants.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { answerField } from '../answers-in.ts'
import { spanOn } from '../booking-times.ts'
import type { Offer } from '../event-offer.ts'
import { linkTo } from '../links.ts'
import type { Slot } from '../open-times.ts'
import type { Page } from '../page.ts'
import type { Filled } from '../read-form.ts'
import { Alternatives } from './alternatives.tsx'
import { CompanyField } from './company-field.tsx'
import { Field } from './field.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { HostFields } from './host-choice.tsx'
import { PlaceFields } from './place-fields.tsx'
import { Problems } from './problems.tsx'
import { QuestionFields } from './question-fields.tsx'
import { RepeatField } from './repeat-field.tsx'

export type Trouble = {
  readonly title?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly alternatives?: readonly number[]
  /** Another host has to be chosen. */
  readonly asksHost?: boolean
  /** Where the visitor's own booking of the time is. */
  readonly own?: string
  /** What the site around a frame is notified of. */
  readonly code?: string
}

type Props = {
  readonly page: Page
  readonly offer: Offer
  readonly action: string
  /** Null when the time it was for is gone. */
  readonly slot: Slot | null
  readonly filled: Filled
  readonly trouble: Trouble
  readonly submit: string
  readonly heading: string
  readonly text?: string
  readonly takesGuests?: boolean
  /** How many can come along without a seat. */
  readonly mostCompany?: number
  /** How many weeks can be booked at once. */
  readonly mostWeeks?: number
  /** Nobody has sent it yet, so what was typed before wins over what is in it. */
  readonly isFresh?: boolean
}

/** The invitee. With the hidden key, sending it twice is the same as sending it once. */
export function DetailsForm({ page, offer, slot, filled, trouble, ...props }: Props) {
  const { locale } = page
  const { texts } = locale
  const { alternatives = [], fields = {} } = trouble
  const start = slot?.start ?? null
  const hasTime = start !== null || alternatives.length > 0
  const host = slot?.isFull ? null : (offer.choice?.chosen ?? null)
  const isCodeAsked = filled.codeFor !== ''
  const isTrouble = trouble.title !== undefined || Object.keys(fields).length > 0
  const back = linkTo(page.url, { time: null, wait: null })
  const hidden: (readonly [string, string])[] = [
    ['key', filled.key],
    ...(isCodeAsked ? [['code_for', filled.codeFor] as const] : []),
    ['timezone', offer.ownZone],
    ['duration', String(offer.duration)],
    ...(host === null || trouble.asksHost ? [] : [['member', host.id] as const]),
    // The price that the page shows: a dearer booking is refused.
    ['expected_amount', String(offer.event_type.price_amount ?? 0)],
    ...(offer.event_type.price_amount === null
      ? []
      : [['expected_currency', offer.event_type.price_currency] as const]),
    ...(start === null ? [] : [['start_time', formatInstant(start)] as const]),
  ]
  return (
    <div class="pane form" data-failed={trouble.code}>
      {slot && (
        <p class="chosen-time" id="chosen-time">
          <strong>{spanOn(page, slot.start, slot.end, offer.zone)}</strong>
        </p>
      )}
      {hasTime && (
        <a class="back" data-swap data-key="back" href={back}>
          {texts.changeTime}
        </a>
      )}
      <h2
        tabIndex={-1}
        data-focus={isTrouble || isCodeAsked ? undefined : ''}
        aria-describedby={slot ? 'chosen-time' : undefined}
      >
        {props.heading}
      </h2>
      {props.text && <p class="soft">{props.text}</p>}
      <Problems
        page={page}
        {...(trouble.title && { title: trouble.title })}
        fields={fields}
        labels={labelsOf(offer)}
      >
        {trouble.title && !hasTime && <p>{texts.noOtherTimes}</p>}
        {trouble.own && (
          <p>
            <a href={trouble.own}>{texts.yourBooking}</a>
          </p>
        )}
      </Problems>
      {!hasTime && (
        <a class="button" data-swap data-key="back" href={back}>
          {texts.chooseOther}
        </a>
      )}
      <form
        method="post"
        action={props.action}
        novalidate
        data-once={texts.sending}
        data-fresh={props.isFresh ? '' : undefined}
      >
        <HiddenFields fields={hidden} />
        {start === null && alternatives.length > 0 && (
          <Alternatives page={page} zone={offer.zone} starts={alternatives} name="start_time" />
        )}
        {trouble.asksHost && <HostFields page={page} choice={offer.choice} />}
        <Field
          page={page}
          name="name"
          label={texts.name}
          value={filled.name}
          error={fields.name}
          autocomplete="name"
          isRequired
        />
        <Field
          page={page}
          name="email"
          type="email"
          label={texts.email}
          value={filled.email}
          error={fields.email}
          hint={texts.emailHint}
          autocomplete="email"
          isRequired
        />
        <PlaceFields
          page={page}
          places={offer.event_type.places}
          offersTexts={offer.event_type.text_reminders === true}
          filled={filled}
          errors={fields}
        />
        {props.takesGuests && (
          <Field
            page={page}
            name="guests"
            label={texts.guests}
            value={filled.guests}
            error={fields.guests}
            hint={texts.guestsHint}
            rows={2}
          />
        )}
        <QuestionFields
          page={page}
          questions={offer.event_type.questions}
          typed={filled.answers}
          errors={fields}
        />
        <CompanyField
          page={page}
          value={filled.company}
          error={fields.company}
          most={props.mostCompany ?? 0}
        />
        <RepeatField page={page} most={props.mostWeeks ?? 0} value={filled.repeat} />
        <Field
          page={page}
          name="notes"
          label={texts.notes}
          value={filled.notes}
          error={fields.notes}
          rows={3}
        />
        {isCodeAsked && (
          <Field
            page={page}
            name="code"
            label={texts.code}
            value={filled.code}
            error={fields.code}
            hint={fill(texts.codeHint, { email: filled.codeFor })}
            autocomplete="one-time-code"
            inputmode="numeric"
            isFocused={!isTrouble}
            isRequired
          />
        )}
        {/* Kept in the browser alone, which needs its script. */}
        <label class="remember" hidden>
          <input type="checkbox" data-remember />
          {texts.rememberMe}
        </label>
        {hasTime && (
          <button type="submit" class="button">
            {props.submit}
          </button>
        )}
        {hasTime && isCodeAsked && (
          <button type="submit" class="button soft-button" name="another_code" value="1">
            {texts.sendCodeAgain}
          </button>
        )}
      </form>
    </div>
  )
}

function labelsOf({ event_type: { questions } }: Offer): Record<string, string> {
  return Object.fromEntries(questions.map(({ key, label }) => [answerField(key), label]))
}
