import { timeOffRoutes } from '../../booking/hours/time-off/routes.ts'
import type { TimeOff } from '../../booking/hours/time-off/schema.ts'
import type { Resource } from '../../booking/resources/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { roomTexts } from '../../platform/i18n/console/rooms.ts'
import type { Closing } from '../hours/closing.tsx'
import { isAdmin } from '../hours/people.ts'
import { PeriodFields } from '../hours/period-fields.tsx'
import { TimeOffRow } from '../hours/time-off-row.tsx'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { typedFields } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'

/** When a room is closed from now on. */
export async function loadClosed(request: MemberRequest, roomId: string): Promise<TimeOff[]> {
  const from = new Date(request.now).toISOString()
  const all = await listAll(request, timeOffRoutes.listTimeOff, { resource_id: roomId, from })
  return all.toSorted((one, other) => (one.start < other.start ? -1 : 1))
}

type Props = {
  readonly request: MemberRequest
  readonly room: Resource
  readonly closed: readonly TimeOff[]
  readonly sent: OpenForm
}

/** Why the form is open. */
export type OpenForm = { readonly trouble?: Trouble; readonly closing?: Closing }

export function TimeOffPart({ request, room, closed, sent }: Props) {
  const { trouble = NO_TROUBLE, closing } = sent
  const { locale } = request.page
  const texts = textsOf(locale, roomTexts)
  const hours = textsOf(locale, hoursTexts)
  const field = typedFields(request, trouble)
  return (
    <section class="part">
      <h2>{texts.closed}</h2>
      <p class="soft">{texts.closedText}</p>
      {closed.length === 0 ? (
        <p class="empty">{texts.noTimeOff}</p>
      ) : (
        <ul class="rows">
          {closed.map((one) => (
            <TimeOffRow key={one.id} request={request} timeOff={one} members={[]} roomName={room.name} />
          ))}
        </ul>
      )}
      {isAdmin(request) && (
        <details class="folded" open={trouble !== NO_TROUBLE || closing !== undefined}>
          <summary>{texts.close}</summary>
          <Form
            request={request}
            action={`/console/rooms/${room.id}/time-off`}
            trouble={trouble}
            once
            class="panel steps"
            {...(closing && { hidden: closing.hidden })}
          >
            <PeriodFields request={request} saved={{ start: '', end: '' }} trouble={trouble} />
            {field.text('reason', hours.reason, { hint: hours.reasonHint, isOptional: true })}
            {closing?.note}
            <FormEnd request={request} text={texts.close} />
          </Form>
        </details>
      )}
    </section>
  )
}
