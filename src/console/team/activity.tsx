import { activityRoutes } from '../../outbox/activity/routes.ts'
import { type ActivityEntry, ResourceType } from '../../outbox/activity/schema.ts'
import { apiKeyRoutes } from '../../people/api-keys/routes.ts'
import { activityTexts } from '../../platform/i18n/console/activity.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import { afterIn, More } from '../developers/more.tsx'
import { loadMembers } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { SelectField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { actorOf, type People } from './actors.ts'
import { Changes } from './changes.tsx'
import { actionOptions, actionText, placeOf } from './done-things.ts'
import { teamShell } from './team-shell.tsx'

type Filters = { readonly action?: string; readonly resource_type?: string; readonly resource_id?: string }

/** What is asked for: all that was done to one kind of thing, one thing that was done, or all about one thing. */
function filtersIn({ searchParams }: URL): Filters {
  const what = searchParams.get('what') ?? ''
  const about = searchParams.get('about') ?? ''
  return {
    ...(ResourceType.options.some((type) => type === what) && { resource_type: what }),
    ...(/^[a-z_]+\.[a-z_]+$/.test(what) && { action: what }),
    ...(/^[0-9a-f-]{36}$/.test(about) && { resource_id: about }),
  }
}

/** The activity log: actions and their actors. */
export async function showActivity(request: MemberRequest): Promise<Response> {
  const { page } = request
  const texts = textsOf(page.locale, activityTexts)
  const filters = filtersIn(page.url)
  const [{ data, has_more }, members, keys] = await Promise.all([
    need(request, activityRoutes.listActivity, {
      query: { limit: '50', ...filters, ...afterIn(page.url) },
    }),
    loadMembers(request),
    listAll(request, apiKeyRoutes.listApiKeys),
  ])
  const people = { members, keys }
  const isFiltered = Object.keys(filters).length > 0
  const query = new URLSearchParams()
  for (const name of ['what', 'about']) {
    const value = page.url.searchParams.get(name)
    if (value) query.set(name, value)
  }
  const to = `/console/team/activity${isFiltered ? `?${query}` : ''}`
  return teamShell({
    request,
    here: '/console/team/activity',
    children: (
      <>
        <p class="soft">{texts.lead}</p>
        <GetForm action="/console/team/activity" class="search" sendsOnChange>
          <SelectField
            locale={page.locale}
            name="what"
            label={texts.filter}
            value={filters.action ?? filters.resource_type ?? ''}
            options={[{ value: '', text: texts.everything }]}
            groups={actionOptions(page.locale)}
          />
          <button type="submit" class="soft-button">
            {texts.show}
          </button>
        </GetForm>
        {isFiltered && (
          <p>
            <a href="/console/team/activity">{texts.clear}</a>
          </p>
        )}
        {data.length === 0 ? (
          <div class="empty">
            <Sign name="pulse" />
            <strong>{isFiltered ? texts.nothingFound : texts.nothing}</strong>
          </div>
        ) : (
          <ul class="rows">
            {data.map((entry) => (
              <Entry key={entry.id} request={request} entry={entry} people={people} />
            ))}
          </ul>
        )}
        <More request={request} to={to} last={has_more ? data.at(-1)!.id : null} />
      </>
    ),
  })
}

type EntryProps = { readonly request: MemberRequest; readonly entry: ActivityEntry; readonly people: People }

function Entry({ request, entry, people }: EntryProps) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, activityTexts)
  const { resource_id: resource, ip_address: address, request_id: requestId } = entry
  const what = actionText(locale, entry.action)
  const place = placeOf(entry)
  return (
    <li>
      <div>
        <p>
          <strong>{place ? <a href={place}>{what}</a> : what}</strong>
        </p>
        <p class="soft">
          <bdi>{actorOf(locale, entry, people)}</bdi>
        </p>
      </div>
      <time class="soft" dateTime={entry.created_at}>
        {ownShortMomentText(locale, Date.parse(entry.created_at), zone)}
      </time>
      <details class="folded">
        <summary aria-label={fill(texts.details_of, { what })}>{texts.details}</summary>
        <div class="part">
          {entry.changes && <Changes locale={locale} changes={entry.changes} />}
          <p class="linked soft">
            {address && <span>{fill(texts.from, { address })}</span>}
            {requestId && <span>{fill(texts.request, { id: requestId })}</span>}
            {resource && <a href={`/console/team/activity?about=${resource}`}>{texts.about}</a>}
          </p>
        </div>
      </details>
    </li>
  )
}
