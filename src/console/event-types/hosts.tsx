import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import type { Host } from '../../booking/hosts/schema.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import type { Member } from '../../people/team/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
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
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { editorPage, ReadOnly } from './editor.tsx'
import { loadEventType } from './load.ts'
import { NumberField } from './number-field.tsx'

export function showHosts(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return hostsPage(request, id, {}, 200)
}

export async function saveStrategy(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form } = request
  const body = {
    assignment_strategy: form.get('assignment_strategy'),
    host_choice: form.get('host_choice'),
  }
  return answered(
    request,
    id,
    'strategy',
    await ask(request, eventTypeRoutes.updateEventType, { params: { id }, body }),
  )
}

export async function addHostFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const body = { member_id: request.form.get('member_id') }
  return answered(request, id, 'new', await ask(request, hostRoutes.addHost, { params: { id }, body }))
}

/** Changes a host, or removes them by the other button of the form. */
export async function saveHost(request: MemberRequest, { id = '', hostId = '' }: Params): Promise<Response> {
  const params = { id, hostId }
  const { form } = request
  if (form.has('remove'))
    return answered(request, id, hostId, await ask(request, hostRoutes.removeHost, { params }))
  const body = {
    priority: numberIn(form, 'priority'),
    weight: numberIn(form, 'weight'),
    schedule_id: orNull(form, 'schedule_id'),
  }
  return answered(request, id, hostId, await ask(request, hostRoutes.updateHost, { params, body }))
}

async function answered(
  request: MemberRequest,
  id: string,
  which: string,
  asked: Acted<unknown>,
): Promise<Response> {
  if (asked.ok) return seeOther(request.page, `/console/event-types/${id}/hosts?done=saved`)
  const { refusal } = asked
  if (refusal.code === 'forbidden') throw new Refused(refusal)
  return hostsPage(request, id, { which, trouble: hostTrouble(request, refusal, which) }, formStatus(refusal))
}

function hostTrouble({ page }: MemberRequest, refusal: Refusal, which: string): Trouble {
  const fields = Object.fromEntries(
    ['priority', 'weight', 'schedule_id'].map((name) => [name, `${name}-${which}`]),
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

async function load(request: MemberRequest, id: string): Promise<Loaded> {
  const [eventType, { data: hosts }, members, schedules] = await Promise.all([
    loadEventType(request, id),
    need(request, hostRoutes.listHosts, { params: { id } }),
    loadMembers(request),
    listAll(request, scheduleRoutes.listSchedules),
  ])
  return { eventType, hosts, members, schedules }
}

async function hostsPage(
  request: MemberRequest,
  id: string,
  wrong: Wrong,
  status: number,
): Promise<Response> {
  const { locale } = request.page
  const loaded = await load(request, id)
  const { eventType, hosts, members } = loaded
  if (!isThere(wrong, hosts)) throw notFound('host')
  const texts = textsOf(locale, eventTypeTexts)
  const own = `/console/event-types/${id}/hosts` as const
  // In other ways nothing can be booked without hosts.
  const isOfNobody =
    hosts.length === 0 && eventType.assignment_strategy === 'none' && eventType.hours_from === 'own'
  const others = members.filter((member) => !hosts.some((host) => host.member_id === member.id))
  const troubleAt = (which: string) => (wrong.which === which ? (wrong.trouble ?? NO_TROUBLE) : NO_TROUBLE)
  const parts = (
    <>
      {isOfNobody && <p class="soft">{texts.noHosts}</p>}
      {hosts.map((host) => (
        <HostForm key={host.id} request={request} loaded={loaded} host={host} trouble={troubleAt(host.id)} />
      ))}
      {others.length === 0 ? (
        <p class="soft">{texts.everybodyHosts}</p>
      ) : (
        <Form request={request} action={`${own}/add`} trouble={troubleAt('new')} class="panel">
          <SelectField
            locale={locale}
            name="member_id"
            label={texts.addHost}
            value=""
            options={others.map((member) => ({ value: member.id, text: nameOf(member) }))}
          />
          <FormEnd request={request} text={texts.addHost} tone="soft-button" />
        </Form>
      )}
      <Form request={request} action={own} trouble={troubleAt('strategy')} class="panel">
        <SelectField
          locale={locale}
          name="assignment_strategy"
          label={texts.strategy}
          value={eventType.assignment_strategy}
          options={[
            { value: 'none', text: texts.strategyNone },
            { value: 'round_robin', text: texts.strategyRoundRobin },
            { value: 'least_recent', text: texts.strategyLeastRecent },
            { value: 'least_bookings', text: texts.strategyLeastBookings },
            { value: 'availability_weighted', text: texts.strategyWeighted },
          ]}
        />
        <SelectField
          locale={locale}
          name="host_choice"
          label={texts.hostChoice}
          hint={texts.hostChoiceHint}
          value={eventType.host_choice}
          options={[
            { value: 'none', text: texts.hostChoiceNone },
            { value: 'optional', text: texts.hostChoiceOptional },
            { value: 'required', text: texts.hostChoiceRequired },
          ]}
        />
        <FormEnd request={request} />
      </Form>
    </>
  )
  const mayChange = isRolePermitted(request.member.role, 'administer')
  return editorPage({
    request,
    eventType,
    at: '/hosts',
    status,
    children: mayChange ? parts : <ReadOnly request={request}>{parts}</ReadOnly>,
  })
}

/** Whether what was wrong has a form on this page: the host may be no longer there. */
function isThere({ which }: Wrong, hosts: readonly Host[]): boolean {
  return (
    which === undefined || which === 'new' || which === 'strategy' || hosts.some(({ id }) => id === which)
  )
}

type HostProps = {
  readonly request: MemberRequest
  readonly loaded: Loaded
  readonly host: Host
  readonly trouble: Trouble
}

function HostForm({ request, loaded, host, trouble }: HostProps) {
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
        <NumberField
          {...shared}
          id={`weight-${host.id}`}
          name="weight"
          label={texts.weight}
          value={typed('weight', host.weight)}
        />
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
