import type { ComponentChildren } from 'preact'
import type { Locale } from '../../platform/i18n/locale.ts'
import type { Trouble } from '../trouble.ts'

type Base = {
  readonly locale: Locale
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
  /** What is wrong with the form: what is about this field, by its id, stands at it. */
  readonly trouble?: Trouble
  /** Where several forms of one page have a field of that name. */
  readonly id?: string
  readonly isOptional?: boolean
  readonly isUnseenLabel?: boolean
}

/** The frame of every field: its label, what helps, and what is wrong. */
function Framed({ base, children }: { readonly base: Base; readonly children: ComponentChildren }) {
  const { locale, name, label, hint, isOptional, isUnseenLabel } = base
  const id = base.id ?? name
  const error = base.trouble?.fields?.[id]
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id} class={isUnseenLabel ? 'unseen' : undefined}>
        {label}
        {isOptional && <span class="soft"> ({locale.texts.optional})</span>}
      </label>
      {children}
      {error && (
        <p class="error" id={`${id}-error`}>
          <span class="unseen">{locale.texts.errorPrefix} </span>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

function shared({ name, id = name, hint, trouble, isOptional }: Base) {
  const error = trouble?.fields?.[id]
  const described = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ')
  return {
    id,
    name,
    required: !isOptional,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
  }
}

type TextProps = Base & {
  readonly value: string
  readonly type?: 'text' | 'date' | 'time' | 'datetime-local' | 'search' | 'color' | 'url' | 'password'
  /** What stands before it and belongs to it, such as the beginning of an address. */
  readonly before?: string
  readonly autocomplete?: string
  /** Neither the browser nor the script keeps what is typed. */
  readonly isSecret?: boolean
  readonly inputmode?: 'numeric' | 'email' | 'decimal' | 'url' | 'tel'
  readonly placeholder?: string
  readonly isFocused?: boolean
  readonly rows?: number
  readonly size?: 'short'
  /** A list of suggestions: the id of a `<datalist>`. */
  readonly list?: string
}

export function TextField(props: TextProps) {
  const { value, type = 'text', before, rows, size, inputmode, placeholder, list, isSecret } = props
  const own = {
    ...shared(props),
    autocomplete: isSecret ? 'off' : props.autocomplete,
    'data-secret': isSecret || undefined,
    inputmode,
    placeholder,
    autofocus: props.isFocused || undefined,
    dir: 'auto' as const,
  }
  const typed = inputmode === 'email' ? ({ autocapitalize: 'none', spellcheck: false } as const) : {}
  // The types of Preact know no suggestions beside a password.
  const kind = type as Exclude<typeof type, 'password'>
  const input = <input type={kind} value={value} list={list} {...own} {...typed} />
  return (
    <Framed base={props}>
      {rows ? (
        <textarea {...own} rows={rows}>
          {value}
        </textarea>
      ) : before ? (
        <span class="joined">
          <span class="before" aria-hidden="true">
            {before}
          </span>
          {input}
        </span>
      ) : size ? (
        <span class={size}>{input}</span>
      ) : (
        input
      )}
    </Framed>
  )
}

type FileProps = Base & {
  readonly accept: string
  /** How many bytes it can have, and what the script says of a larger one before it is sent. */
  readonly most: number
  readonly tooLarge: string
}

export function FileField({ accept, most, tooLarge, ...base }: FileProps) {
  return (
    <Framed base={base}>
      <input type="file" {...shared(base)} accept={accept} data-most={most} data-too-large={tooLarge} />
    </Framed>
  )
}

export type Option = { readonly value: string; readonly text: string }

type SelectProps = Base & {
  readonly value: string
  readonly options: readonly Option[]
  readonly groups?: readonly { readonly name: string; readonly options: readonly Option[] }[]
  /** The time zone is required and not known yet: the script fills in the browser's. */
  readonly isGuessedZone?: boolean | undefined
}

/** What was saved can always be chosen again, so that saving the form changes nothing that nobody touched. */
export function SelectField(props: SelectProps) {
  const { value: saved, options, groups = [] } = props
  const all = [...options, ...groups.flatMap((group) => group.options)]
  // Choosing nothing is a choice, too: browsers send no form while a required field is empty.
  const isOptional = props.isOptional || all.some(({ value }) => value === '')
  const isOffered = saved === '' || all.some(({ value }) => value === saved)
  const shown = ({ value, text }: Option) => (
    <option key={value} value={value} selected={value === props.value}>
      {text}
    </option>
  )
  return (
    <Framed base={props}>
      <select {...shared({ ...props, isOptional })} data-guess={props.isGuessedZone ? '' : undefined}>
        {!isOffered && shown({ value: saved, text: saved })}
        {options.map(shown)}
        {groups.map(({ name, options }) => (
          <optgroup key={name} label={name}>
            {options.map(shown)}
          </optgroup>
        ))}
      </select>
    </Framed>
  )
}

type CheckProps = Omit<Base, 'isOptional'> & { readonly isChecked: boolean; readonly value?: string }

export function CheckField({ isChecked, value = 'on', ...base }: CheckProps) {
  const { id = base.name, label, hint } = base
  const error = base.trouble?.fields?.[id]
  return (
    <div class="check">
      <input type="checkbox" {...shared({ ...base, isOptional: true })} value={value} checked={isChecked} />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
