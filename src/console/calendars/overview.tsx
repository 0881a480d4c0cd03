import { calendarFeedRoutes } from '../../calendars/feeds/routes.ts'
import type { CalendarFeed } from '../../calendars/feeds/schema.ts'
import { conferencingRoutes } from '../../calendars/meetings/routes.ts'
import type { ConferencingAccounts } from '../../calendars/meetings/schema.ts'
import { calendarRoutes } from '../../calendars/routes.ts'
import type { CalendarConnection } from '../../calendars/schema.ts'
import type { Member } from '../../people/team/schema.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
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
import { isAdmin, maySee } from './whose.ts'

const A_PAGE = '100'

/** Whose calendars are connected and how they do, where meetings are made, and who reads bookings elsewhere. */
export function showCalendars(visit: MemberRequest): Promise<Response> {
  return calendarsPage(visit, NO_TROUBLE, 200)
}

export async function calendarsPage(
  visit: MemberRequest,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page, member } = visit
  const texts = textsOf(page.locale, calendarsTexts)
  const [connections, meetings, feeds, members] = await Promise.all([
    need<{ data: CalendarConnection[]; has_more: boolean }>(visit, calendarRoutes, 'listCalendars', {
      query: { limit: A_PAGE, ...afterIn(page.url) },
    }),
    need<ConferencingAccounts>(visit, conferencingRoutes, 'listConferencing'),
    listAll<CalendarFeed>(visit, calendarFeedRoutes, 'listCalendarFeeds'),
    loadMembers(visit),
  ])
  const shown = connections.data.filter(({ member_id: id }) => maySee(visit, id))
  const isOfFeed = trouble.fields?.feed_member !== undefined
  const alert = isOfFeed ? undefined : (trouble.title ?? troubleIn(visit))
  const connect = (
    <a class="button" href="/console/calendars/connect">
      <Sign name="plus" />
      {texts.connect}
    </a>
  )
  return shell({
    visit,
    title: texts.title,
    lead: isAdmin(visit) ? texts.lead : texts.leadOwn,
    done: alert === undefined ? doneIn(visit) : undefined,
    status,
    actions: isAdmin(visit) && shown.length > 0 && connect,
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
            <span>{isAdmin(visit) ? texts.noneText : fill(texts.noneOwn, { org: member.name })}</span>
            {isAdmin(visit) && connect}
          </div>
        ) : (
          <People visit={visit} connections={shown} members={members} />
        )}
        {connections.has_more && (
          <p>
            <a class="button soft-button" href={`/console/calendars?after=${connections.data.at(-1)!.id}`}>
              {textsOf(page.locale, shellTexts).more}
            </a>
          </p>
        )}
        <Meetings visit={visit} accounts={meetings.data} members={members} />
        <Feeds visit={visit} feeds={feeds} members={members} trouble={isOfFeed ? trouble : NO_TROUBLE} />
      </>
    ),
  })
}

type PeopleProps = {
  readonly visit: MemberRequest
  readonly connections: readonly CalendarConnection[]
  readonly members: readonly Member[]
}

/** The accounts of each person: one's own first, then by name. */
function People({ visit, connections, members }: PeopleProps) {
  const { locale } = visit.page
  const { yours } = textsOf(locale, calendarsTexts)
  const own = visit.member.memberId
  const people = [...Map.groupBy(connections, ({ member_id: id }) => id)]
    .map(([id, theirs]) => {
      const known = members.find((one) => one.id === id)
      return { id, name: id === own ? yours : known ? nameOf(known) : theirs[0]!.member_name, theirs }
    })
    .sort((a, b) => Number(b.id === own) - Number(a.id === own) || a.name.localeCompare(b.name, locale.tag))
  return people.map(({ id, name, theirs }) => (
    <section class="part" key={id}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      {[...Map.groupBy(theirs, ({ account_id: account }) => account)].map(([account, [first, ...rest]]) => (
        <AccountCard key={account} visit={visit} connections={[first!, ...rest]} />
      ))}
    </section>
  ))
}
