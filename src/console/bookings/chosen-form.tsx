import { isRolePermitted } from '../../platform/auth/policy.ts'
import { bookingListTexts } from '../../platform/i18n/console/booking-lists.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { CHOSEN } from './choose-box.tsx'
import { NotifyField } from './notify-field.tsx'

export const ACTS = ['approve', 'cancel'] as const
export type Act = (typeof ACTS)[number]
export const DONE = { approve: 'approved', cancel: 'cancelled' } as const

/** Does one thing to all bookings that were ticked. */
export function ChosenForm({ request, act, trouble = NO_TROUBLE }: ChosenProps) {
  const { page, member, form } = request
  if (!isRolePermitted(member.role, 'book')) return null
  const texts = textsOf(page.locale, bookingListTexts)
  const { reasonLabel, reasonHint } = textsOf(page.locale, bookingsTexts)
  const reason = fieldsFor({ locale: page.locale }, { reason: form.get('reason') ?? '' })
  return (
    <Form
      request={request}
      id={CHOSEN}
      action="/console/bookings/chosen"
      hidden={{ act, list: form.get('list') ?? page.url.search }}
      trouble={trouble}
      class="panel"
      label={texts.chosen}
      once
    >
      <p class="soft">{texts.chosenText}</p>
      {act === 'cancel' && (
        <>
          {reason.text('reason', reasonLabel, { hint: reasonHint, isOptional: true })}
          <NotifyField request={request} isSent={form.has('act')} />
        </>
      )}
      <FormEnd request={request} text={texts[act]} tone={act === 'cancel' ? 'danger' : 'soft-button'} />
    </Form>
  )
}

type ChosenProps = {
  readonly request: MemberRequest
  readonly act: Act
  readonly trouble?: Trouble | undefined
}

/** What was done to chosen bookings, as the address says. */
export function doneToChosen({ page }: MemberRequest): string | undefined {
  const { searchParams } = page.url
  const [said, n] = [searchParams.get('done'), Number(searchParams.get('n'))]
  const done = Object.values(DONE).find((one) => one === said)
  if (!done || !Number.isInteger(n) || n < 1) return undefined
  return pluralText(page.locale, textsOf(page.locale, bookingListTexts)[done], n)
}
