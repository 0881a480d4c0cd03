import { calendarFeedRoutes } from '../../calendars/feeds/routes.ts'
import { conferencingRoutes } from '../../calendars/meetings/routes.ts'
import { calendarRoutes } from '../../calendars/routes.ts'
import type { CalendarConnection } from '../../calendars/schema.ts'
import type { Member } from '../../people/team/schema.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { need } from '../ask.ts'
import { afterIn } from '../developers/more.tsx'
import { loadMembers, nameOf } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { AccountCard } from './account-card.tsx'
import { doneIn, troubleIn } from './done.ts'
import { Feeds } from './feeds.tsx'
import { Meetings } from './meetings.tsx'
import { isAdmin, mayConnect, maySee } from './whose.ts'

const A_PAGE = '100'

/** Connected calendars and their state, where meetings are made, and calendar feeds of bookings. */
export function showCalendars(request: MemberRequest): Promise<Response> {
  return calendarsPage(request, NO_TROUBLE, 200)
}

export async function calendarsPage(
  request: MemberRequest,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page } = request
  const texts = textsOf(page.locale, calendarsTexts)
  const [connections, meetings, feeds, members] = await Promise.all([
    need(request, calendarRoutes.listCalendars, {
      query: { limit: A_PAGE, ...afterIn(page.url) },
    }),
    need(request, conferencingRoutes.listConferencing),
    listAll(request, calendarFeedRoutes.listCalendarFeeds),
    loadMembers(request),
  ])
  const shown = connections.data.filter(({ member_id: id }) => maySee(request, id))
  const isOfFeed = trouble.fields?.feed_member !== undefined
  const alert = isOfFeed ? undefined : (trouble.title ?? troubleIn(request))
  const connect = (
    <a class="button" href="/console/calendars/connect">
      <Sign name="plus" />
      {texts.connect}
    </a>
  )
  return shell({
    request,
    title: texts.title,
    lead: isAdmin(request) ? texts.lead : texts.leadOwn,
    done: alert === undefined ? doneIn(request) : undefined,
    status,
    actions: mayConnect(request) && shown.length > 0 && connect,
    children: (
      <>
        {alert && (
          <p class="band bad-band" role="alert">
            {alert}
          </p>
        )}
        {shown.length === 0 ? (
          <div class="empty">
            <Sign name="calendar" />
            <strong>{texts.noneTitle}</strong>
            <span>{mayConnect(request) ? texts.noneText : texts.noneOwn}</span>
            {mayConnect(request) && connect}
          </div>
        ) : (
          <People request={request} connections={shown} members={members} />
        )}
        {connections.has_more && (
          <p>
            <a class="button soft-button" href={`/console/calendars?after=${connections.data.at(-1)!.id}`}>
              {textsOf(page.locale, shellTexts).more}
            </a>
          </p>
        )}
        <Meetings request={request} accounts={meetings.data} members={members} />
        <Feeds request={request} feeds={feeds} members={members} trouble={isOfFeed ? trouble : NO_TROUBLE} />
      </>
    ),
  })
}

type PeopleProps = {
  readonly request: MemberRequest
  readonly connections: readonly CalendarConnection[]
  readonly members: readonly Member[]
}

/** The accounts of each person: one's own first, then by name. */
function People({ request, connections, members }: PeopleProps) {
  const { locale } = request.page
  const { yours } = textsOf(locale, calendarsTexts)
  const own = request.member.memberId
  const people = [...Map.groupBy(connections, ({ member_id, resource_id }) => member_id ?? resource_id!)]
    .map(([id, theirs]) => {
      const known = members.find((one) => one.id === id)
      return {
        id,
        name: id === own ? yours : known ? nameOf(known) : theirs[0]!.member_name || theirs[0]!.name,
        theirs,
      }
    })
    .sort((a, b) => Number(b.id === own) - Number(a.id === own) || a.name.localeCompare(b.name, locale.tag))
  return people.map(({ id, name, theirs }) => (
    <section class="part" key={id}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      {[...Map.groupBy(theirs, ({ account_id: account }) => account)].map(([account, [first, ...rest]]) => (
        <AccountCard key={account} request={request} connections={[first!, ...rest]} />
      ))}
    </section>
  ))
}
