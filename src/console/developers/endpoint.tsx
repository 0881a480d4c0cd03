import { webhookRoutes } from '../../delivery/webhooks/routes.ts'
import type { WebhookEndpoint, WebhookTest } from '../../delivery/webhooks/schema.ts'
import type { Params } from '../../pages/page.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { EVENT_KINDS } from '../../platform/db/schema/records.ts'
import { consoleLanguage, textsOf } from '../../platform/i18n/console/catalogue.ts'
import { developersTexts } from '../../platform/i18n/console/developers.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import { Facts } from '../bookings/facts.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { Deliveries, loadDeliveries } from './deliveries.tsx'
import { EndpointBadge } from './endpoints.tsx'
import { Folded } from './folded.tsx'

export async function showEndpoint(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return endpointPage(request, id, {})
}

export function loadEndpoint(request: MemberRequest, id: string): Promise<WebhookEndpoint> {
  return need(request, webhookRoutes.getWebhookEndpoint, { params: { id } })
}

/** What came of what was just tried. */
type Tried = { readonly sample?: WebhookTest; readonly trouble?: Trouble; readonly status?: number }

const DONE = ['wasVerified', 'wasNotVerified', 'wasRetried'] as const

/** An endpoint, what can be done with it, and what was sent there. */
export async function endpointPage(request: MemberRequest, id: string, tried: Tried): Promise<Response> {
  const { page, member } = request
  const texts = textsOf(page.locale, webhooksTexts)
  const [endpoint, lists] = await Promise.all([loadEndpoint(request, id), loadDeliveries(request, id)])
  const isAdmin = isRolePermitted(member.role, 'administer')
  const here = `/console/developers/webhooks/${endpoint.id}` as const
  const said = page.url.searchParams.get('done')
  const done = DONE.find((one) => one === said)
  return shell({
    request,
    title: endpoint.url,
    lead: endpoint.description && <bdi>{endpoint.description}</bdi>,
    back: { to: '/console/developers/webhooks', text: textsOf(page.locale, developersTexts).webhooks },
    done: done && texts[done],
    status: tried.status ?? 200,
    actions: (
      <>
        <EndpointBadge request={request} endpoint={endpoint} />
        {isAdmin && (
          <a class="button soft-button" href={`${here}/edit`}>
            {texts.edit}
          </a>
        )}
      </>
    ),
    children: (
      <>
        {tried.sample && <Sample request={request} sample={tried.sample} />}
        <div class="main-and-aside">
          <div class="part">
            <EndpointFacts request={request} endpoint={endpoint} />
            <Deliveries request={request} endpointId={endpoint.id} lists={lists} mayRetry={isAdmin} />
          </div>
          {isAdmin && <Actions request={request} here={here} trouble={tried.trouble} />}
        </div>
      </>
    ),
  })
}

function EndpointFacts({
  request,
  endpoint,
}: {
  readonly request: MemberRequest
  readonly endpoint: WebhookEndpoint
}) {
  const { locale } = request.page
  const texts = textsOf(locale, webhooksTexts)
  const { events, verified_at, verification_last_error: error, consecutive_failures: failures } = endpoint
  return (
    <section class="panel">
      {endpoint.suspended_at !== null && <p class="band bad-band">{texts.suspendedText}</p>}
      <Facts
        facts={[
          [texts.events, events.includes('*') ? texts.everything : events.join(', ')],
          verified_at && [
            texts.verifiedAt,
            ownShortMomentText(locale, Date.parse(verified_at), request.zone),
          ],
          error && [texts.lastError, consoleLanguage(locale.language) === 'en' ? error : texts.notAnswered],
          failures > 0 && [texts.failures, String(failures)],
          [texts.id, <code key="id">{endpoint.id}</code>],
        ]}
      />
    </section>
  )
}

type ActionProps = {
  readonly request: MemberRequest
  readonly here: `/console/${string}`
  readonly trouble: Trouble | undefined
}

function Actions({ request, here, trouble = NO_TROUBLE }: ActionProps) {
  const { locale } = request.page
  const texts = textsOf(locale, webhooksTexts)
  return (
    <div class="part">
      <Form request={request} action={`${here}/test`} class="panel" trouble={trouble}>
        <h2>{texts.test}</h2>
        <p class="soft">{texts.testText}</p>
        <SelectField
          {...{ locale, trouble }}
          name="event"
          label={texts.testEvent}
          value={request.form.get('event') ?? 'booking.created'}
          options={EVENT_KINDS.map((kind) => ({ value: kind, text: kind }))}
        />
        <FormEnd request={request} text={texts.sendTest} tone="soft-button" />
      </Form>
      <Form request={request} action={`${here}/verify`} class="panel">
        <FormEnd request={request} text={texts.verify} tone="soft-button" />
      </Form>
      <details class="panel folded">
        <summary>{texts.rotate}</summary>
        <Form request={request} action={`${here}/rotate-secret`} class="part" once>
          <p>{texts.rotateText}</p>
          <FormEnd request={request} text={texts.rotateIt} />
        </Form>
      </details>
      <details class="panel folded">
        <summary>{texts.delete}</summary>
        <Form request={request} action={`${here}/delete`} class="part">
          <p>{texts.deleteText}</p>
          <FormEnd request={request} text={texts.deleteIt} tone="danger" />
        </Form>
      </details>
    </div>
  )
}

function Sample({ request, sample }: { readonly request: MemberRequest; readonly sample: WebhookTest }) {
  const texts = textsOf(request.page.locale, webhooksTexts)
  const { success, response_status_code: status, response_body: body, error, payload } = sample
  return (
    <section class="panel" role="status">
      <p>
        <span class={`badge ${success ? 'good' : 'bad'}`}>{status ?? texts.noAnswer}</span>{' '}
        {success ? fill(texts.testArrived, { status: status ?? '' }) : texts.testLost}
        {error && <span lang="en"> {error}</span>}
      </p>
      {body && <Folded title={texts.answered} value={body} />}
      <Folded title={texts.sent} value={payload} />
    </section>
  )
}
