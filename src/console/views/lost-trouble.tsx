import type { Trouble } from '../trouble.ts'

/** The error of a form that no longer exists because something changed in the meantime, or a role did. */
export function LostTrouble({ trouble }: { readonly trouble: Trouble | undefined }) {
  const { title = '', fields = {} } = trouble ?? {}
  const text = Object.values(fields).join(' ') || title
  if (text === '') return null
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  )
}
