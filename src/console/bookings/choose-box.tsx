import { bookingListTexts } from '../../platform/i18n/console/booking-lists.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

/** The form that all boxes of a page belong to. */
export const CHOSEN = 'chosen'

type Props = {
  readonly request: MemberRequest
  readonly id: string
  readonly name: string
  readonly time: string
}

/** The box at a booking of a list that has a `ChosenForm`. */
export function ChooseBox({ request: { page, form }, id, name, time }: Props) {
  const { choose } = textsOf(page.locale, bookingListTexts)
  return (
    <input
      type="checkbox"
      name="booking"
      value={id}
      form={CHOSEN}
      aria-label={fill(choose, { name, time })}
      checked={form.all('booking').includes(id)}
    />
  )
}
