import { isRolePermitted } from '../../platform/auth/policy.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'

/** A waitlist entry, as the endpoint returns it. */
export type Entry = {
  readonly id: string
  readonly event_type_id: string
  readonly position: number
  readonly invitee_name: string
  readonly invitee_email: string
  readonly start_time: string | null
}

type Props = {
  readonly request: MemberRequest
  readonly entries: readonly Entry[]
  /** What event types are called, by their ids. */
  readonly titles: ReadonlyMap<string, string>
}

/** The waitlist entries and what they wait for. */
export function Line({ request, entries, titles }: Props) {
  const { page, zone, member } = request
  const texts = textsOf(page.locale, bookingsTexts)
  if (entries.length === 0) {
    return (
      <div class="empty">
        <Sign name="wait" />
        <strong>{texts.nothingWaiting}</strong>
      </div>
    )
  }
  return (
    <ul class="rows">
      {entries.map(({ id, event_type_id: type, position, invitee_name, invitee_email, start_time }) => (
        <li key={id}>
          <div>
            <a class="row-link" href={`/console/bookings/waitlist/${id}?type=${type}`}>
              <bdi>{invitee_name}</bdi>
            </a>
            <p class="soft">
              {titles.has(type) && (
                <>
                  <bdi>{titles.get(type)}</bdi>
                  {' · '}
                </>
              )}
              <bdi>{invitee_email}</bdi>
              {' · '}
              {start_time === null
                ? texts.anyTime
                : ownShortMomentText(page.locale, Date.parse(start_time), zone)}
            </p>
          </div>
          <div class="row-end">
            <span class="badge">{fill(texts.position, { n: position })}</span>
            {isRolePermitted(member.role, 'book') && (
              <Form request={request} action={`/console/bookings/waitlist/${id}/leave`} class="inline">
                <button type="submit" class="soft-button">
                  {texts.removeFromWaitlist}
                </button>
              </Form>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
