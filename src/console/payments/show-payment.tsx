import { findPayer, type Payer } from '../../money/payments/payers/find-payers.ts'
import { paymentRoutes } from '../../money/payments/routes.ts'
import type { Payment } from '../../money/payments/schema.ts'
import { activityRoutes } from '../../outbox/activity/routes.ts'
import type { Params } from '../../pages/page.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { lengthText, moneyText, ownShortMomentText, ownSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need, sharedEnv } from '../ask.ts'
import { RefundForm } from '../bookings/change-forms.tsx'
import { type Fact, Facts } from '../bookings/facts.tsx'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { LostTrouble } from '../views/lost-trouble.tsx'
import { shell } from '../views/shell.tsx'
import { DisputeNotice } from './dispute-notice.tsx'
import { doneIn } from './done.ts'
import { History } from './history.tsx'
import { PaymentBadge } from './status.tsx'

/** One payment: what it is for, its state, and what can be done with it. Emails link to it. */
export function showPayment(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return paymentPage(request, id, {}, 200)
}

/** What went wrong with which of its forms. */
type Troubles = Readonly<Partial<Record<'refund' | 'sync', Trouble>>>

export async function paymentPage(
  request: MemberRequest,
  id: string,
  troubles: Troubles,
  status: number,
): Promise<Response> {
  const [payment, history, payer] = await Promise.all([
    need(request, paymentRoutes.getPayment, { params: { id } }),
    listAll(request, activityRoutes.listActivity, { resource_id: id }),
    findPayer(sharedEnv(request), request, id),
  ])
  const { page, member, isTest } = request
  const { locale } = page
  const texts = textsOf(locale, paymentsTexts)
  const mayChange = isRolePermitted(member.role, 'administer')
  const canRefund = mayChange && ['succeeded', 'partially_refunded'].includes(payment.status)
  const lost = troubles.sync ?? (canRefund ? undefined : troubles.refund)
  return shell({
    request,
    title: fill(texts.paymentOf, { name: payer?.inviteeName || texts.erased }),
    lead: payer
      ? `${payer.title} · ${ownSpanText(locale, payer.startTime, payer.endTime, request.zone)}`
      : undefined,
    back: { to: '/console/payments', text: texts.title },
    done: doneIn(request),
    status,
    actions: (
      <>
        <PaymentBadge request={request} status={payment.status} />
        <a class="button soft-button" href={`/console/bookings/${payment.booking_id}`}>
          {texts.showBooking}
        </a>
      </>
    ),
    children: (
      <>
        <LostTrouble trouble={lost} />
        <DisputeNotice request={request} payment={payment} />
        <div class="main-and-aside">
          <div class="part">
            <section class="panel" aria-label={texts.payments}>
              <Facts facts={factsOf(request, payment, payer)} />
            </section>
            <History request={request} payment={payment} entries={history} />
          </div>
          {mayChange && (
            <div class="part">
              {canRefund && (
                <RefundForm
                  request={request}
                  action={`/console/payments/${id}/refund`}
                  currency={payment.currency}
                  trouble={troubles.refund}
                />
              )}
              {isTest ? (
                <Simulate request={request} payment={payment} />
              ) : (
                <Sync request={request} payment={payment} />
              )}
            </div>
          )}
        </div>
      </>
    ),
  })
}

function factsOf({ page, zone }: MemberRequest, payment: Payment, payer: Payer | null): readonly Fact[] {
  const { locale } = page
  const texts = textsOf(locale, paymentsTexts)
  const money = (amount: number) => moneyText(locale, amount, payment.currency)
  const moment = (at: number) => ownShortMomentText(locale, at, zone)
  const { amount, refunded_amount: back, platform_fee: fee, status } = payment
  const isUnpaid = status === 'pending' || status === 'failed'
  const policy = payment.refund_policy.map(({ until_minutes_before: minutes, percent }) =>
    minutes === 0
      ? fill(texts.policyStart, { percent })
      : fill(texts.policyRule, { percent, span: lengthText(locale, minutes) }),
  )
  return [
    [texts.amount, <strong key="amount">{money(amount)}</strong>],
    back > 0 && [texts.wentBack, money(back)],
    back > 0 && [texts.left, money(amount - back)],
    [texts.fee, money(fee)],
    isUnpaid && payer && [texts.due, moment(payer.expiresAt)],
    [
      texts.policy,
      policy.length === 0 ? (
        texts.policyNone
      ) : (
        <ul key="policy">
          {policy.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      ),
    ],
    [texts.when, moment(Date.parse(payment.created_at))],
    [texts.changedAt, moment(Date.parse(payment.updated_at))],
    payment.payment_provider_payment_intent_id && [
      texts.intent,
      <code key="intent">{payment.payment_provider_payment_intent_id}</code>,
    ],
    [texts.paymentId, <code key="id">{payment.id}</code>],
  ]
}

type OfPayment = { readonly request: MemberRequest; readonly payment: Payment }

function Sync({ request, payment }: OfPayment) {
  const texts = textsOf(request.page.locale, paymentsTexts)
  return (
    <Form request={request} action={`/console/payments/${payment.id}/sync`} class="panel">
      <p class="soft">{texts.syncText}</p>
      <button type="submit" class="soft-button">
        {texts.sync}
      </button>
    </Form>
  )
}

/** What a payer or a bank would do, for test data. */
function Simulate({ request, payment }: OfPayment) {
  const texts = textsOf(request.page.locale, paymentsTexts)
  const { status } = payment
  const isOpen = ['pending', 'failed', 'processing'].includes(status)
  const acts = [
    isOpen && (['succeed', texts.simulateSucceed] as const),
    isOpen && (['fail', texts.simulateFail] as const),
    isOpen && status !== 'processing' && (['process', texts.simulateProcess] as const),
    ['succeeded', 'partially_refunded'].includes(status) && (['dispute', texts.simulateDispute] as const),
  ].filter((one) => one !== false)
  if (acts.length === 0) return null
  return (
    <Form request={request} action={`/console/payments/${payment.id}/simulate`} class="panel">
      <h2>{texts.simulate}</h2>
      <p class="soft">{texts.simulateText}</p>
      <div class="form-end">
        {acts.map(([act, text]) => (
          <button key={act} type="submit" name="act" value={act} class="soft-button">
            {text}
          </button>
        ))}
      </div>
    </Form>
  )
}
