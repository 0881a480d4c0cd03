import type { Payment } from '../../money/payments/schema.ts'
import type { ActivityEntry } from '../../outbox/activity/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { moneyText, ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

type Props = {
  readonly request: MemberRequest
  readonly payment: Payment
  readonly entries: readonly ActivityEntry[]
}

const NAMES: Readonly<Record<string, keyof (typeof paymentsTexts)['en']>> = {
  'payment.succeeded': 'historySucceeded',
  'payment.processing': 'historyProcessing',
  'payment.failed': 'historyFailed',
  'payment.cancelled': 'historyCancelled',
  'payment.refunded': 'historyRefunded',
  'payment.refund_requested': 'historyRefundRequested',
  'payment.refund_failed': 'historyRefundFailed',
}

/** What became of it, the newest first, and by whom. */
export function History({ request, payment, entries }: Props) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, paymentsTexts)
  const moment = (at: string) => ownShortMomentText(locale, Date.parse(at), zone)
  return (
    <section class="part">
      <h2>{texts.history}</h2>
      <ul class="rows">
        {entries.map((entry) => (
          <li key={entry.id}>
            <div>
              <strong>{nameOf(request, entry)}</strong>
              {amountIn(request, payment, entry)}
              <p class="soft">
                {actorOf(request, entry)}
                {reasonIn(entry) && <bdi> · {reasonIn(entry)}</bdi>}
              </p>
            </div>
            <span class="soft">{moment(entry.created_at)}</span>
          </li>
        ))}
        <li>
          <strong>{texts.historyCreated}</strong>
          <span class="soft">{moment(payment.created_at)}</span>
        </li>
      </ul>
    </section>
  )
}

function nameOf({ page }: MemberRequest, { action }: ActivityEntry): string {
  const texts = textsOf(page.locale, paymentsTexts)
  if (action.includes('dispute')) return texts.historyDisputed
  return texts[NAMES[action] ?? 'historyChanged'] as string
}

function amountIn({ page }: MemberRequest, { currency }: Payment, { changes }: ActivityEntry) {
  const amount = changes?.amount
  return typeof amount === 'number' ? <span> · {moneyText(page.locale, amount, currency)}</span> : null
}

function reasonIn({ changes }: ActivityEntry): string | null {
  return typeof changes?.reason === 'string' ? changes.reason : null
}

function actorOf({ page }: MemberRequest, { actor_type: type, actor_id: id }: ActivityEntry): string {
  const texts = textsOf(page.locale, paymentsTexts)
  if (type === 'user' && id) return fill(texts.by, { who: id })
  if (type === 'api_key') return texts.byKey
  return type === 'invitee' ? texts.byInvitee : texts.bySystem
}
