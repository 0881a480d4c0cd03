import type { EventType } from '../../booking/event-types/schema.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { need } from '../ask.ts'
import { numberIn } from '../form.ts'
import { loadMembers } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import { changedFields, shownState } from '../lost-update.ts'
import type { Form } from '../request.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { When } from '../views/when.tsx'
import { AddHostFields } from './add-host-fields.tsx'
import { HostFields } from './host-fields.tsx'
import { readHosts, shownHosts } from './host-values.ts'
import type { AskedTab, EditorTab, EventTypeBody, FieldsProps, OpenTab } from './tabs.ts'

/** The hosts, and how they share the bookings. */
export const hostsTab: EditorTab = { at: '/hosts', open, read: readStrategy, readHosts }

const STRATEGY = ['assignment_strategy', 'host_choice', 'pool_size'] as const

function readStrategy(form: Form): EventTypeBody {
  return {
    assignment_strategy: form.get('assignment_strategy'),
    host_choice: form.get('host_choice'),
    ...(form.has('pool_size') && { pool_size: numberIn(form, 'pool_size') }),
  }
}

async function open({ request, id, eventType: loading, typed, trouble }: AskedTab): Promise<OpenTab> {
  const { locale } = request.page
  const [eventType, { data: hosts }, members, schedules] = await Promise.all([
    loading,
    need(request, hostRoutes.listHosts, { params: { id } }),
    loadMembers(request),
    listAll(request, scheduleRoutes.listSchedules),
  ])
  const texts = textsOf(locale, eventTypeTexts)
  const { assignment_strategy: strategy } = eventType
  // In other ways nothing can be booked without hosts.
  const isOfNobody = hosts.length === 0 && strategy === 'none' && eventType.hours_from === 'own'
  const others = members.filter((member) => !hosts.some((host) => host.member_id === member.id))
  const saved = shownHosts(hosts)
  const values = { ...saved, ...(typed && changedFields(typed.form, readHosts(typed.form))) }
  const value = { ...eventType, ...typed?.value } as EventType
  const fields = (
    <>
      {/* Enter in a field presses the first button, which would remove a host. */}
      <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true">
        {textsOf(locale, shellTexts).save}
      </button>
      {isOfNobody && <p class="soft">{texts.noHosts}</p>}
      {hosts.map((host) => (
        <HostFields key={host.id} {...{ locale, host, members, schedules, values, trouble }} />
      ))}
      {others.length === 0 ? (
        <p class="soft">{texts.everybodyHosts}</p>
      ) : (
        <AddHostFields
          {...{ request, id, trouble }}
          members={others}
          isSecond={hosts.length === 1 && strategy === 'none'}
        />
      )}
      <StrategyFields {...{ locale, value, trouble }} />
    </>
  )
  const shown = shownState({ ...eventType, ...saved }, [...STRATEGY, ...Object.keys(saved)])
  return { fields, shown }
}

function StrategyFields({ locale, value, trouble }: Omit<FieldsProps, 'request'>) {
  const texts = textsOf(locale, eventTypeTexts)
  const field = fieldsFor({ locale, trouble }, value)
  return (
    <section class="panel" aria-label={texts.strategy}>
      {field.select('assignment_strategy', texts.strategy, [
        { value: 'none', text: texts.strategyNone },
        { value: 'round_robin', text: texts.strategyRoundRobin },
        { value: 'least_recent', text: texts.strategyLeastRecent },
        { value: 'least_bookings', text: texts.strategyLeastBookings },
        { value: 'availability_weighted', text: texts.strategyWeighted },
      ])}
      <When name="choice">
        {field.number('pool_size', texts.poolSize, { hint: texts.poolSizeHint })}
        {field.select(
          'host_choice',
          texts.hostChoice,
          [
            { value: 'none', text: texts.hostChoiceNone },
            { value: 'optional', text: texts.hostChoiceOptional },
            { value: 'required', text: texts.hostChoiceRequired },
          ],
          { hint: texts.hostChoiceHint },
        )}
      </When>
    </section>
  )
}
