import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import type { Member } from '../../people/team/schema.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need, wrongIn } from '../ask.ts'
import { isChecked, orNull } from '../form.ts'
import { changedByOthers, changedFields, expectedState, shownState } from '../lost-update.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { type Hours, readHours, WeekFields } from '../views/week-fields.tsx'
import type { Closing } from './closing.tsx'
import { isAdmin, loadMembers, mayWriteOf, nameOf, peopleFor } from './people.ts'
import { closingBySchedule } from './schedule-closing.ts'

type Shown = Pick<Schedule, 'name' | 'timezone' | 'member_id' | 'is_default'> & Hours

const FIELDS = ['name', 'timezone', 'is_default', 'rules', 'overrides'] as const

const WORKDAYS = [1, 2, 3, 4, 5].map((day) => ({ day_of_week: day, start_time: '09:00', end_time: '17:00' }))

export async function showNewSchedule(request: MemberRequest): Promise<Response> {
  const mine = request.member.memberId
  const blank: Shown = {
    name: '',
    timezone: request.zone,
    rules: WORKDAYS,
    overrides: [],
    member_id: isAdmin(request) ? null : mine,
    is_default: false,
  }
  if (!mayWriteOf(request, blank)) return forbiddenPage(request)
  return schedulePage(request, null, blank, await loadMembers(request))
}

export async function createSchedule(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const { hours, names } = readHours(form)
  const body = { ...readSchedule(request), ...hours, member_id: orNull(form, 'member_id') }
  const closing =
    body.is_default && !wrongIn(scheduleRoutes.createSchedule, body)
      ? await closingBySchedule(request, null, body)
      : null
  if (closing) return schedulePage(request, null, body, await loadMembers(request), { closing })
  const asked = await ask(request, scheduleRoutes.createSchedule, { body })
  if (asked.ok) return seeOther(page, '/console/hours?done=saved')
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const trouble = troubleOf(page.locale, asked.refusal, { fields: names })
  return schedulePage(request, null, body, await loadMembers(request), {
    trouble,
    status: formStatus(asked.refusal),
  })
}

export async function showSchedule(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const [schedule, members] = await Promise.all([loadSchedule(request, id), loadMembers(request)])
  return schedulePage(request, schedule, schedule, members)
}

export async function saveSchedule(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page } = request
  const { hours, names } = readHours(request.form)
  const body = { ...readSchedule(request), ...hours }
  const changed = changedFields(request.form, body)
  const closing = await closingBy(request, id, changed)
  if (closing) {
    const [schedule, members] = await Promise.all([loadSchedule(request, id), loadMembers(request)])
    return schedulePage(request, schedule, { ...schedule, ...body }, members, { closing })
  }
  const asked = await ask(request, scheduleRoutes.updateSchedule, {
    params: { id },
    body: { ...changed, ...expectedState(request.form) },
  })
  if (asked.ok) return seeOther(page, '/console/hours?done=saved')
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const [schedule, members] = await Promise.all([loadSchedule(request, id), loadMembers(request)])
  const others = changedByOthers(request, asked.refusal)
  const trouble = others ?? troubleOf(page.locale, asked.refusal, { fields: names })
  return schedulePage(request, schedule, { ...schedule, ...(others ? changed : body) }, members, {
    trouble,
    status: formStatus(asked.refusal),
  })
}

/** Bookings in times that would be closed, if the hours or what they are the default of are changed and valid. */
async function closingBy(
  request: MemberRequest,
  id: string,
  changed: Partial<Omit<Shown, 'member_id'>>,
): Promise<Closing | null> {
  const { rules, overrides, timezone, is_default } = changed
  const isOther = rules || overrides || timezone !== undefined || is_default !== undefined
  if (!isOther || wrongIn(scheduleRoutes.updateSchedule, changed)) return null
  const schedule = await loadSchedule(request, id)
  return closingBySchedule(request, schedule, { ...schedule, ...changed })
}

