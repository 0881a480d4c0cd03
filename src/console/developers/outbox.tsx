import type { OutboxItem } from '../../operations/sandbox/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { sandboxTexts } from '../../platform/i18n/console/sandbox.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { Folded } from './folded.tsx'
import { More } from './more.tsx'

export type OutboxPage = { readonly data: readonly OutboxItem[]; readonly has_more: boolean }

type Props = { readonly request: MemberRequest; readonly outbox: OutboxPage }

/** What would have left the sandbox. */
export function Outbox({ request, outbox: { data, has_more } }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, sandboxTexts)
  const after = request.page.url.searchParams.get('after')
  const asSent = (id: string) => `/console/developers/sandbox/outbox/${id}${after ? `?after=${after}` : ''}`
  return (
    <section class="part" aria-labelledby="outbox">
      <h2 id="outbox">{texts.outbox}</h2>
      <p class="soft">{texts.outboxText}</p>
      {data.length === 0 ? (
        <div class="empty">
          <Sign name="pulse" />
          <strong>{texts.noOutbox}</strong>
          <p>{texts.noOutboxText}</p>
        </div>
      ) : (
        <ul class="rows">
          {data.map(({ id, channel, to, subject, body, html, created_at }) => (
            <li key={id}>
              <div>
                <strong>
                  <bdi>{subject ?? texts[channel]}</bdi>
                </strong>
                <p class="soft">
                  <bdi>{to}</bdi> · {ownShortMomentText(locale, Date.parse(created_at), request.zone)}
                </p>
                <Folded title={texts.read} value={body} />
                {html && (
                  <p class="as-sent">
                    <a href={asSent(id)} target="_blank" rel="noreferrer">
                      {texts.asSent}
                    </a>
                  </p>
                )}
              </div>
              <span class="badge">{texts[channel]}</span>
            </li>
          ))}
        </ul>
      )}
      <More request={request} to="/console/developers/sandbox" last={has_more ? data.at(-1)!.id : null} />
    </section>
  )
}
