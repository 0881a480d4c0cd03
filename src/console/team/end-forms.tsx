import type { Booking } from '../../booking/bookings/schema.ts'
import type { ClosingCalendar } from '../../calendars/list-closing-of.ts'
import type { Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import { ownShortMomentText, pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { nameOf } from '../hours/people.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { CheckField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'

type Props = {
  readonly request: MemberRequest
  readonly member: Member
  readonly trouble?: Trouble | undefined
}

/** Gives the organization away, which only the owner may. */
export function TransferForm({ request, member, trouble = NO_TROUBLE }: Props) {
  const texts = textsOf(request.page.locale, teamTexts)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.transfer}</summary>
      <Form request={request} action={`/console/team/${member.id}/own`} trouble={trouble}>
        <p class="soft">{fill(texts.transferText, { name: nameOf(member) })}</p>
        <FormEnd request={request} text={texts.transfer} tone="danger" />
      </Form>
    </details>
  )
}

type RemoveProps = Props & {
  /** What is booked with them from now on: a part of it. */
  readonly upcoming: readonly Booking[]
  readonly hasMore: boolean
  /** Their calendars that close everybody's times. */
  readonly closing: readonly ClosingCalendar[]
}

/** Takes somebody out of the team, and says first what becomes of what is booked with them. */
export function RemoveForm({
  request,
  member,
  upcoming,
  hasMore,
  closing,
  trouble = NO_TROUBLE,
}: RemoveProps) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, teamTexts)
  const n = upcoming.length
  const booked = hasMore
    ? fill(texts.removeManyText, { n })
    : n === 0
      ? texts.removeNothing
      : pluralText(locale, texts.removeText, n)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.remove}</summary>
      <Form request={request} action={`/console/team/${member.id}/remove`} trouble={trouble}>
        <p>{booked}</p>
        {n > 0 && (
          <ul class="part">
            {upcoming.map(({ id, invitee_name: name, start_time }) => (
              <li key={id}>
                <a href={`/console/bookings/${id}`}>
                  <bdi>{name}</bdi>, {ownShortMomentText(locale, Date.parse(start_time), zone)}
                </a>
              </li>
            ))}
          </ul>
        )}
        {n > 0 && (
          <CheckField
            locale={locale}
            name="bookings"
            label={texts.handOver}
            value="reassign"
            isChecked={false}
            hint={texts.handOverText}
          />
        )}
        {closing.map(({ id, name, isFeed }) => (
          <p key={id} class={isFeed ? 'soft' : 'band test-band'}>
            {fill(isFeed ? texts.removePassesOn : texts.removeCloses, { name })}
          </p>
        ))}
        <p class="soft">{texts.removeEnds}</p>
        <FormEnd request={request} text={texts.remove} tone="danger" />
      </Form>
    </details>
  )
}
