import type { ComponentChildren } from 'preact'

type Props = {
  readonly action: string
  readonly class: string
  readonly label?: string
  /** Needs no button: see `data-on-change` in `public/assets/console.js`. */
  readonly sendsOnChange?: boolean
  readonly novalidate?: boolean
  readonly children: ComponentChildren
}

/** A form that only looks for something. After going back a browser would fill in what the page does not show. */
export function GetForm({ action, label, sendsOnChange, novalidate, children, ...rest }: Props) {
  return (
    <form
      method="get"
      autocomplete="off"
      action={action}
      class={rest.class}
      aria-label={label}
      novalidate={novalidate}
      data-on-change={sendsOnChange}
    >
      {children}
    </form>
  )
}
