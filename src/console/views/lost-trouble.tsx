import type { Trouble } from '../trouble.ts'

/** What was wrong with a form that is not there any more: something changed meanwhile, or a role did. */
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
