import type { ComponentChildren } from 'preact'
import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly name: string
  readonly label: ComponentChildren
  readonly value: string
  readonly error?: string | undefined
  readonly hint?: ComponentChildren
  readonly type?: 'text' | 'email' | 'date'
  readonly autocomplete?: string
  readonly inputmode?: 'numeric' | 'decimal' | 'tel' | 'url'
  /** Written from left to right in every language. */
  readonly isLatin?: boolean
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
      <ErrorText page={page} name={name} error={error} />
      {rest.rows ? (
        <textarea {...shared} rows={rest.rows} dir="auto">
          {value}
        </textarea>
      ) : (
        <Input
          {...shared}
          value={value}
          required={rest.isRequired}
          dir={rest.isLatin && value === '' ? 'ltr' : 'auto'}
          kind={type}
        />
      )}
    </div>
  )
}

type ErrorProps = Pick<Props, 'page' | 'name'> & { readonly error: string | undefined }

export function ErrorText({ page, name, error }: ErrorProps) {
  if (!error) return null
  return (
    <p class="error" id={`${name}-error`}>
      <span class="unseen">{page.locale.texts.errorPrefix} </span>
      {error}
    </p>
  )
}

type InputProps = Record<string, unknown> & { readonly kind: 'text' | 'email' | 'date' }

function Input({ kind, ...rest }: InputProps) {
  if (kind === 'text') return <input type="text" {...rest} />
  if (kind === 'date') return <input type="date" {...rest} />
  // Browsers refuse or rewrite internationalized addresses in a field of the type email.
  return <input type="text" inputMode="email" autocapitalize="none" spellcheck={false} {...rest} />
}
