import type { ComponentChildren } from 'preact'

/** Fields that only matter after a choice elsewhere in the form: `console.css` hides them until then. */
export function When({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return <div data-when={name}>{children}</div>
}
