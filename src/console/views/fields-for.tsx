import type { Locale } from '../../platform/i18n/locale.ts'
import type { Form, MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { CheckField, type Option, SelectField, TextField } from './fields.tsx'
import { SpanField } from './span-field.tsx'
import { ZoneField } from './zone-field.tsx'

/** The form is for durations, whose unit is not part of the value. */
type Shared = { readonly locale: Locale; readonly trouble?: Trouble; readonly form?: Form }
/** Attributes of a field beyond its name, its label and its value. */
type More<F extends (props: never) => unknown> = Partial<
  Omit<Parameters<F>[0], 'locale' | 'trouble' | 'name' | 'label'>
>

/**
 * The fields of a form, a line each: a field has the name of what it shows of `value`, which is what is saved or what
 * was typed before it was refused. `more.value` shows something else.
 */
export function fieldsFor<V extends object>({ form, ...shared }: Shared, value: V) {
  type Name = keyof V & string
  return {
    text: (name: Name, label: string, more: More<typeof TextField> = {}) => (
      <TextField {...shared} name={name} label={label} value={textOf(value[name])} {...more} />
    ),
    number: (name: Name, label: string, more: More<typeof TextField> = {}) => (
      <TextField
        {...shared}
        name={name}
        label={label}
        value={textOf(value[name])}
        inputmode="numeric"
        {...more}
      />
    ),
    span: (name: Name, label: string, more: More<typeof SpanField> = {}) => (
      <SpanField
        {...shared}
        name={name}
        label={label}
        value={lengthOf(value[name])}
        unit={form?.get(`${name}_unit`)}
        {...more}
      />
    ),
    zone: (name: Name, label: string, more: More<typeof ZoneField> = {}) => (
      <ZoneField {...shared} name={name} label={label} value={textOf(value[name])} {...more} />
    ),
    select: (name: Name, label: string, options: readonly Option[], more: More<typeof SelectField> = {}) => (
      <SelectField
        {...shared}
        name={name}
        label={label}
        value={textOf(value[name])}
        options={options}
        {...more}
      />
    ),
    check: (name: Name, label: string, more: More<typeof CheckField> = {}) => (
      <CheckField {...shared} name={name} label={label} isChecked={value[name] === true} {...more} />
    ),
  }
}

/** The same for a form of nothing that is saved: a field shows what was typed before it was refused. */
export function typedFields({ page, form }: MemberRequest, trouble: Trouble) {
  return fieldsFor<Readonly<Record<string, string>>>(
    { locale: page.locale, trouble, form },
    Object.fromEntries(form),
  )
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function lengthOf(value: unknown): number | string | null {
  return typeof value === 'number' || typeof value === 'string' ? value : null
}
