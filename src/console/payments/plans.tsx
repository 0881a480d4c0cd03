import type { Subscription } from '../../money/subscription/schema.ts'
import { Problems } from '../../pages/views/problems.tsx'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { PLANS, TIERS } from '../../platform/limits/plans.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { mayBuy } from './may-buy.ts'

type Props = {
  readonly request: MemberRequest
  readonly subscription: Subscription
  readonly trouble: Trouble
}

/** What else there is, and how it is bought. */
export function Plans({ request, subscription, trouble: { title, fields } }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, paymentsTexts)
  const number = (n: number) => n.toLocaleString(locale.tag)
  return (
    <section class="part" id="plans">
      <h2>{texts.plans}</h2>
      {title && fields && (
        <Problems page={request.page} title={title} fields={fields} labels={{ plans: texts.plans }} />
      )}
      <p class="soft">{noteOf(request)}</p>
      <ul class="rows">
        {TIERS.map((tier) => {
          const { name, bookingsPerMonth, callsPerMinute, callsPerDay } = PLANS[tier]
          const calls = { perMinute: number(callsPerMinute), perDay: number(callsPerDay) }
          return (
            <li key={tier} class="wraps">
              <div>
                <strong>{name}</strong>
                <p class="soft">
                  {fill(texts.planBookings, { n: number(bookingsPerMonth) })} · {fill(texts.planCalls, calls)}
                </p>
              </div>
              <div class="row-end">
                {tier === subscription.tier && <span class="badge good">{texts.yourPlan}</span>}
                {tier !== 'free' && mayBuy(request) && !subscription.cancel_at_period_end && (
                  <Buy request={request} tier={tier} name={name} subscription={subscription} />
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function noteOf({ page, member, isTest }: MemberRequest): string {
  const texts = textsOf(page.locale, paymentsTexts)
  if (!page.ctx.env.STRIPE_SECRET_KEY) return texts.noBilling
  if (!isRolePermitted(member.role, 'administer')) return texts.adminOnly
  return isTest ? texts.liveOnly : texts.plansText
}

type BuyProps = Omit<Props, 'trouble'> & { readonly tier: string; readonly name: string }

/** Monthly or yearly; the current plan is not a choice. */
function Buy({ request, tier, name, subscription }: BuyProps) {
  const texts = textsOf(request.page.locale, paymentsTexts)
  const isOwn = tier === subscription.tier
  // A plan that nobody pays for was given by the operator.
  if (isOwn && subscription.billing_interval === null) return null
  const intervals = (['month', 'year'] as const).filter(
    (interval) => !isOwn || interval !== subscription.billing_interval,
  )
  return (
    <Form request={request} action="/console/payments/plan/buy" hidden={{ tier }} class="inline" once>
      {intervals.map((interval) => (
        <button key={interval} type="submit" name="interval" value={interval} class="soft-button">
          {interval === 'month' ? texts.buyMonthly : texts.buyYearly}
          <span class="unseen">: {name}</span>
        </button>
      ))}
    </Form>
  )
}
