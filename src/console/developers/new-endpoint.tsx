import { webhookRoutes } from '../../delivery/webhooks/routes.ts'
import type { CreatedWebhookEndpoint } from '../../delivery/webhooks/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { toldTrouble } from '../trouble.ts'
import { endpointForm, type TypedEndpoint, typedIn } from './endpoint-form.tsx'
import { secretPage } from './secret-page.tsx'

const NOTHING: TypedEndpoint = { url: '', description: '', secret: '', active: true, events: ['*'] }

const HERE = '/console/developers/webhooks/new'

export async function showNewEndpoint(visit: MemberRequest): Promise<Response> {
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const proof = await askForProof(visit, HERE)
  if (proof) return proof
  const { newEndpoint } = textsOf(visit.page.locale, webhooksTexts)
  return endpointForm({ visit, title: newEndpoint, id: null, typed: NOTHING })
}

export async function createEndpointInConsole(visit: MemberRequest): Promise<Response> {
  const { form, page } = visit
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const proof = await askForProof(visit, HERE)
  if (proof) return proof
  const texts = textsOf(page.locale, webhooksTexts)
  const typed = typedIn(visit)
  const secret = orNull(form, 'secret')
  const asked = await ask<CreatedWebhookEndpoint>(visit, webhookRoutes, 'createWebhookEndpoint', {
    body: {
      url: typed.url,
      events: typed.events,
      description: orNull(form, 'description'),
      ...(secret !== null && { secret }),
    },
  })
  if (asked.ok)
    return secretPage({ visit, title: texts.madeTitle, id: asked.body.id, secret: asked.body.secret })
  const trouble = toldTrouble(page.locale, asked.refusal)
  return endpointForm({
    visit,
    title: texts.newEndpoint,
    id: null,
    typed,
    trouble,
    status: formStatus(asked.refusal),
  })
}
