import { formatDate } from '../../core/local-time.ts'
import { urlAt } from '../../env.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { developersTexts } from '../../platform/i18n/console/developers.ts'
import { todayOf } from '../bookings/views.ts'
import type { MemberRequest } from '../request.ts'
import { CopyLine } from '../views/copy-line.tsx'

type Props = {
  readonly request: MemberRequest
  /** The key itself while it can be shown. */
  readonly secret: string
  /** Something that can be booked, where there is anything. */
  readonly eventTypeId: string | null
}

/** Calls that work as they are shown here. */
export function CurlLines({ request, secret, eventTypeId }: Props) {
  const { locale, ctx } = request.page
  const texts = textsOf(locale, developersTexts)
  const api = urlAt(ctx.env, '/v1')
  const authorization = `-H "Authorization: Bearer ${secret}"`
  const date = formatDate(todayOf(request))
  const day = `date=${date}&timezone=${encodeURIComponent(request.zone)}`
  const lines: readonly (readonly [string, string])[] = [
    [texts.tryTypes, `curl -s "${api}/event-types" ${authorization}`],
    ...(eventTypeId === null
      ? []
      : ([
          [texts.tryExplain, `curl -s "${api}/event-types/${eventTypeId}/explain?${day}" ${authorization}`],
        ] as const)),
    [texts.tryEvents, `curl -s "${api}/events" ${authorization}`],
  ]
  return (
    <section class="panel">
      <h2>{texts.tryIt}</h2>
      {lines.map(([label, line]) => (
        <div key={label} class="part">
          <h3>{label}</h3>
          <CopyLine locale={locale} text={line} />
        </div>
      ))}
      <dl class="pairs">
        <div>
          <dt>{texts.base}</dt>
          <dd>
            <code>{api}</code>
          </dd>
        </div>
        <div>
          <dt>{texts.organizationId}</dt>
          <dd>
            <code>{request.organizationId}</code>
          </dd>
        </div>
      </dl>
    </section>
  )
}
