import type { EventType } from '../../booking/event-types/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import type { MemberRequest } from '../request.ts'

/** Whether it has a price that nobody can pay: every booking is refused. A sandbox needs no payment provider. */
export function isUnpayable(
  { isTest, member }: MemberRequest,
  { active, price_amount: price }: Pick<EventType, 'active' | 'price_amount'>,
): boolean {
  return active && price !== null && !isTest && !member.takesPayments
}

/** Says that nobody can book, and leads to where that is mended. */
export function UnpayableNotice({ request }: { readonly request: MemberRequest }) {
  const texts = textsOf(request.page.locale, eventTypeTexts)
  return (
    <p class="problem">
      {texts.unpayable}{' '}
      {isRolePermitted(request.member.role, 'administer') && (
        <a href="/console/payments/provider">{texts.connectProvider}</a>
      )}
    </p>
  )
}
