import type { ComponentChildren } from 'preact'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { Problems } from '../../pages/views/problems.tsx'
import { looseId } from '../../platform/db/ids.ts'
import type { SignedInRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'

type Props = {
  readonly request: SignedInRequest
  readonly action: `/console${string}`
  readonly children: ComponentChildren
  /** What it makes is made once, however often it is sent. */
  readonly once?: boolean
  readonly hidden?: Readonly<Record<string, string>>
  readonly trouble?: Trouble
  readonly class?: string
  readonly label?: string
}

/** A form that changes something: it carries the token of the signed-in member, and shows errors above itself. */
export function Form({ request, action, children, once, hidden = {}, trouble = NO_TROUBLE, ...rest }: Props) {
  const fields = [
    ['csrf', request.csrf] as const,
    ...(once ? [['form_key', looseId()] as const] : []),
    ...Object.entries(hidden),
  ]
  const { title, fields: wrong } = trouble
  return (
    <form
      method="post"
      action={action}
      class={rest.class}
      aria-label={rest.label}
      novalidate
      data-once={request.page.locale.texts.sending}
    >
      <HiddenFields fields={fields} />
      {(title || wrong) && (
        <Problems page={request.page} {...(title && { title })} {...(wrong && { fields: wrong })} />
      )}
      {children}
    </form>
  )
}
