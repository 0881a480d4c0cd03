import type { ComponentChildren } from 'preact'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { Problems } from '../../pages/views/problems.tsx'
import { looseId } from '../../platform/db/ids.ts'
import type { SignedInRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { inOrder, labelsIn } from './labels-in.tsx'

type Props = {
  readonly request: SignedInRequest
  readonly action: `/console${string}`
  readonly children: ComponentChildren
  /** Whether a file can be chosen in it. */
  readonly takesFile?: boolean
  /** What it makes is made once, however often it is sent. */
  readonly once?: boolean
  readonly hidden?: Readonly<Record<string, string>>
  readonly trouble?: Trouble
  readonly class?: string
  /** For fields and buttons outside of it. */
  readonly id?: string
  readonly label?: string
  /** Further hidden fields; a name may have several. */
  readonly carried?: readonly (readonly [string, string])[]
}

/** A form that changes something: it carries the token of the signed-in member, and shows errors above itself. */
export function Form({
  request,
  action,
  children,
  once,
  takesFile,
  hidden = {},
  carried = [],
  trouble = NO_TROUBLE,
  ...rest
}: Props) {
  const fields = [
    ['csrf', request.csrf] as const,
    ...(once ? [['form_key', looseId()] as const] : []),
    ...Object.entries(hidden),
    ...carried,
  ]
  const { title, fields: wrong } = trouble
  return (
    <form
      id={rest.id}
      method="post"
      action={action}
      enctype={takesFile ? 'multipart/form-data' : undefined}
      class={rest.class}
      aria-label={rest.label}
      novalidate
      data-once={request.page.locale.texts.sending}
    >
      <HiddenFields fields={fields} />
      {(title || wrong) && (
        <FormProblems page={request.page} trouble={trouble}>
          {children}
        </FormProblems>
      )}
      {children}
    </form>
  )
}

type FormProblemsProps = {
  readonly page: SignedInRequest['page']
  readonly trouble: Trouble
  /** The fields. */
  readonly children: ComponentChildren
}

/** The summary of a form's errors, in the order of the fields. In a form of several fields, each error names its field. */
export function FormProblems({ page, trouble: { title, fields = {} }, children }: FormProblemsProps) {
  const labels = labelsIn(children)
  const isNamed = Object.keys(labels).length > 1
  return (
    <Problems
      page={page}
      {...(title && { title })}
      fields={inOrder(fields, labels)}
      {...(isNamed && { labels })}
    />
  )
}
