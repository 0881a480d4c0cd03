import { findCall, type KeyCall, listCalls } from '../../delivery/call-log/list-calls.ts'
import { seeOther } from '../../pages/respond.ts'
import { instantOf, isId } from '../../platform/db/ids.ts'
import { callLogTexts } from '../../platform/i18n/console/call-log.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { StatusClass } from '../../platform/limits/call-note.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { developersShell } from './developers-shell.tsx'
import { afterIn, More } from './more.tsx'

const HERE = '/console/developers/requests'
const A_PAGE = 50
const CLASSES: readonly (readonly [StatusClass | '', 'all' | 'good' | 'refused' | 'failed'])[] = [
  ['', 'all'],
  ['4xx', 'refused'],
  ['5xx', 'failed'],
  ['2xx', 'good'],
]

/** What the keys called, newest first, or the call that somebody looks for. */
export async function showCalls(request: MemberRequest): Promise<Response> {
  const { page } = request
  const { env } = page.ctx
  const texts = textsOf(page.locale, callLogTexts)
  const wanted = (page.url.searchParams.get('id') ?? '').trim()
  if (wanted !== '') {
    if (!isId(wanted)) return callsPage(request, null, { wanted, problem: texts.noId }, 422)
    const call = await findCall(env, request, wanted)
    if (call) return seeOther(page, `${HERE}/${call.id}`)
    return callsPage(request, null, { wanted, problem: texts.notFound }, 404)
  }
  const statusClass = classIn(page.url)
  const { starting_after: before = null } = afterIn(page.url)
  const found = await listCalls(env, request, { statusClass, before, limit: A_PAGE })
  return callsPage(request, found, { wanted, problem: null }, 200)
}

function classIn({ searchParams }: URL): StatusClass | null {
  const asked = searchParams.get('status')
  return CLASSES.find(([one]) => one !== '' && one === asked)?.[0] || null
}

type Found = Awaited<ReturnType<typeof listCalls>>
type Search = { readonly wanted: string; readonly problem: string | null }

function callsPage(
  request: MemberRequest,
  found: Found | null,
  { wanted, problem }: Search,
  status: number,
): Response {
  const { locale, url } = request.page
  const texts = textsOf(locale, callLogTexts)
  const statusClass = classIn(url)
  const trouble = problem === null ? NO_TROUBLE : { fields: { id: problem } }
  return developersShell({
    request,
    here: HERE,
    lead: texts.lead,
    status,
    children: (
      <>
        <search>
          <GetForm action={HERE} class="search">
            <TextField
              {...{ locale, trouble }}
              name="id"
              label={texts.find}
              value={wanted}
              autocomplete="off"
              isFocused={problem !== null}
            />
            <button type="submit" class="soft-button">
              <Sign name="search" />
              {texts.findNow}
            </button>
          </GetForm>
          <p class="hint">{texts.findHint}</p>
        </search>
        {found && (
          <>
            <nav class="linked" aria-label={texts.outcome}>
              {CLASSES.map(([one, name]) => (
                <a
                  key={one}
                  href={one === '' ? HERE : `${HERE}?status=${one}`}
                  aria-current={(statusClass ?? '') === one ? 'true' : undefined}
                >
                  {texts[name]}
                </a>
              ))}
            </nav>
            <CallTable request={request} calls={found.data} />
            <More
              request={request}
              to={statusClass === null ? HERE : `${HERE}?status=${statusClass}`}
              last={found.has_more ? found.data.at(-1)!.id : null}
            />
          </>
        )}
      </>
    ),
  })
}

function CallTable({
  request,
  calls,
}: {
  readonly request: MemberRequest
  readonly calls: readonly KeyCall[]
}) {
  const { locale } = request.page
  const texts = textsOf(locale, callLogTexts)
  if (calls.length === 0) {
    return (
      <div class="empty">
        <Sign name="pulse" />
        <strong>{texts.none}</strong>
        <p>{texts.noneText}</p>
      </div>
    )
  }
  return (
    <div class="table-wrap">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">{texts.time}</th>
            <th scope="col">{texts.status}</th>
            <th scope="col">{texts.call}</th>
            <th scope="col">{texts.key}</th>
            <th scope="col">{texts.took}</th>
          </tr>
        </thead>
        <tbody>
          {calls.map(({ id, status, method, route, ms, key, refusal }) => (
            <tr key={id}>
              <td>
                <a href={`${HERE}/${id}`}>{ownShortMomentText(locale, instantOf(id), request.zone)}</a>
              </td>
              <td>
                <StatusMark status={status} /> {refusal && <code>{refusal.code}</code>}
              </td>
              <td>
                <code>
                  {method} {route}
                </code>
              </td>
              <td>
                <code>{key.prefix}…</code> <bdi class="soft">{key.name}</bdi>
              </td>
              <td>{fill(texts.ms, { n: ms })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function StatusMark({ status }: { readonly status: number }) {
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <span class={`badge ${tone}`}>{status}</span>
}
