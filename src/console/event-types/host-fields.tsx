import type { Host } from '../../booking/hosts/schema.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import type { Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { nameOf } from '../hours/people.ts'
import type { Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { When } from '../views/when.tsx'
import { type HostValues, hostField } from './host-values.ts'

type Props = {
  readonly locale: Locale
  readonly host: Host
  readonly members: readonly Member[]
  readonly schedules: readonly Schedule[]
  /** What the fields of all hosts show. */
  readonly values: HostValues
  readonly trouble: Trouble
}

/** A host's fields, which are saved with all tabs, and the button that removes the host at once. */
export function HostFields({ locale, host, members, schedules, values, trouble }: Props) {
  const texts = textsOf(locale, eventTypeTexts)
  const member = members.find(({ id }) => id === host.member_id)
  const name = member ? nameOf(member) : host.member_email
  const usable = schedules.filter((one) => [null, host.member_id].includes(one.member_id))
  const field = fieldsFor({ locale, trouble }, values)
  return (
    <section class="panel" aria-label={name}>
      <header class="head-line">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span class={host.has_calendar ? 'badge good' : 'badge'}>
          {host.has_calendar ? texts.hasCalendar : texts.noCalendar}
        </span>
      </header>
      <div class="pair">
        {field.number(hostField('priority', host.id), texts.priority, { hint: texts.priorityHint })}
        <When name="weight">{field.number(hostField('weight', host.id), texts.weight)}</When>
        <When name="choice">
          {field.select(hostField('part', host.id), texts.part, [
            { value: 'pool', text: texts.partPool },
            { value: 'required', text: texts.partRequired },
          ])}
        </When>
        {field.select(
          hostField('schedule_id', host.id),
          texts.hostHours,
          [
            { value: '', text: texts.hostDefault },
            ...usable.map((one) => ({ value: one.id, text: one.name })),
          ],
          { isOptional: true },
        )}
      </div>
      <div class="form-end">
        <button
          type="submit"
          class="ghost"
          formaction={`/console/event-types/${host.event_type_id}/hosts/${host.id}`}
          aria-label={fill(texts.removeHost, { name })}
        >
          {texts.remove}
        </button>
      </div>
    </section>
  )
}
