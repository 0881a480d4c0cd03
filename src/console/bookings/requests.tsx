import type { RequestedBooking } from '../../booking/bookings/list/agenda.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText, ownSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { ChooseBox } from './choose-box.tsx'

type Props = {
  readonly request: MemberRequest
  readonly requests: readonly RequestedBooking[]
  /** The requests that the member may decide. */
  readonly decidable: ReadonlySet<string>
  /** Whether several can be ticked, for a `ChosenForm`. */
  readonly areChosen?: boolean | undefined
}

/** What waits for a decision: approved here, declined where the reason is told. */
export function Requests({ request, requests, decidable, areChosen }: Props) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingFormTexts)
  if (requests.length === 0) {
    return (
      <div class="empty">
        <Sign name="check" />
        <strong>{texts.nothingRequested}</strong>
        <span>{texts.nothingRequestedText}</span>
      </div>
    )
  }
  return (
    <ul class="rows">
      {requests.map(({ id, invitee_name: name, event_title, start_time, end_time, decideBy }) => {
        const time = ownSpanText(locale, Date.parse(start_time), Date.parse(end_time), zone)
        const deadline = fill(texts.decideBy, { time: ownShortMomentText(locale, decideBy, zone) })
        return (
          <li key={id} class="wraps">
            <div>
              <a class="row-link" href={`/console/bookings/${id}`}>
                <bdi>{name}</bdi>
              </a>
              <p>{time}</p>
              <p class="soft">
                <bdi>{event_title}</bdi> · {deadline}
              </p>
            </div>
            {decidable.has(id) && (
              <div class="row-end">
                <Form
                  request={request}
                  action={`/console/bookings/${id}/approve`}
                  hidden={{ from: 'requests' }}
                  class="inline"
                >
                  <button type="submit" class="button" aria-label={fill(texts.approveOf, { name, time })}>
                    {texts.approve}
                  </button>
                </Form>
                <a
                  class="button soft-button"
                  href={`/console/bookings/${id}?decline=1#decline`}
                  aria-label={fill(texts.declineOf, { name, time })}
                >
                  {texts.decline}
                </a>
                {areChosen && <ChooseBox request={request} id={id} name={name} time={time} />}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
