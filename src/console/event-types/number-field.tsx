import { TextField } from '../views/fields.tsx'

type Props = Omit<Parameters<typeof TextField>[0], 'value' | 'type'> & {
  readonly value: number | string | null
}

/** A number, or what was typed instead of one. */
export function NumberField({ value, ...field }: Props) {
  return <TextField {...field} inputmode="numeric" value={value === null ? '' : String(value)} />
}
