import { urlAt } from '../../env.ts'
import { subscriptionRoutes } from '../../money/subscription/routes.ts'
import type { BillingPage } from '../../money/subscription/schema.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask, type Input } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { toldTrouble } from '../trouble.ts'
import { leaveFor } from '../views/leave.tsx'
import { planPage } from './show-plan.tsx'

const HERE = '/console/payments/plan'

/** Leads to the payment provider, who shows the price before anything is bought. */
export function buyPlan(visit: MemberRequest): Promise<Response> {
  const { form } = visit
  return leave(visit, 'startCheckout', (here) => ({
    tier: form.get('tier') ?? '',
    billing_interval: form.get('interval') ?? '',
    success_url: `${here}?done=bought`,
    cancel_url: here,
  }))
}

/** Leads to cards and invoices. */
export function openPortal(visit: MemberRequest): Promise<Response> {
  return leave(visit, 'openBillingPortal', (here) => ({ return_url: here }))
}

async function leave(
  visit: MemberRequest,
  operation: 'startCheckout' | 'openBillingPortal',
  bodyFor: (here: string) => NonNullable<Input['body']>,
): Promise<Response> {
  const { page } = visit
  const body = bodyFor(urlAt(page.ctx.env, HERE))
  const asked = await ask<BillingPage>(visit, subscriptionRoutes, operation, { body })
  if (asked.ok) return leaveFor(visit, asked.body.url)
  const fields = { tier: 'plans', billing_interval: 'plans' }
  return planPage(visit, toldTrouble(page.locale, asked.refusal, { fields }), formStatus(asked.refusal))
}

export function cancelPlan(visit: MemberRequest): Promise<Response> {
  return change(visit, 'cancelSubscription', 'cancelled')
}

export function resumePlan(visit: MemberRequest): Promise<Response> {
  return change(visit, 'resumeSubscription', 'resumed')
}

async function change(
  visit: MemberRequest,
  operation: 'cancelSubscription' | 'resumeSubscription',
  done: string,
): Promise<Response> {
  const { page } = visit
  const asked = await ask(visit, subscriptionRoutes, operation)
  if (asked.ok) return seeOther(page, `${HERE}?done=${done}`)
  return planPage(visit, toldTrouble(page.locale, asked.refusal), formStatus(asked.refusal))
}
