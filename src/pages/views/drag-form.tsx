import type { DecisionLink } from '../../booking/bookings/approval/find-linked.ts'
import type { Page } from '../page.ts'
import type { Trouble } from './details-form.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { Problems } from './problems.tsx'

type Props = {
  readonly page: Page
  readonly link: DecisionLink
  readonly trouble: Trouble
  readonly isMovable: boolean
}

/** One button moves the booking, the other one puts its event back. */
export function DragForm({ page, link, trouble, isMovable }: Props) {
  const { texts, emails } = page.locale
  const button = (answer: 'move' | 'restore', label: string) => (
    <form method="post" action={`/requests/${link.id}/event`} data-once={texts.sending}>
      <HiddenFields
        fields={[
          ['member', link.memberId],
          ['token', link.token],
          ['answer', answer],
        ]}
      />
      <button type="submit" class="button">
        {label}
      </button>
    </form>
  )
  return (
    <>
      <Problems
        page={page}
        {...(trouble.title && { title: trouble.title })}
        {...(trouble.fields && { fields: trouble.fields })}
      />
      {isMovable && button('move', emails.moveToEvent)}
      {button('restore', emails.putEventBack)}
    </>
  )
}
