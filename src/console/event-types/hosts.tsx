import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import type { Host } from '../../booking/hosts/schema.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import type { Member } from '../../people/team/schema.ts'
import type { Acted } from '../../platform/http/act-as.ts'
import { notFound, type Refusal, Refused } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need } from '../ask.ts'
import { numberIn, orNull } from '../form.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import { shownState } from '../lost-update.ts'
import type { MemberRequest, Form as Sent } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { When } from '../views/when.tsx'
import { showTab } from './editor.tsx'
import { loadEventType } from './load.ts'
import { NumberField } from './number-field.tsx'
import { partsBeside, renewed } from './parts.ts'
import type { AskedTab, EditorTab, EventTypeBody, OpenTab } from './tabs.ts'

export async function addHostFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form } = request
  const body = { member_id: form.get('member_id') }
  return changed(request, id, 'new', async () => {
    // First, so that no start is taken away in between.
    if (form.get('meets') === 'any') {
      const strategy = await ask(request, eventTypeRoutes.updateEventType, {
        params: { id },
        body: { assignment_strategy: 'round_robin' },
      })
      if (!strategy.ok) return strategy
    }
    return ask(request, hostRoutes.addHost, { params: { id }, body })
  })
}

/** Changes a host, or removes them by the other button of the form. */
export async function saveHost(request: MemberRequest, { id = '', hostId = '' }: Params): Promise<Response> {
  const params = { id, hostId }
  const { form } = request
  if (form.has('remove'))
    return changed(request, id, hostId, () => ask(request, hostRoutes.removeHost, { params }))
  const body = {
    priority: numberIn(form, 'priority'),
    weight: numberIn(form, 'weight'),
    schedule_id: orNull(form, 'schedule_id'),
    ...(form.has('part') && { part: form.get('part') }),
  }
  return changed(request, id, hostId, () => ask(request, hostRoutes.updateHost, { params, body }))
}

/** What was typed in other tabs is not lost, nor is it out of date by this change of one's own. */
async function changed(
  request: MemberRequest,
  id: string,
  which: string,
  act: () => Promise<Acted<unknown>>,
): Promise<Response> {
  const parts = partsBeside(request.form, '/hosts')
  const before = parts.size > 0 ? await loadEventType(request, id) : null
  const asked = await act()
  if (asked.ok) {
    if (!before) return seeOther(request.page, `/console/event-types/${id}/hosts?done=saved`)
    const { updated_at } = await loadEventType(request, id)
    const isOwn = (part: Sent) => part.get('updated_at') === before.updated_at
    return showTab({ request, id, tab: hostsTab(), parts: renewed(parts, updated_at, isOwn) })
  }
  const { refusal } = asked
  if (refusal.code === 'forbidden') throw new Refused(refusal)
  const wrong = { which, trouble: hostTrouble(request, refusal, which) }
  return showTab({ request, id, tab: hostsTab(wrong), parts, status: formStatus(refusal) })
}

function hostTrouble({ page }: MemberRequest, refusal: Refusal, which: string): Trouble {
  const fields = Object.fromEntries(
    ['priority', 'weight', 'schedule_id', 'part'].map((name) => [name, `${name}-${which}`]),
  )
  return troubleOf(page.locale, refusal, { fields })
}

/** Which of the forms, a host's by its id. */
type Wrong = { readonly which?: string; readonly trouble?: Trouble }
type Loaded = {
  readonly eventType: EventType
  readonly hosts: readonly Host[]
  readonly members: readonly Member[]
  readonly schedules: readonly Schedule[]
}

async function load({ request, id, eventType: loading }: AskedTab): Promise<Loaded> {
  const [eventType, { data: hosts }, members, schedules] = await Promise.all([
    loading,
    need(request, hostRoutes.listHosts, { params: { id } }),
    loadMembers(request),
    listAll(request, scheduleRoutes.listSchedules),
  ])
  return { eventType, hosts, members, schedules }
}

/** The hosts, each a form of their own; how they share the bookings is saved with the other tabs. */
export function hostsTab(wrong: Wrong = {}): EditorTab {
  return { at: '/hosts', open: (asked) => open(asked, wrong), read: readStrategy }
}

function readStrategy(form: Sent): EventTypeBody {
  return {
    assignment_strategy: form.get('assignment_strategy'),
    host_choice: form.get('host_choice'),
    ...(form.has('pool_size') && { pool_size: numberIn(form, 'pool_size') }),
  }
}

