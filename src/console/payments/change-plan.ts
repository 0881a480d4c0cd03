import { urlAt } from '../../env.ts'
import { subscriptionRoutes } from '../../money/subscription/routes.ts'
import type { BillingPage } from '../../money/subscription/schema.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask, type Input } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { leaveFor } from '../views/leave.tsx'
import { planPage } from './show-plan.tsx'

const HERE = '/console/payments/plan'

/** Leads to the payment provider, who shows the price before anything is bought. */
export function buyPlan(request: MemberRequest): Promise<Response> {
  const { form } = request
  return leave(request, 'startCheckout', (here) => ({
    tier: form.get('tier') ?? '',
    billing_interval: form.get('interval') ?? '',
    success_url: `${here}?done=bought`,
    cancel_url: here,
  }))
}

/** Leads to cards and invoices. */
export function openPortal(request: MemberRequest): Promise<Response> {
  return leave(request, 'openBillingPortal', (here) => ({ return_url: here }))
}

async function leave(
  request: MemberRequest,
  operation: 'startCheckout' | 'openBillingPortal',
  bodyFor: (here: string) => NonNullable<Input['body']>,
): Promise<Response> {
  const { page } = request
  const body = bodyFor(urlAt(page.ctx.env, HERE))
  const asked = await ask<BillingPage>(request, subscriptionRoutes, operation, { body })
  if (asked.ok) return leaveFor(request, asked.body.url)
  const fields = { tier: 'plans', billing_interval: 'plans' }
  return planPage(request, troubleOf(page.locale, asked.refusal, { fields }), formStatus(asked.refusal))
}

export function cancelPlan(request: MemberRequest): Promise<Response> {
  return change(request, 'cancelSubscription', 'cancelled')
}

export function resumePlan(request: MemberRequest): Promise<Response> {
  return change(request, 'resumeSubscription', 'resumed')
}

async function change(
  request: MemberRequest,
  operation: 'cancelSubscription' | 'resumeSubscription',
  done: string,
): Promise<Response> {
  const { page } = request
  const asked = await ask(request, subscriptionRoutes, operation)
  if (asked.ok) return seeOther(page, `${HERE}?done=${done}`)
  return planPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
