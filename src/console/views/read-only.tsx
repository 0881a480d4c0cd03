import type { ComponentChildren } from 'preact'

type Props = {
  /** Says who may change the fields. */
  readonly text: string
  readonly children: ComponentChildren
}

/** Disabled fields, for members without the permission to change them. */
export function ReadOnly({ text, children }: Props) {
  return (
    <div class="part">
      <p class="soft">{text}</p>
      <fieldset class="steps plain-set" disabled>
        {children}
      </fieldset>
    </div>
  )
}
