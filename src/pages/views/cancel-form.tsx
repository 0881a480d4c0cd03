import type { ComponentChildren } from 'preact'
import type { Page } from '../page.ts'
import type { Trouble } from './details-form.tsx'
import { Field } from './field.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { Problems } from './problems.tsx'

type Props = {
  readonly page: Page
  readonly action: string
  readonly token: string
  readonly reason: string
  readonly hint: string
  readonly trouble: Trouble
  /** What it brings about besides; null where there is nothing to say. */
  readonly effect: string | null
  /** What the button says, if not that it cancels one booking. */
  readonly label?: string
  /** Further fields. */
  readonly children?: ComponentChildren
}

/** Folded away until it is wanted. */
export function CancelForm({ page, action, token, reason, hint, trouble, effect, label, children }: Props) {
  const { texts } = page.locale
  const says = label ?? texts.cancelBooking
  const hasTrouble = trouble.title !== undefined || Object.keys(trouble.fields ?? {}).length > 0
  return (
    <details class="cancel" open={hasTrouble}>
      <summary>{says}</summary>
      <Problems
        page={page}
        {...(trouble.title && { title: trouble.title })}
        {...(trouble.fields && { fields: trouble.fields })}
      />
      <form method="post" action={action} novalidate data-once={texts.sending}>
        <HiddenFields fields={[['token', token]]} />
        {children}
        <Field
          page={page}
          name="reason"
          label={texts.reason}
          value={reason}
          hint={hint}
          error={trouble.fields?.reason}
          rows={2}
        />
        {effect !== null && <p class="effect">{effect}</p>}
        <button type="submit" class="button danger">
          {says}
        </button>
      </form>
    </details>
  )
}
