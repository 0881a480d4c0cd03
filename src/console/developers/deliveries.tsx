import { webhookDeliveryRoutes } from '../../delivery/webhooks/deliveries/routes.ts'
import type { WebhookDelivery } from '../../delivery/webhooks/deliveries/schema.ts'
import type { QueryOf } from '../../platform/http/route-input.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import { ownShortMomentText, pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { Folded } from './folded.tsx'
import { afterIn, More } from './more.tsx'

const STATUSES = ['failed', 'pending', 'success', 'retried'] as const
type Status = (typeof STATUSES)[number]
const TONES: Readonly<Record<Status, string>> = {
  success: 'good',
  failed: 'bad',
  pending: 'warn',
  retried: '',
}

type Page = { readonly data: readonly WebhookDelivery[]; readonly has_more: boolean }
type DeliveryLists = { readonly wanted: Page; readonly failed: Page | null }

function statusIn({ searchParams }: URL): Status | null {
  return STATUSES.find((one) => one === searchParams.get('status')) ?? null
}

/** What is looked at; beside everything, what failed, for that comes first. */
export async function loadDeliveries(request: MemberRequest, id: string): Promise<DeliveryLists> {
  const { url } = request.page
  const status = statusIn(url)
  const list = (query: QueryOf<typeof webhookDeliveryRoutes.listWebhookDeliveries>) =>
    need(request, webhookDeliveryRoutes.listWebhookDeliveries, { params: { id }, query })
  const isFirst = status === null && !url.searchParams.has('after')
  const [wanted, failed] = await Promise.all([
    list({ limit: '20', ...(status && { status }), ...afterIn(url) }),
    isFirst ? list({ limit: '5', status: 'failed' }) : null,
  ])
  return { wanted, failed }
}

type Props = {
  readonly request: MemberRequest
  readonly endpointId: string
  readonly lists: DeliveryLists
  readonly mayRetry: boolean
}

export function Deliveries({ request, endpointId, lists, mayRetry }: Props) {
  const { locale, url } = request.page
  const texts = textsOf(locale, webhooksTexts)
  const here = `/console/developers/webhooks/${endpointId}`
  const status = statusIn(url)
  const { wanted, failed } = lists
  const own = { request, endpointId, mayRetry }
  return (
    <section class="part" aria-labelledby="deliveries">
      <h2 id="deliveries">{texts.deliveries}</h2>
      <nav class="linked" aria-label={texts.outcome}>
        {([null, ...STATUSES] as const).map((one) => (
          <a
            key={one}
            href={one === null ? here : `${here}?status=${one}`}
            aria-current={one === status ? 'true' : undefined}
          >
            {one === null ? texts.all : texts[`status_${one}`]}
          </a>
        ))}
      </nav>
      {failed && failed.data.length > 0 && (
        <>
          <h3>{texts.needAttention}</h3>
          <Rows {...own} deliveries={failed.data} />
          {failed.has_more && <a href={`${here}?status=failed`}>{texts.status_failed}</a>}
          <h3>{texts.all}</h3>
        </>
      )}
      {wanted.data.length === 0 ? (
        <div class="empty">
          <Sign name="pulse" />
          <strong>{texts.noDeliveries}</strong>
          <p>{texts.noDeliveriesText}</p>
        </div>
      ) : (
        <Rows {...own} deliveries={wanted.data} />
      )}
      <More
        request={request}
        to={status === null ? here : `${here}?status=${status}`}
        last={wanted.has_more ? wanted.data.at(-1)!.id : null}
      />
    </section>
  )
}

type RowsProps = Omit<Props, 'lists'> & { readonly deliveries: readonly WebhookDelivery[] }

function Rows({ request, endpointId, mayRetry, deliveries }: RowsProps) {
  const { locale } = request.page
  const texts = textsOf(locale, webhooksTexts)
  const moment = (at: string) => ownShortMomentText(locale, Date.parse(at), request.zone)
  return (
    <ul class="rows">
      {deliveries.map((delivery) => {
        const {
          id,
          status,
          event_type,
          created_at,
          attempts,
          next_retry_at,
          response_status_code: code,
        } = delivery
        return (
          <li key={id}>
            <div>
              <span class={`badge ${TONES[status]}`}>{texts[`status_${status}`]}</span>{' '}
              <code>{event_type}</code>
              <p class="soft">
                {moment(created_at)} · {pluralText(locale, texts.attempts, attempts)}
                {attempts > 0 && ` · ${code ?? texts.noAnswer}`}
                {status === 'pending' &&
                  next_retry_at !== null &&
                  ` · ${fill(texts.nextAttempt, { time: moment(next_retry_at) })}`}
              </p>
              <Folded title={texts.payload} value={delivery.payload} />
              {delivery.response_body && <Folded title={texts.answered} value={delivery.response_body} />}
            </div>
            {mayRetry && status === 'failed' && (
              <div class="row-end">
                <Form
                  request={request}
                  action={`/console/developers/webhooks/${endpointId}/deliveries/${id}/retry`}
                  class="inline"
                >
                  <button type="submit" class="soft-button">
                    {texts.retry}
                  </button>
                </Form>
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