async function open(asked: AskedTab, wrong: Wrong): Promise<OpenTab> {
  const { request, id, typed, trouble, carried } = asked
  const { locale } = request.page
  const loaded = await load(asked)
  const { eventType, hosts, members } = loaded
  if (!isThere(wrong, hosts)) throw notFound('host')
  const texts = textsOf(locale, eventTypeTexts)
  const own = `/console/event-types/${id}/hosts` as const
  // In other ways nothing can be booked without hosts.
  const isOfNobody =
    hosts.length === 0 && eventType.assignment_strategy === 'none' && eventType.hours_from === 'own'
  const others = members.filter((member) => !hosts.some((host) => host.member_id === member.id))
  const isSecond = hosts.length === 1 && eventType.assignment_strategy === 'none'
  const troubleAt = (which: string) => (wrong.which === which ? (wrong.trouble ?? NO_TROUBLE) : NO_TROUBLE)
  const before = (
    <>
      {isOfNobody && <p class="soft">{texts.noHosts}</p>}
      {hosts.map((host) => (
        <HostForm
          key={host.id}
          request={request}
          loaded={loaded}
          host={host}
          trouble={troubleAt(host.id)}
          carried={carried}
        />
      ))}
      {others.length === 0 ? (
        <p class="soft">{texts.everybodyHosts}</p>
      ) : (
        <Form
          request={request}
          action={`${own}/add`}
          carried={carried}
          trouble={troubleAt('new')}
          class="panel"
        >
          <SelectField
            locale={locale}
            name="member_id"
            label={texts.addHost}
            value=""
            options={others.map((member) => ({ value: member.id, text: nameOf(member) }))}
          />
          {isSecond && <MeetsField request={request} />}
          <FormEnd request={request} text={texts.addHost} tone="soft-button" />
        </Form>
      )}
    </>
  )
  const field = fieldsFor({ locale, trouble }, { ...eventType, ...typed?.value } as EventType)
  const fields = (
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
  return { before, fields, shown: shownState(eventType, ['assignment_strategy', 'host_choice', 'pool_size']) }
}

/** How two hosts or more share the bookings, asked with the second one. */
function MeetsField({ request: { page } }: { readonly request: MemberRequest }) {
  const texts = textsOf(page.locale, eventTypeTexts)
  return (
    <fieldset class="field">
      <legend>{texts.meetsHow}</legend>
      {(['any', 'all'] as const).map((value) => (
        <label key={value} class="check">
          <input type="radio" name="meets" value={value} checked={value === 'any'} />
          <span>{value === 'any' ? texts.meetsAny : texts.meetsAll}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Whether what was wrong has a form on this page: the host may be no longer there. */
function isThere({ which }: Wrong, hosts: readonly Host[]): boolean {
  return which === undefined || which === 'new' || hosts.some(({ id }) => id === which)
}

type HostProps = {
  readonly request: MemberRequest
  readonly loaded: Loaded
  readonly host: Host
  readonly trouble: Trouble
  readonly carried: AskedTab['carried']
}

function HostForm({ request, loaded, host, trouble, carried }: HostProps) {
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  const member = loaded.members.find(({ id }) => id === host.member_id)
  const name = member ? nameOf(member) : host.member_email
  const schedules = loaded.schedules.filter((one) => [null, host.member_id].includes(one.member_id))
  const isTyped = trouble !== NO_TROUBLE
  const typed = <T,>(field: string, saved: T) => (isTyped ? (request.form.get(field) ?? '') : saved)
  const shared = { locale, trouble }
  return (
    <Form
      request={request}
      action={`/console/event-types/${host.event_type_id}/hosts/${host.id}`}
      carried={carried}
      trouble={trouble}
      class="panel"
      label={name}
    >
      <header class="head-line">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span class={host.has_calendar ? 'badge good' : 'badge'}>
          {host.has_calendar ? texts.hasCalendar : texts.noCalendar}
        </span>
      </header>
      <div class="pair">
        <NumberField
          {...shared}
          id={`priority-${host.id}`}
          name="priority"
          label={texts.priority}
          hint={texts.priorityHint}
          value={typed('priority', host.priority)}
        />
        <When name="weight">
          <NumberField
            {...shared}
            id={`weight-${host.id}`}
            name="weight"
            label={texts.weight}
            value={typed('weight', host.weight)}
          />
        </When>
        {loaded.eventType.assignment_strategy !== 'none' && (
          <SelectField
            {...shared}
            id={`part-${host.id}`}
            name="part"
            label={texts.part}
            value={typed('part', host.part)}
            options={[
              { value: 'pool', text: texts.partPool },
              { value: 'required', text: texts.partRequired },
            ]}
          />
        )}
        <SelectField
          {...shared}
          id={`schedule_id-${host.id}`}
          name="schedule_id"
          label={texts.hostHours}
          value={typed('schedule_id', host.schedule_id ?? '')}
          isOptional
          options={[
            { value: '', text: texts.hostDefault },
            ...schedules.map((one) => ({ value: one.id, text: one.name })),
          ]}
        />
      </div>
      <div class="form-end">
        <button type="submit" class="button soft-button">
          {textsOf(locale, shellTexts).save}
        </button>
        <button
          type="submit"
          name="remove"
          value="1"
          class="ghost"
          aria-label={fill(texts.removeHost, { name })}
        >
          {texts.remove}
        </button>
      </div>
    </Form>
  )
}
