import type { Resource } from '../../booking/resources/schema.ts'
import { calendarRoutes } from '../../calendars/routes.ts'
import type { CalendarConnection } from '../../calendars/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { roomTexts } from '../../platform/i18n/console/rooms.ts'
import { isAdmin } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'

export async function loadFeeds(request: MemberRequest, roomId: string): Promise<CalendarConnection[]> {
  const all = await listAll(request, calendarRoutes.listCalendars)
  return all.filter(({ resource_id: id }) => id === roomId)
}

type Props = {
  readonly request: MemberRequest
  readonly room: Resource
  readonly feeds: readonly CalendarConnection[]
}

/** The calendars that block it. */
export function FeedsPart({ request, room, feeds }: Props) {
  const texts = textsOf(request.page.locale, roomTexts)
  return (
    <section class="part">
      <div class="head-line">
        <h2>{texts.feeds}</h2>
        {isAdmin(request) && (
          <a class="button soft-button" href={`/console/calendars/connect/feed?resource=${room.id}`}>
            <Sign name="plus" />
            {texts.connect}
          </a>
        )}
      </div>
      <p class="soft">{texts.feedsText}</p>
      {feeds.length === 0 ? (
        <p class="empty">{texts.noFeeds}</p>
      ) : (
        <ul class="rows">
          {feeds.map(({ id, name, account_email: account, sync_error: error }) => (
            <li key={id}>
              <div>
                <strong>
                  <bdi>{name || account}</bdi>
                </strong>
                {error && <p class="soft">{error}</p>}
              </div>
              <a class="button soft-button" href="/console/calendars">
                {texts.settings}
                <span class="unseen">: {name || account}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
