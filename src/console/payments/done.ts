import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import type { MemberRequest } from '../request.ts'

const DONE = {
  synced: 'synced',
  refunded: 'refundedDone',
  simulated: 'simulated',
  disconnected: 'disconnected',
  back: 'back',
  bought: 'bought',
  cancelled: 'planCancelled',
  resumed: 'resumed',
} as const

/** What was just done, as the address says after a form was sent or the payment provider was visited. */
export function doneIn({ page }: MemberRequest): string | undefined {
  const said = page.url.searchParams.get('done') ?? ''
  if (!Object.hasOwn(DONE, said)) return undefined
  return textsOf(page.locale, paymentsTexts)[DONE[said as keyof typeof DONE]]
}
