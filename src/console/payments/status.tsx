import type { Payment } from '../../money/payments/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import type { MemberRequest } from '../request.ts'

const TONES: Readonly<Record<Payment['status'], 'good' | 'warn' | 'bad' | ''>> = {
  pending: 'warn',
  processing: 'warn',
  succeeded: 'good',
  failed: 'bad',
  cancelled: '',
  refunded: '',
  partially_refunded: '',
  disputed: 'bad',
  dispute_lost: 'bad',
}

export const STATUSES = Object.keys(TONES) as readonly Payment['status'][]

type Props = { readonly request: MemberRequest; readonly status: Payment['status'] }

/** How a payment stands. */
export function PaymentBadge({ request, status }: Props) {
  return <span class={`badge ${TONES[status]}`}>{textsOf(request.page.locale, paymentsTexts)[status]}</span>
}
