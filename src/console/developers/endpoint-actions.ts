import { webhookDeliveryRoutes } from '../../delivery/webhooks/deliveries/routes.ts'
import { webhookRoutes } from '../../delivery/webhooks/routes.ts'
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
import { troubleOf } from '../trouble.ts'
import { endpointPage, loadEndpoint } from './endpoint.tsx'
import { endpointForm, typedIn } from './endpoint-form.tsx'
import { secretPage } from './secret-page.tsx'

const at = (id: string) => `/console/developers/webhooks/${id}` as const

export async function showEndpointForm(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const { url, description, active, events } = await loadEndpoint(request, id)
  const typed = { url, description: description ?? '', active, events, secret: '' }
  return endpointForm({ request, title: textsOf(request.page.locale, webhooksTexts).edit, id, typed })
}

/** Sending the events to another address needs a proof. */
export async function changeEndpoint(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, form } = request
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const typed = typedIn(request)
  const { url, events, active } = typed
  if (!isProven(request) && url !== (await loadEndpoint(request, id)).url) {
    const proof = await askForProof(request, `${at(id)}/edit`)
    if (proof) return proof
  }
  const asked = await ask(request, webhookRoutes.updateWebhookEndpoint, {
    params: { id },
    body: { url, events, active, description: orNull(form, 'description') },
  })
  if (asked.ok) return seeOther(page, at(id))
  if (asked.refusal.code === 'not_found' || asked.refusal.code === 'forbidden')
    throw new Refused(asked.refusal)
  return endpointForm({
    request,
    title: textsOf(page.locale, webhooksTexts).edit,
    id,
    typed,
    trouble: troubleOf(page.locale, asked.refusal),
    status: formStatus(asked.refusal),
  })
}

export async function verifyInConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const asked = await ask(request, webhookRoutes.verifyWebhookEndpoint, {
    params: { id },
  })
  if (!asked.ok) throw new Refused(asked.refusal)
  const isVerified = asked.body.verification_status === 'verified'
  return seeOther(request.page, `${at(id)}?done=${isVerified ? 'wasVerified' : 'wasNotVerified'}`)
}

/** The answer is shown here and kept nowhere. */
export async function sendSample(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, form } = request
  const asked = await ask(request, webhookRoutes.testWebhookEndpoint, {
    params: { id },
    body: { event: form.get('event') ?? '' },
  })
  if (asked.ok) return endpointPage(request, id, { sample: asked.body })
  if (asked.refusal.code === 'not_found' || asked.refusal.code === 'forbidden')
    throw new Refused(asked.refusal)
  return endpointPage(request, id, {
    trouble: troubleOf(page.locale, asked.refusal),
    status: formStatus(asked.refusal),
  })
}

export async function rotateInConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const proof = await askForProof(request, at(id))
  if (proof) return proof
  const { secret } = await need(request, webhookRoutes.rotateWebhookSecret, {
    params: { id },
  })
  const { rotatedTitle, rotatedText } = textsOf(request.page.locale, webhooksTexts)
  return secretPage({ request, title: rotatedTitle, lead: rotatedText, id, secret })
}

export async function deleteEndpointInConsole(
  request: MemberRequest,
  { id = '' }: Params,
): Promise<Response> {
  await need(request, webhookRoutes.deleteWebhookEndpoint, { params: { id } })
  return seeOther(request.page, '/console/developers/webhooks?done=deleted')
}

export async function retryInConsole(
  request: MemberRequest,
  { id = '', deliveryId = '' }: Params,
): Promise<Response> {
  await need(request, webhookDeliveryRoutes.retryWebhookDelivery, { params: { id, deliveryId } })
  return seeOther(request.page, `${at(id)}?done=wasRetried`)
}
