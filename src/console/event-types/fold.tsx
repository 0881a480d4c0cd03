import type { ComponentChildren } from 'preact'
import { CreateEventTypeInput } from '../../booking/event-types/input-schema.ts'
import type { FieldsProps } from './tabs.ts'

type Defaults = typeof CreateEventTypeInput.shape
export type FoldedName = keyof Defaults & keyof FieldsProps['value']

type Props = Pick<FieldsProps, 'value' | 'trouble'> & {
  readonly title: string
  readonly names: readonly FoldedName[]
  /** What the form calls fields that have another name there. */
  readonly formNames?: readonly string[]
  readonly id?: string
  readonly children: ComponentChildren
}

/** Fields that few change. It is open if one of them was changed or has an error, so that none of that is hidden. */
export function Fold({ value, trouble, title, names, formNames = [], id, children }: Props) {
  const wrong = Object.keys(trouble.fields ?? {}).map((name) => name.split('.')[0]!)
  const hasError = wrong.some((name) => [...names, ...formNames].includes(name))
  const isOpen = hasError || names.some((name) => !isDefault(name, value[name]))
  return (
    <details class="panel folded" id={id} open={isOpen}>
      <summary>{title}</summary>
      <div class="part">{children}</div>
    </details>
  )
}

/** The order of a list makes no difference. */
function isDefault(name: FoldedName, shown: unknown): boolean {
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
  return plain(shown) === plain(CreateEventTypeInput.shape[name].safeParse(undefined).data)
}
