import type { Booking } from '../../booking/bookings/schema.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { type ClosingCalendar, listClosingOf } from '../../calendars/list-closing-of.ts'
import type { Params } from '../../pages/page.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import type { Member } from '../../people/team/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import { subjectDateText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need, sharedEnv } from '../ask.ts'
import { nameOf } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { Sign } from '../views/icons.tsx'
import { ReadOnly } from '../views/read-only.tsx'
import { shell } from '../views/shell.tsx'
import { RemoveForm, TransferForm } from './end-forms.tsx'
import { PictureForm } from './picture-form.tsx'
import { ProfileFields, shownPicture, typedProfile } from './profile-fields.tsx'
import { roleDoes, roleName, roleOptions } from './roles.ts'

/** A member, their hours, and what is booked with them. */
type Shown = {
  readonly member: Member
  readonly schedules: readonly Schedule[]
  readonly upcoming: readonly Booking[]
  readonly hasMore: boolean
  /** Their calendars that close everybody's times. */
  readonly closing: readonly ClosingCalendar[]
}

export async function loadMember(request: MemberRequest, id: string): Promise<Shown> {
  const params = { orgId: request.organizationId, memberId: id }
  const [member, schedules, upcoming, closing] = await Promise.all([
    need(request, memberRoutes.getMember, { params }),
    listAll(request, scheduleRoutes.listSchedules, { member_id: id }),
    need(request, memberRoutes.listBookingsOfMember, { params, query: { limit: '20' } }),
    listClosingOf(sharedEnv(request), request, id),
  ])
  return { member, schedules, upcoming: upcoming.data, hasMore: upcoming.has_more, closing }
}

export async function showMember(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return memberPage(request, await loadMember(request, id))
}

/** What went wrong with which form, and what was typed into the first. */
type Wrong = {
  readonly change?: Trouble
  readonly remove?: Trouble
  readonly transfer?: Trouble
  readonly picture?: Trouble
  readonly typed?: Partial<Member>
  readonly status?: number
}

export function memberPage(request: MemberRequest, shown: Shown, wrong: Wrong = {}): Response {
  const { page, member: self } = request
  const { locale } = page
  const { member, upcoming, hasMore, closing } = shown
  const texts = textsOf(locale, teamTexts)
  const isAdmin = isRolePermitted(self.role, 'administer')
  const mayChange = isAdmin || member.id === self.memberId
  const name = nameOf(member)
  const value = { ...typedProfile(request, member), ...wrong.typed }
  const trouble = wrong.change ?? NO_TROUBLE
  const fields = (
    <>
      <ProfileFields request={request} value={value} trouble={trouble} />
      {isAdmin && <LimitFields request={request} shown={shown} value={value} trouble={trouble} />}
    </>
  )
  return shell({
    request,
    title: name,
    lead: [
      ...(name === member.user_email ? [] : [member.user_email || member.user_id]),
      fill(texts.since, { date: subjectDateText(locale, Date.parse(member.created_at), request.zone) }),
    ].join(' · '),
    back: { to: '/console/team', text: texts.title },
    done: page.url.searchParams.get('done') === 'saved' ? textsOf(locale, shellTexts).saved : undefined,
    status: wrong.status ?? 200,
    actions: (
      <span class="badge" title={roleDoes(locale, member.role)}>
        {roleName(locale, member.role)}
      </span>
    ),
    children: (
      <div class="main-and-aside">
        {mayChange ? (
          <div class="part">
            <PictureForm
              request={request}
              action={`/console/team/${member.id}/picture`}
              url={member.avatar_url}
              trouble={wrong.picture}
            />
            <Form
              request={request}
              action={`/console/team/${member.id}`}
              hidden={shownPicture(request, member)}
              trouble={trouble}
              class="steps"
            >
              {fields}
              <FormEnd request={request} />
            </Form>
          </div>
        ) : (
          <ReadOnly text={texts.onlyLook}>{fields}</ReadOnly>
        )}
        <div class="part">
          <Hours request={request} shown={shown} />
          {isRolePermitted(self.role, 'own') && member.role !== 'owner' && (
            <TransferForm request={request} member={member} trouble={wrong.transfer} />
          )}
          {isAdmin && member.role !== 'owner' && (
            <RemoveForm
              request={request}
              member={member}
              upcoming={upcoming}
              hasMore={hasMore}
              closing={closing}
              trouble={wrong.remove}
            />
          )}
        </div>
      </div>
    ),
  })
}

type LimitProps = {
  readonly request: MemberRequest
  readonly shown: Shown
  readonly value: Member
  readonly trouble: Trouble
}

/** What administrators decide on. */
function LimitFields({ request, shown, value, trouble }: LimitProps) {
  const { locale } = request.page
  const texts = textsOf(locale, teamTexts)
  const field = fieldsFor({ locale, trouble }, value)
  return (
    <fieldset class="panel">
      <legend>{texts.limits}</legend>
      {shown.member.role === 'owner' ? (
        <p class="soft">{texts.ownerRole}</p>
      ) : (
        field.select('role', texts.role, roleOptions(locale))
      )}
      <div class="pair">
        {field.number('max_bookings_per_day', texts.perDay, {
          hint: texts.anyNumber,
          isOptional: true,
        })}
        {field.number('max_bookings_per_week', texts.perWeek, {
          hint: texts.anyNumber,
          isOptional: true,
        })}
      </div>
      {shown.schedules.length > 0 &&
        field.select('default_schedule_id', texts.defaultHours, [
          { value: '', text: texts.noDefaultHours },
          ...shown.schedules.map(({ id, name }) => ({ value: id, text: name })),
        ])}
    </fieldset>
  )
}

function Hours({ request, shown }: { readonly request: MemberRequest; readonly shown: Shown }) {
  const texts = textsOf(request.page.locale, teamTexts)
  return (
    <section class="part">
      <h2>{fill(texts.hours, { name: nameOf(shown.member) })}</h2>
      {shown.schedules.length === 0 ? (
        <p class="soft">{texts.noHours}</p>
      ) : (
        <ul class="rows">
          {shown.schedules.map(({ id, name, timezone }) => (
            <li key={id}>
              <div>
                <a class="row-link" href={`/console/hours/${id}`}>
                  <bdi>{name}</bdi>
                </a>
                <p class="soft">{timezone.replaceAll('_', ' ')}</p>
              </div>
              <Sign name="next" />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
