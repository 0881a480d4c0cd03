import type { TimeOff } from '../../booking/hours/time-off/schema.ts'
import { dateInZone, parseDate } from '../../core/local-time.ts'
import type { Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { dateText, ownShortMomentText, ownSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { mayWriteOf, nameOf } from './people.ts'

type TimeOffProps = {
  readonly request: MemberRequest
  readonly timeOff: TimeOff
  readonly members: readonly Member[]
  /** What it is of, if that is a room. */
  readonly roomName?: string
}

/** Somebody's time off, with what the reader may do about it. */
export function TimeOffRow({ request, timeOff, members, roomName }: TimeOffProps) {
  const texts = textsOf(request.page.locale, hoursTexts)
  const { id, member_id, resource_id: roomId, start, end, reason } = timeOff
  const owner = members.find((member) => member.id === member_id)
  const name = owner ? nameOf(owner) : (roomName ?? (member_id === null ? texts.everybody : ''))
  const when = whenText(request, start, end)
  return (
    <li class="wraps">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p class="soft">
          {when}
          {reason && ` · ${reason}`}
        </p>
      </div>
      {mayWriteOf(request, timeOff) && (
        <div class="row-end">
          <a class="button soft-button" href={`/console/hours/time-off/${id}`}>
            {texts.edit}
            <span class="unseen">
              : {name}, {when}
            </span>
          </a>
          <Form
            request={request}
            action={`/console/hours/time-off/${id}`}
            hidden={roomId === null ? {} : { resource: roomId }}
            class="inline"
          >
            <button
              type="submit"
              name="remove"
              value="1"
              class="ghost"
              aria-label={fill(texts.removeOf, { name, when })}
            >
              {texts.remove}
            </button>
          </Form>
        </div>
      )}
    </li>
  )
}

/** Dates stay dates; instants are shown in the reader's time zone, hours of one day with the day once. */
function whenText({ page: { locale }, zone }: MemberRequest, start: string, end: string): string {
  const texts = textsOf(locale, hoursTexts)
  const [first, last] = [parseDate(start), parseDate(end)]
  if (first !== null && last !== null) {
    const [from, to] = [dateText(locale, first), dateText(locale, last)]
    return from === to ? from : fill(texts.days, { from, to })
  }
  const [from, to] = [Date.parse(start), Date.parse(end)]
  if (dateInZone(zone, from) === dateInZone(zone, to)) return ownSpanText(locale, from, to, zone)
  const momentOf = (instant: number) => ownShortMomentText(locale, instant, zone)
  return fill(texts.days, { from: momentOf(from), to: momentOf(to) })
}
