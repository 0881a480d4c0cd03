import { type AskedQuestion, answerField, isTicked, type TypedAnswers } from '../answers-in.ts'
import type { Page } from '../page.ts'
import { ErrorText, Field } from './field.tsx'

type Props = {
  readonly page: Page
  readonly questions: readonly AskedQuestion[]
  readonly typed: TypedAnswers
  readonly errors: Readonly<Record<string, string>>
}

/** What the organization asks, each kind in the field that suits it. */
export function QuestionFields({ page, questions, typed, errors }: Props) {
  return questions.map((question) => {
    const name = answerField(question.key)
    const props = { page, question, name, values: typed.get(question.key) ?? [], error: errors[name] }
    switch (question.type) {
      case 'choice':
        return <Choice key={name} {...props} />
      case 'choices':
        return <Choices key={name} {...props} />
      case 'checkbox':
        return <Tick key={name} {...props} />
      default:
        return <Typed key={name} {...props} type={question.type} />
    }
  })
}

type OneProps = {
  readonly page: Page
  readonly question: AskedQuestion
  readonly name: string
  readonly values: readonly string[]
  readonly error: string | undefined
}

const KINDS = {
  short_text: {},
  long_text: { rows: 4 },
  phone: { inputmode: 'tel', autocomplete: 'tel', isLatin: true },
  url: { inputmode: 'url', autocomplete: 'url', isLatin: true },
  number: { inputmode: 'decimal', isLatin: true },
  date: { type: 'date' },
} as const

function Typed({ page, question, name, values, error, type }: OneProps & { type: keyof typeof KINDS }) {
  const { label, help, required } = question
  return (
    <Field
      page={page}
      name={name}
      label={<bdi>{label}</bdi>}
      value={values.at(-1) ?? ''}
      error={error}
      {...(help && { hint: <bdi>{help}</bdi> })}
      isRequired={required}
      {...KINDS[type]}
    />
  )
}

/** What names and explains a group or a box, and what is wrong with it. */
function describedBy({ name, question, error }: OneProps): string | undefined {
  const ids = [error ? `${name}-error` : null, question.help ? `${name}-hint` : null].filter(Boolean)
  return ids.length === 0 ? undefined : ids.join(' ')
}

function Help({ name, question: { help } }: OneProps) {
  if (!help) return null
  return (
    <p class="soft" id={`${name}-hint`}>
      <bdi>{help}</bdi>
    </p>
  )
}

function Label({ page, question: { label, required } }: OneProps) {
  return (
    <>
      <bdi>{label}</bdi>
      {!required && <span class="soft"> ({page.locale.texts.optional})</span>}
    </>
  )
}

function Choice(props: OneProps) {
  const { page, name, question, values, error } = props
  const chosen = values.at(-1) ?? ''
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={name}>
        <Label {...props} />
      </label>
      <Help {...props} />
      <ErrorText page={page} name={name} error={error} />
      <select
        id={name}
        name={name}
        aria-describedby={describedBy(props)}
        aria-invalid={error ? 'true' : undefined}
        required={question.required}
      >
        <option value="" selected={chosen === ''}>
          {page.locale.texts.choose}
        </option>
        {(question.options ?? []).map((option) => (
          <option key={option} value={option} selected={option === chosen} dir="auto">
            {option}
          </option>
        ))}
      </select>
    </div>
  )
}

function Choices(props: OneProps) {
  const { page, name, question, values, error } = props
  return (
    <fieldset class={error ? 'field ticks wrong' : 'field ticks'} aria-describedby={describedBy(props)}>
      <legend>
        <Label {...props} />
      </legend>
      <Help {...props} />
      <ErrorText page={page} name={name} error={error} />
      {(question.options ?? []).map((option, at) => (
        <label key={option} class="tick">
          <input
            type="checkbox"
            // The summary of errors leads to the first.
            id={at === 0 ? name : undefined}
            name={name}
            value={option}
            checked={values.includes(option)}
            aria-invalid={error ? 'true' : undefined}
          />
          <bdi>{option}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

function Tick(props: OneProps) {
  const { page, name, question, values, error } = props
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <ErrorText page={page} name={name} error={error} />
      <label class="tick" for={name}>
        <input
          type="checkbox"
          id={name}
          name={name}
          value="true"
          checked={isTicked(values)}
          aria-describedby={describedBy(props)}
          aria-invalid={error ? 'true' : undefined}
          required={question.required}
        />
        <span>
          <Label {...props} />
        </span>
      </label>
      <Help {...props} />
    </div>
  )
}
