import { webhookDeliveryRoutes } from '../../delivery/webhooks/deliveries/routes.ts'
import { webhookRoutes } from '../../delivery/webhooks/routes.ts'
import type { WebhookEndpoint, WebhookSecret, WebhookTest } from '../../delivery/webhooks/schema.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { Refused } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import { ask, need } from '../ask.ts'
import { orNull } from '../form.ts'
import { askForProof, isProven } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { toldTrouble } from '../trouble.ts'
import { endpointPage, loadEndpoint } from './endpoint.tsx'
import { endpointForm, typedIn } from './endpoint-form.tsx'
import { secretPage } from './secret-page.tsx'

const at = (id: string) => `/console/developers/webhooks/${id}` as const

export async function showEndpointForm(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const { url, description, active, events } = await loadEndpoint(visit, id)
  const typed = { url, description: description ?? '', active, events, secret: '' }
  return endpointForm({ visit, title: textsOf(visit.page.locale, webhooksTexts).edit, id, typed })
}

/** Sending the events to another address needs a proof. */
export async function changeEndpoint(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, form } = visit
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const typed = typedIn(visit)
  const { url, events, active } = typed
  if (!isProven(visit) && url !== (await loadEndpoint(visit, id)).url) {
    const proof = await askForProof(visit, `${at(id)}/edit`)
    if (proof) return proof
  }
  const asked = await ask(visit, webhookRoutes, 'updateWebhookEndpoint', {
    params: { id },
    body: { url, events, active, description: orNull(form, 'description') },
  })
  if (asked.ok) return seeOther(page, at(id))
  if (asked.refusal.code === 'not_found' || asked.refusal.code === 'forbidden')
    throw new Refused(asked.refusal)
  return endpointForm({
    visit,
    title: textsOf(page.locale, webhooksTexts).edit,
    id,
    typed,
    trouble: toldTrouble(page.locale, asked.refusal),
    status: formStatus(asked.refusal),
  })
}

export async function verifyInConsole(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  const asked = await ask<WebhookEndpoint>(visit, webhookRoutes, 'verifyWebhookEndpoint', { params: { id } })
  if (!asked.ok) throw new Refused(asked.refusal)
  const isVerified = asked.body.verification_status === 'verified'
  return seeOther(visit.page, `${at(id)}?done=${isVerified ? 'wasVerified' : 'wasNotVerified'}`)
}

/** The answer is shown here and kept nowhere. */
export async function sendSample(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, form } = visit
  const asked = await ask<WebhookTest>(visit, webhookRoutes, 'testWebhookEndpoint', {
    params: { id },
    body: { event: form.get('event') ?? '' },
  })
  if (asked.ok) return endpointPage(visit, id, { sample: asked.body })
  if (asked.refusal.code === 'not_found' || asked.refusal.code === 'forbidden')
    throw new Refused(asked.refusal)
  return endpointPage(visit, id, {
    trouble: toldTrouble(page.locale, asked.refusal),
    status: formStatus(asked.refusal),
  })
}

export async function rotateInConsole(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const proof = await askForProof(visit, at(id))
  if (proof) return proof
  const { secret } = await need<WebhookSecret>(visit, webhookRoutes, 'rotateWebhookSecret', {
    params: { id },
  })
  const { rotatedTitle, rotatedText } = textsOf(visit.page.locale, webhooksTexts)
  return secretPage({ visit, title: rotatedTitle, lead: rotatedText, id, secret })
}

export async function deleteEndpointInConsole(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  await need(visit, webhookRoutes, 'deleteWebhookEndpoint', { params: { id } })
  return seeOther(visit.page, '/console/developers/webhooks?done=deleted')
}

export async function retryInConsole(
  visit: MemberRequest,
  { id = '', deliveryId = '' }: Params,
): Promise<Response> {
  await need(visit, webhookDeliveryRoutes, 'retryWebhookDelivery', { params: { id, deliveryId } })
  return seeOther(visit.page, `${at(id)}?done=wasRetried`)
}
