import type { ComponentChildren } from 'preact'
import { formatDate } from '../../core/local-time.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { MemberRequest } from '../request.ts'
import { TextField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'

type Props = {
  readonly request: MemberRequest
  readonly action: `/console${string}`
  readonly hidden: Readonly<Record<string, string>>
  /** The first day that is shown. */
  readonly first: number
  /** Further choices. */
  readonly children?: ComponentChildren
}

/** Goes to the open times from a date on. */
export function Jump({ request, action, hidden, first, children }: Props) {
  const { locale } = request.page
  return (
    <GetForm action={action} class="search panel" sendsOnChange>
      <HiddenFields fields={Object.entries(hidden)} />
      {children}
      <DateField request={request} first={first} />
      <button type="submit" class="soft-button">
        {textsOf(locale, bookingsTexts).showTimes}
      </button>
    </GetForm>
  )
}

export function DateField({ request: { page }, first }: Pick<Props, 'request' | 'first'>) {
  const { fromDate } = textsOf(page.locale, bookingChangeTexts)
  return (
    <TextField
      locale={page.locale}
      name="from"
      id="from-date"
      label={fromDate}
      type="date"
      value={formatDate(first)}
      isOptional
    />
  )
}
