import type { DecisionLink } from '../../booking/bookings/approval/find-linked.ts'
import type { Page } from '../page.ts'
import type { Trouble } from './details-form.tsx'
import { Field } from './field.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { Problems } from './problems.tsx'

type Props = {
  readonly page: Page
  readonly link: DecisionLink
  readonly trouble: Trouble
  readonly reason: string
}

/** One button approves; declining is folded away, with room for a reason. */
export function DecisionForm({ page, link, trouble, reason }: Props) {
  const { texts } = page.locale
  const action = `/requests/${link.id}`
  const fieldsFor = (answer: string) =>
    [
      ['member', link.memberId],
      ['token', link.token],
      ['answer', answer],
    ] as const
  return (
    <>
      <Problems
        page={page}
        {...(trouble.title && { title: trouble.title })}
        {...(trouble.fields && { fields: trouble.fields })}
      />
      <form method="post" action={action} data-once={texts.sending}>
        <HiddenFields fields={fieldsFor('approve')} />
        <button type="submit" class="button">
          {texts.approve}
        </button>
      </form>
      <details class="cancel" open={trouble.fields?.reason !== undefined}>
        <summary>{texts.decline}</summary>
        <form method="post" action={action} novalidate data-once={texts.sending}>
          <HiddenFields fields={fieldsFor('decline')} />
          <Field
            page={page}
            name="reason"
            label={texts.reason}
            value={reason}
            hint={texts.declineHint}
            error={trouble.fields?.reason}
            rows={2}
          />
          <button type="submit" class="button danger">
            {texts.decline}
          </button>
        </form>
      </details>
    </>
  )
}
