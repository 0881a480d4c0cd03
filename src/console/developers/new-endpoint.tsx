import { webhookRoutes } from '../../delivery/webhooks/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { endpointForm, type TypedEndpoint, typedIn } from './endpoint-form.tsx'
import { secretPage } from './secret-page.tsx'

const NOTHING: TypedEndpoint = { url: '', description: '', secret: '', active: true, events: ['*'] }

const HERE = '/console/developers/webhooks/new'

export async function showNewEndpoint(request: MemberRequest): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  const { newEndpoint } = textsOf(request.page.locale, webhooksTexts)
  return endpointForm({ request, title: newEndpoint, id: null, typed: NOTHING })
}

export async function createEndpointInConsole(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  const texts = textsOf(page.locale, webhooksTexts)
  const typed = typedIn(request)
  const secret = orNull(form, 'secret')
  const asked = await ask(request, webhookRoutes.createWebhookEndpoint, {
    body: {
      url: typed.url,
      events: typed.events,
      description: orNull(form, 'description'),
      ...(secret !== null && { secret }),
    },
  })
  if (asked.ok)
    return secretPage({ request, title: texts.madeTitle, id: asked.body.id, secret: asked.body.secret })
  const trouble = troubleOf(page.locale, asked.refusal)
  return endpointForm({
    request,
    title: texts.newEndpoint,
    id: null,
    typed,
    trouble,
    status: formStatus(asked.refusal),
  })
}