export async function deleteScheduleFromConsole(
  request: MemberRequest,
  { id = '' }: Params,
): Promise<Response> {
  const { page } = request
  const asked = await ask(request, scheduleRoutes.deleteSchedule, { params: { id } })
  if (asked.ok) return seeOther(page, '/console/hours?done=deleted')
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const [schedule, members] = await Promise.all([loadSchedule(request, id), loadMembers(request)])
  const trouble = troubleOf(page.locale, asked.refusal)
  return schedulePage(request, schedule, schedule, members, {
    trouble,
    status: formStatus(asked.refusal),
  })
}

function loadSchedule(request: MemberRequest, id: string): Promise<Schedule> {
  return need(request, scheduleRoutes.getSchedule, { params: { id } })
}

/** What was sent was typed over this state, and is still to be saved over it. */
function sentState({ form }: MemberRequest): Record<string, string> {
  return Object.fromEntries(
    ['updated_at', 'was'].flatMap((name) => (form.has(name) ? [[name, form.get(name)!]] : [])),
  )
}

function readSchedule({ form }: MemberRequest) {
  const isDefault = isChecked(form, 'is_default')
  return { name: form.get('name') ?? '', timezone: form.get('timezone') ?? '', is_default: isDefault }
}

/** Why a form is shown again. */
type Outcome = { readonly trouble?: Trouble; readonly status?: number; readonly closing?: Closing }

function schedulePage(
  request: MemberRequest,
  saved: Schedule | null,
  value: Shown,
  members: readonly Member[],
  { trouble = NO_TROUBLE, status = 200, closing }: Outcome = {},
): Response {
  const { locale } = request.page
  const texts = textsOf(locale, hoursTexts)
  const mayWrite = mayWriteOf(request, saved ?? value)
  // A member whose role was lowered in the meantime has no form any more where the error could be shown.
  if (!mayWrite && trouble !== NO_TROUBLE) return forbiddenPage(request)
  const field = fieldsFor({ locale, trouble }, value)
  const owner = members.find(({ id }) => id === value.member_id)
  const people = peopleFor(request, members).map((member) => ({ value: member.id, text: nameOf(member) }))
  const fields = (
    <>
      <section class="panel" aria-label={texts.name}>
        <div class="pair">
          {field.text('name', texts.name, { hint: texts.nameHint })}
          {saved === null &&
            field.select(
              'member_id',
              texts.whose,
              [...(isAdmin(request) ? [{ value: '', text: texts.ofOrganization }] : []), ...people],
              { isOptional: true },
            )}
          {field.zone('timezone', texts.timezone)}
        </div>
        {field.check('is_default', texts.defaultLabel, { hint: texts.defaultHint })}
      </section>
      <fieldset class="panel">
        <legend>{texts.hours}</legend>
        <WeekFields locale={locale} hours={value} trouble={trouble} />
      </fieldset>
    </>
  )
  const action = saved ? (`/console/hours/${saved.id}` as const) : '/console/hours/new'
  return shell({
    request,
    title: saved?.name ?? texts.newSchedule,
    lead: saved && (owner ? fill(texts.of, { name: nameOf(owner) }) : texts.ofOrganization),
    back: { to: '/console/hours', text: texts.back },
    status,
    children: mayWrite ? (
      <>
        <Form
          request={request}
          action={action}
          hidden={
            saved
              ? { ...(closing ? sentState(request) : shownState(saved, FIELDS)), ...closing?.hidden }
              : (closing?.hidden ?? {})
          }
          trouble={trouble}
          once={saved === null}
          class="steps"
        >
          {fields}
          {closing?.note}
          <FormEnd request={request} />
        </Form>
        {saved && (
          <details class="folded">
            <summary>{texts.deleteSchedule}</summary>
            <Form request={request} action={`/console/hours/${saved.id}/delete`} class="panel steps">
              <p>{texts.deleteText}</p>
              <FormEnd request={request} text={texts.deleteSchedule} tone="danger" />
            </Form>
          </details>
        )}
      </>
    ) : (
      <fieldset class="steps plain-set" disabled>
        {fields}
      </fieldset>
    ),
  })
}
