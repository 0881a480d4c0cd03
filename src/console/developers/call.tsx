import { findCall } from '../../delivery/call-log/list-calls.ts'
import type { Params } from '../../pages/page.ts'
import { instantOf, isId } from '../../platform/db/ids.ts'
import { notFound } from '../../platform/http/errors.ts'
import { callLogTexts } from '../../platform/i18n/console/call-log.ts'
import { consoleLanguage, textsOf } from '../../platform/i18n/console/catalogue.ts'
import { developersTexts } from '../../platform/i18n/console/developers.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { RefusalNote } from '../../platform/limits/call-note.ts'
import type { ErrorCode } from '../../platform/reasons/error-codes.ts'
import { Facts } from '../bookings/facts.tsx'
import type { MemberRequest } from '../request.ts'
import { shell } from '../views/shell.tsx'
import { StatusMark } from './calls.tsx'

/** One call, and why it was refused. */
export async function showCall(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, callLogTexts)
  const call = isId(id) ? await findCall(page.ctx.env, request, id) : null
  if (!call) throw notFound('request')
  const { method, route, status, ms, key, refusal } = call
  return shell({
    request,
    title: texts.title,
    lead: (
      <code>
        {method} {route}
      </code>
    ),
    back: { to: '/console/developers/requests', text: textsOf(locale, developersTexts).requests },
    actions: <StatusMark status={status} />,
    children: (
      <>
        {refusal && <Why request={request} refusal={refusal} />}
        <section class="panel">
          <Facts
            facts={[
              [texts.time, ownShortMomentText(locale, instantOf(call.id), zone)],
              [texts.took, fill(texts.ms, { n: ms })],
              [
                texts.key,
                <>
                  <code>{key.prefix}…</code> <bdi>{key.name}</bdi>
                </>,
              ],
              [texts.requestId, <code key="id">{call.id}</code>],
            ]}
          />
        </section>
      </>
    ),
  })
}

function Why({ request, refusal }: { readonly request: MemberRequest; readonly refusal: RefusalNote }) {
  const { locale } = request.page
  const texts = textsOf(locale, callLogTexts)
  const meanings: Readonly<Record<ErrorCode, string>> = texts
  const { code, message, fields, reason } = refusal
  return (
    <section class="panel" aria-labelledby="why">
      <h2 id="why">{texts.why}</h2>
      {code in meanings && <p>{meanings[code as ErrorCode]}</p>}
      <Facts
        facts={[
          [texts.code, <code key="code">{code}</code>],
          message === null || consoleLanguage(locale.language) !== 'en'
            ? null
            : [
                texts.message,
                <span key="message" lang="en">
                  {message}
                </span>,
              ],
          fields.length === 0
            ? null
            : [
                texts.fields,
                <ul key="fields">
                  {fields.map((field) => (
                    <li key={field}>{field === '*' ? texts.unknownField : <code>{field}</code>}</li>
                  ))}
                </ul>,
              ],
          reason === null ? null : [texts.reason, <code key="reason">{reason}</code>],
        ]}
      />
      <p>
        <a href={`/docs/errors#${code}`} target="_blank" rel="noopener">
          {texts.more}
          <span class="unseen"> ({locale.texts.opensNewTab})</span>
        </a>
      </p>
    </section>
  )
}
