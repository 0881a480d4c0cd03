import type { CalendarFeed } from '../../calendars/feeds/schema.ts'
import type { Member } from '../../people/team/schema.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { nameOf } from '../hours/people.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { isAdmin, maySee } from './whose.ts'

type Props = {
  readonly request: MemberRequest
  readonly feeds: readonly CalendarFeed[]
  readonly members: readonly Member[]
  readonly trouble: Trouble
}

/** Addresses at which other programs read bookings. */
export function Feeds({ request, feeds, members, trouble }: Props) {
  const { page, member, zone } = request
  const { locale } = page
  const texts = textsOf(locale, calendarsTexts)
  const shown = feeds.filter(({ member_id: id }) => maySee(request, id))
  if (!isAdmin(request) && shown.length === 0) return null
  const what = ({ member_id: id }: CalendarFeed) => {
    if (id === null) return fill(texts.feedForAll, { org: member.name })
    const owner = members.find((one) => one.id === id)
    return fill(texts.feedOf, { name: owner ? nameOf(owner) : texts.somebodyGone })
  }
  return (
    <section class="part" id="feeds">
      <h2>{texts.feeds}</h2>
      <p class="soft">{texts.feedsLead}</p>
      {shown.length > 0 && (
        <ul class="rows">
          {shown.map((feed) => (
            <li key={feed.id}>
              <div class="with-sign">
                <Sign name="link" />
                <div>
                  <strong>
                    <bdi>{what(feed)}</bdi>
                  </strong>
                  <p class="soft">
                    {fill(feed.created_by?.name ? texts.feedMadeBy : texts.feedMade, {
                      time: ownShortMomentText(locale, Date.parse(feed.created_at), zone),
                      name: feed.created_by?.name ?? '',
                    })}
                  </p>
                </div>
              </div>
              {isAdmin(request) && (
                <Form request={request} action={`/console/calendars/feeds/${feed.id}/revoke`} class="inline">
                  <button type="submit" class="ghost" aria-label={fill(texts.revokeOf, { what: what(feed) })}>
                    {texts.revoke}
                  </button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdmin(request) && (
        <Form
          request={request}
          action="/console/calendars/feeds"
          class="search short-search"
          trouble={trouble}
          once
        >
          <SelectField
            locale={locale}
            trouble={trouble}
            name="feed_member"
            label={texts.feedFor}
            value=""
            isOptional={false}
            options={[
              { value: '', text: fill(texts.feedForAll, { org: member.name }) },
              ...members.map((one) => ({ value: one.id, text: nameOf(one) })),
            ]}
          />
          <button type="submit" class="soft-button">
            <Sign name="plus" />
            {texts.feedCreate}
          </button>
        </Form>
      )}
    </section>
  )
}
