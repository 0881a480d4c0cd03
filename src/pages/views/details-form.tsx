import { formatInstant } from '../../http/instants.ts'
import { fill } from '../../i18n/plural.ts'
import { linkTo } from '../links.ts'
import type { Page } from '../page.ts'
import type { Filled } from '../read-form.ts'
import { Alternatives } from './alternatives.tsx'
import { Field } from './field.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { Problems } from './problems.tsx'

export type Trouble = {
  readonly title?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly alternatives?: readonly number[]
}

type Props = {
  readonly page: Page
  readonly action: string
  readonly zone: string
  /** Null when the time it was for is gone. */
  readonly start: number | null
  readonly duration: number
  readonly filled: Filled
  readonly trouble: Trouble
  readonly submit: string
  readonly heading: string
  readonly text?: string
}

/** Who comes. With the hidden key, sending it twice is the same as sending it once. */
export function DetailsForm({ page, zone, start, filled, trouble, ...props }: Props) {
  const { texts } = page.locale
  const { alternatives = [], fields = {} } = trouble
  const hasTime = start !== null || alternatives.length > 0
  const isCodeAsked = filled.codeFor !== ''
  const isTrouble = trouble.title !== undefined || Object.keys(fields).length > 0
  const hidden: (readonly [string, string])[] = [
    ['key', filled.key],
    ...(isCodeAsked ? [['code_for', filled.codeFor] as const] : []),
    ['timezone', zone],
    ['duration', String(props.duration)],
    ...(start === null ? [] : [['start_time', formatInstant(start)] as const]),
  ]
  return (
    <div class="pane form">
      <a class="back" data-swap href={linkTo(page.url, { time: null, wait: null })}>
        {texts.changeTime}
      </a>
      <h2 tabIndex={-1} data-focus={isTrouble || isCodeAsked ? undefined : ''}>
        {props.heading}
      </h2>
      {props.text && <p class="soft">{props.text}</p>}
      <Problems page={page} {...(trouble.title && { title: trouble.title })} fields={fields}>
        {trouble.title && start === null && alternatives.length === 0 && <p>{texts.noOtherTimes}</p>}
      </Problems>
      <form method="post" action={props.action} novalidate data-once={texts.sending}>
        <HiddenFields fields={hidden} />
        {start === null && alternatives.length > 0 && (
          <Alternatives page={page} zone={zone} starts={alternatives} name="start_time" />
        )}
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
