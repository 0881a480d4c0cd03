import { subscriptionRoutes } from '../../money/subscription/routes.ts'
import type { Subscription } from '../../money/subscription/schema.ts'
import { usageRoutes } from '../../money/usage/routes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { subjectDateText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { mayBuy } from './may-buy.ts'
import { paymentsShell } from './payments-shell.tsx'
import { Plans } from './plans.tsx'
import { Happened, Meters } from './usage.tsx'

/** The plan, how much of it is used, and what else there is. */
export function showPlan(request: MemberRequest): Promise<Response> {
  return planPage(request, NO_TROUBLE, 200)
}

export async function planPage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  const { page } = request
  const period = page.url.searchParams.get('period') === '7d' ? '7d' : '30d'
  const [subscription, usage, summary] = await Promise.all([
    need(request, subscriptionRoutes.getSubscription),
    need(request, usageRoutes.getUsage),
    need(request, usageRoutes.getUsageSummary, { query: { period } }),
  ])
  return paymentsShell({
    request,
    here: '/console/payments/plan',
    status,
    trouble: trouble.fields ? NO_TROUBLE : trouble,
    children: (
      <>
        <div class="columns">
          <Current request={request} subscription={subscription} />
          <Meters request={request} usage={usage} />
        </div>
        <Happened request={request} summary={summary} />
        <Plans request={request} subscription={subscription} trouble={trouble} />
      </>
    ),
  })
}

const TONES: Readonly<Record<Subscription['status'], 'good' | 'warn' | 'bad'>> = {
  active: 'good',
  trialing: 'good',
  past_due: 'bad',
  unpaid: 'bad',
  paused: 'warn',
  incomplete: 'warn',
  canceled: 'warn',
}

type Props = { readonly request: MemberRequest; readonly subscription: Subscription }

function Current({ request, subscription }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, paymentsTexts)
  const { plan, status, billing_interval: interval, pending_tier: pending } = subscription
  const { current_period_end: end, cancel_at_period_end: isEnding } = subscription
  const date = end && subjectDateText(locale, Date.parse(end), request.zone)
  const statusName = `status${status[0]!.toUpperCase()}${status.slice(1)}` as 'statusActive'
  return (
    <section class="panel" aria-label={texts.current}>
      <header>
        <p class="soft">{texts.current}</p>
        <div class="head-line">
          <h2 class="large">{plan}</h2>
          <span class={`badge ${TONES[status]}`}>{texts[statusName]}</span>
        </div>
        <p class="soft">
          {[
            interval && (interval === 'year' ? texts.yearly : texts.monthly),
            date && fill(isEnding ? texts.ends : texts.renews, { date }),
            pending && date && fill(texts.changes, { plan: PLANS[pending].name, date }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {status === 'past_due' && <p class="problem">{texts.overdueText}</p>}
      </header>
      {mayBuy(request) && <PlanForms request={request} subscription={subscription} date={date} />}
    </section>
  )
}

function PlanForms({ request, subscription, date }: Props & { readonly date: string | null }) {
  const { locale } = request.page
  const texts = textsOf(locale, paymentsTexts)
  const { current_period_end: end, cancel_at_period_end: isEnding } = subscription
  const left = { n: PLANS.free.bookingsPerMonth.toLocaleString(locale.tag) }
  return (
    <>
      <div class="form-end">
        {isEnding && (
          <Form request={request} action="/console/payments/plan/resume" class="inline">
            <button type="submit" class="button">
              {texts.resume}
            </button>
          </Form>
        )}
        <Form request={request} action="/console/payments/plan/portal" class="inline">
          <button type="submit" class="soft-button" title={texts.portalText}>
            {texts.portal}
          </button>
        </Form>
      </div>
      {end !== null && !isEnding && (
        <details class="folded">
          <summary>{texts.cancelPlan}</summary>
          <Form request={request} action="/console/payments/plan/cancel">
            <p class="soft">{fill(texts.cancelPlanText, { date: date ?? '', ...left })}</p>
            <FormEnd request={request} text={texts.cancelPlan} tone="danger" />
          </Form>
        </details>
      )}
    </>
  )
}
