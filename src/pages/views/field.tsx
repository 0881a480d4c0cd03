import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly name: string
  readonly label: string
  readonly value: string
  readonly error?: string | undefined
  readonly hint?: string
  readonly type?: 'text' | 'email'
  readonly autocomplete?: string
  readonly inputmode?: 'numeric'
  /** Where the visitor goes on. */
  readonly isFocused?: boolean
  readonly isRequired?: boolean
  readonly rows?: number
}

/** A labelled field with its error beside it. */
export function Field({ page, name, label, value, error, hint, type = 'text', ...rest }: Props) {
  const { texts } = page.locale
  const described = [error ? `${name}-error` : null, hint ? `${name}-hint` : null].filter(Boolean).join(' ')
  const shared = {
    id: name,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
    autocomplete: rest.autocomplete,
    inputmode: rest.inputmode,
    'data-focus': rest.isFocused ? '' : undefined,
    autofocus: rest.isFocused || undefined,
  }
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={name}>
        {label}
        {!rest.isRequired && <span class="soft"> ({texts.optional})</span>}
      </label>
      {hint && (
        <p class="soft" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${name}-error`}>
          <span class="unseen">{texts.errorPrefix} </span>
          {error}
        </p>
      )}
      {rest.rows ? (
        <textarea {...shared} rows={rest.rows} dir="auto">
          {value}
        </textarea>
      ) : (
        <Input {...shared} value={value} required={rest.isRequired} dir="auto" isEmail={type === 'email'} />
      )}
    </div>
  )
}

type InputProps = Record<string, unknown> & { readonly isEmail: boolean }

function Input({ isEmail, ...rest }: InputProps) {
  if (!isEmail) return <input type="text" {...rest} />
  // Browsers refuse or rewrite internationalized addresses in a field of the type email.
  return <input type="text" inputMode="email" autocapitalize="none" spellcheck={false} {...rest} />
}
