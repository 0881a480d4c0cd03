import { webhookRoutes } from '../../delivery/webhooks/routes.ts'
import type { WebhookEndpoint } from '../../delivery/webhooks/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { developersShell } from './developers-shell.tsx'
import { afterIn, More } from './more.tsx'

const HERE = '/console/developers/webhooks'

/** Where events are sent, and which of these does not work. */
export async function showEndpoints(request: MemberRequest): Promise<Response> {
  const { page, member } = request
  const texts = textsOf(page.locale, webhooksTexts)
  const { data, has_more } = await need(request, webhookRoutes.listWebhookEndpoints, {
    query: { limit: '50', ...afterIn(page.url) },
  })
  const create = isRolePermitted(member.role, 'administer') && (
    <a class="button" href={`${HERE}/new`}>
      <Sign name="plus" />
      {texts.create}
    </a>
  )
  return developersShell({
    request,
    here: HERE,
    lead: texts.lead,
    actions: create,
    done: page.url.searchParams.get('done') === 'deleted' ? texts.deleted : undefined,
    children:
      data.length === 0 ? (
        <div class="empty">
          <Sign name="pulse" />
          <strong>{texts.none}</strong>
          <p>{texts.noneText}</p>
          {create}
        </div>
      ) : (
        <>
          <ul class="rows">
            {data.map((endpoint) => (
              <li key={endpoint.id}>
                <div>
                  <a class="row-link" href={`${HERE}/${endpoint.id}`}>
                    <bdi>{endpoint.url}</bdi>
                  </a>
                  <p class="soft">
                    {endpoint.description && <bdi>{endpoint.description} · </bdi>}
                    {endpoint.events.includes('*') ? texts.everything : endpoint.events.join(', ')}
                  </p>
                </div>
                <div class="row-end">
                  <EndpointBadge request={request} endpoint={endpoint} />
                </div>
              </li>
            ))}
          </ul>
          <More request={request} to={HERE} last={has_more ? data.at(-1)!.id : null} />
        </>
      ),
  })
}

type BadgeProps = { readonly request: MemberRequest; readonly endpoint: WebhookEndpoint }

export function EndpointBadge({ request, endpoint }: BadgeProps) {
  const texts = textsOf(request.page.locale, webhooksTexts)
  const { active, suspended_at, verification_status: status } = endpoint
  if (suspended_at !== null) return <span class="badge bad">{texts.suspended}</span>
  if (!active) return <span class="badge">{texts.inactive}</span>
  const tone = { verified: 'good', failed: 'bad', pending: 'warn' }[status]
  return <span class={`badge ${tone}`}>{texts[status]}</span>
}
