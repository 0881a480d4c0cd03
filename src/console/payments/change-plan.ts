import { urlAt } from '../../env.ts'
import { subscriptionRoutes } from '../../money/subscription/routes.ts'
import type { BillingPage } from '../../money/subscription/schema.ts'
import { seeOther } from '../../pages/respond.ts'
import type { Acted } from '../../platform/http/act-as.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { leaveFor } from '../views/leave.tsx'
import { planPage } from './show-plan.tsx'

const HERE = '/console/payments/plan'

/** Leads to the payment provider, who shows the price before anything is bought. */
export async function buyPlan(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const here = urlAt(page.ctx.env, HERE)
  const body = {
    tier: form.get('tier') ?? '',
    billing_interval: form.get('interval') ?? '',
    success_url: `${here}?done=bought`,
    cancel_url: here,
  }
  return leave(request, await ask(request, subscriptionRoutes.startCheckout, { body }))
}

/** Leads to cards and invoices. */
export async function openPortal(request: MemberRequest): Promise<Response> {
  const body = { return_url: urlAt(request.page.ctx.env, HERE) }
  return leave(request, await ask(request, subscriptionRoutes.openBillingPortal, { body }))
}

async function leave(request: MemberRequest, asked: Acted<BillingPage>): Promise<Response> {
  const { page } = request
  if (asked.ok) return leaveFor(request, asked.body.url)
  const fields = { tier: 'plans', billing_interval: 'plans' }
  return planPage(request, troubleOf(page.locale, asked.refusal, { fields }), formStatus(asked.refusal))
}

export function cancelPlan(request: MemberRequest): Promise<Response> {
  return change(request, subscriptionRoutes.cancelSubscription, 'cancelled')
}

export function resumePlan(request: MemberRequest): Promise<Response> {
  return change(request, subscriptionRoutes.resumeSubscription, 'resumed')
}

async function change(
  request: MemberRequest,
  route: typeof subscriptionRoutes.cancelSubscription | typeof subscriptionRoutes.resumeSubscription,
  done: string,
): Promise<Response> {
  const { page } = request
  const asked = await ask(request, route)
  if (asked.ok) return seeOther(page, `${HERE}?done=${done}`)
  return planPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
