import { activityRoutes } from '../../outbox/activity/routes.ts'
import type { ActivityEntry } from '../../outbox/activity/schema.ts'
import { apiKeyRoutes } from '../../people/api-keys/routes.ts'
import { activityTexts } from '../../platform/i18n/console/activity.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import { loadMembers } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { actorOf, type People } from '../team/actors.ts'
import { Changes } from '../team/changes.tsx'
import { actionText } from '../team/done-things.ts'

export type History = {
  readonly entries: readonly ActivityEntry[]
  /** Whether later entries are only in the activity log. */
  readonly hasMore: boolean
  readonly people: People
}

/** What was done to a booking, oldest first, up to a bound. */
export async function loadHistory(request: MemberRequest, id: string): Promise<History> {
  const query = { resource_id: id, order: 'asc', limit: '50' }
  const [{ data, has_more }, members, keys] = await Promise.all([
    need(request, activityRoutes.listActivity, { query }),
    loadMembers(request),
    listAll(request, apiKeyRoutes.listApiKeys),
  ])
  return { entries: data, hasMore: has_more, people: { members, keys } }
}

type Props = { readonly request: MemberRequest; readonly id: string; readonly history: History }

export function HistoryPart({ request, id, history: { entries, hasMore, people } }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, bookingChangeTexts)
  if (entries.length === 0) return null
  return (
    <section class="panel">
      <h2>{texts.history}</h2>
      <ul class="rows">
        {entries.map((entry) => (
          <Entry key={entry.id} request={request} entry={entry} people={people} />
        ))}
      </ul>
      {hasMore && (
        <p>
          <a href={`/console/team/activity?about=${id}`}>{texts.wholeHistory}</a>
        </p>
      )}
    </section>
  )
}

type EntryProps = { readonly request: MemberRequest; readonly entry: ActivityEntry; readonly people: People }

function Entry({ request: { page, zone }, entry, people }: EntryProps) {
  const { locale } = page
  const texts = textsOf(locale, activityTexts)
  const what = actionText(locale, entry.action)
  return (
    <li>
      <div>
        <p>
          <strong>{what}</strong>
        </p>
        <p class="soft">
          <bdi>{actorOf(locale, entry, people)}</bdi>
        </p>
      </div>
      <time class="soft" dateTime={entry.created_at}>
        {ownShortMomentText(locale, Date.parse(entry.created_at), zone)}
      </time>
      {entry.changes && (
        <details class="folded">
          <summary aria-label={fill(texts.details_of, { what })}>{texts.details}</summary>
          <Changes locale={locale} changes={entry.changes} />
        </details>
      )}
    </li>
  )
}
