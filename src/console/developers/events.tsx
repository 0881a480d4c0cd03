import { newestEvents } from '../../delivery/webhooks/feed/newest-events.ts'
import { feedRoutes } from '../../delivery/webhooks/feed/routes.ts'
import type { ServiceEvent } from '../../delivery/webhooks/feed/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventFeedTexts } from '../../platform/i18n/console/event-feed.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { developersShell } from './developers-shell.tsx'
import { Folded } from './folded.tsx'

const HERE = '/console/developers/events'
const A_PAGE = 20

type Feed = { readonly data: readonly ServiceEvent[]; readonly has_more: boolean }

/** What happened: the newest first, or on from a sequence as a consumer reads it. */
export async function showEvents(request: MemberRequest): Promise<Response> {
  const { page } = request
  const { locale } = page
  const texts = textsOf(locale, eventFeedTexts)
  const { searchParams } = page.url
  const from = (searchParams.get('from') ?? '').trim()
  const isWrong = from !== '' && !/^\d{1,15}$/.test(from)
  const feed = await loadFeed(request, isWrong ? '' : from)
  const trouble = isWrong ? { fields: { from: texts.wrong } } : NO_TROUBLE
  return developersShell({
    request,
    here: HERE,
    lead: texts.lead,
    status: isWrong ? 422 : 200,
    children: (
      <>
        <GetForm action={HERE} class="search">
          <TextField
            {...{ locale, trouble }}
            name="from"
            label={texts.from}
            value={from}
            inputmode="numeric"
            isOptional
          />
          <button type="submit" class="soft-button">
            {texts.read}
          </button>
          <p class="hint">{texts.fromHint}</p>
        </GetForm>
        {feed.data.length === 0 ? (
          <div class="empty">
            <Sign name="pulse" />
            <strong>{texts.none}</strong>
            <p>{texts.noneText}</p>
          </div>
        ) : (
          <Events request={request} events={feed.data} />
        )}
        <p class="linked">
          {feed.has_more && (
            <a class="button soft-button" href={nextOf(feed, isWrong ? '' : from)}>
              {textsOf(locale, shellTexts).more}
            </a>
          )}
          {(from !== '' || searchParams.has('before')) && <a href={HERE}>{texts.newest}</a>}
        </p>
      </>
    ),
  })
}

function loadFeed(request: MemberRequest, from: string): Promise<Feed> {
  const { page } = request
  if (from !== '') {
    const query = { after: from, limit: String(A_PAGE) }
    return need(request, feedRoutes.listEvents, { query })
  }
  const before = page.url.searchParams.get('before') ?? ''
  const beforeThis = /^\d{1,15}$/.test(before) ? Number(before) : null
  return newestEvents(page.ctx.env, request, { before: beforeThis, limit: A_PAGE })
}

function nextOf({ data }: Feed, from: string): string {
  return `${HERE}?${from === '' ? 'before' : 'from'}=${data.at(-1)!.sequence}`
}

function Events({
  request,
  events,
}: {
  readonly request: MemberRequest
  readonly events: readonly ServiceEvent[]
}) {
  const { locale } = request.page
  const texts = textsOf(locale, eventFeedTexts)
  return (
    <ul class="rows">
      {events.map((event) => (
        <li key={event.id}>
          <div>
            <code>{event.event}</code>{' '}
            <span class="soft">{ownShortMomentText(locale, Date.parse(event.created_at), request.zone)}</span>
            <Folded title={texts.payload} value={event} />
          </div>
          <span class="badge">{event.sequence}</span>
        </li>
      ))}
    </ul>
  )
}
