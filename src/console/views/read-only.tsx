import type { ComponentChildren } from 'preact'

type Props = {
  /** Who may change it. */
  readonly text: string
  readonly children: ComponentChildren
}

/** What somebody sees who may change nothing of it. */
export function OnlyLook({ text, children }: Props) {
  return (
    <div class="part">
      <p class="soft">{text}</p>
      <fieldset class="steps plain-set" disabled>
        {children}
      </fieldset>
    </div>
  )
}
