import type { EventType } from '../../booking/event-types/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { explainTexts } from '../../platform/i18n/console/explain.ts'
import type { MemberRequest } from '../request.ts'

type Reason = EventType['bookable']['reasons'][number]

/** Why nobody can book it. Its owner turned off what is inactive, and needs no warning. */
export function reasonsAgainst({ active, bookable }: EventType): readonly Reason[] {
  return active ? bookable.reasons : []
}

/** The first reason, in short. */
export function closedText({ page }: MemberRequest, eventType: EventType): string | null {
  const [first] = reasonsAgainst(eventType)
  return first ? textsOf(page.locale, explainTexts)[first.code] : null
}

/** Says that nobody can book them and why, and leads to where that is mended. */
export function ClosedNotice({
  request,
  eventTypes,
  isNamed = false,
}: {
  readonly request: MemberRequest
  readonly eventTypes: readonly EventType[]
  /** Whether it says which event types. */
  readonly isNamed?: boolean
}) {
  const texts = textsOf(request.page.locale, eventTypeTexts)
  const codes = textsOf(request.page.locale, explainTexts)
  const mayMend = isRolePermitted(request.member.role, 'administer')
  const closed = eventTypes.flatMap((eventType) =>
    reasonsAgainst(eventType).map((reason) => ({ eventType, reason, mend: whereToMend(eventType, reason) })),
  )
  if (closed.length === 0) return null
  return (
    <div class="problem">
      <p>{isNamed ? texts.someClosed : texts.closed}</p>
      <ul>
        {closed.map(({ eventType, reason, mend }) => (
          <li key={`${eventType.id} ${reason.code}`}>
            {isNamed && (
              <>
                <bdi>{eventType.title}</bdi>
                {': '}
              </>
            )}
            {codes[reason.code]}
            {'. '}
            {mayMend && mend && <a href={mend.to}>{texts[mend.text]}</a>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function whereToMend({ id }: EventType, { code }: Reason) {
  switch (code) {
    case 'payment_unavailable':
      return { to: '/console/payments/provider', text: 'connectProvider' } as const
    case 'plan_limit':
      return { to: '/console/payments/plan', text: 'openPlan' } as const
    case 'no_hosts':
      return { to: `/console/event-types/${id}/hosts`, text: 'addHosts' } as const
    case 'no_hours':
      return { to: `/console/event-types/${id}/hours`, text: 'setHours' } as const
    case 'calendar_lost':
      return { to: '/console/calendars', text: 'openCalendars' } as const
    default:
      return null
  }
}
